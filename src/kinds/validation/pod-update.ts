import { objectAt, objectsAt } from '../defaults/members.ts';
import { forbiddenField } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { sameJson } from './checks.ts';
import { internalDiff, internalJson } from './internal-json.ts';
import { podSpecErrors, tokenErrors } from './pod-spec.ts';

const ONLY =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/**
 * Refuses changes of a pod's spec, except for the few fields that may change. Upstream: ValidatePodUpdate of
 * pkg/apis/core/validation.
 */
export function podUpdateErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  const errors = [...podSpecErrors('spec', spec), ...tokenErrors(spec)];
  for (const name of ['containers', 'initContainers'] as const) {
    if (objectsAt(spec, name).length === objectsAt(before, name).length) continue;
    return [
      ...errors,
      forbiddenField(
        `spec.${name}`,
        `pod updates may not add or remove ${name === 'containers' ? 'containers' : 'init containers'}`,
      ),
    ];
  }
  errors.push(...deadlineErrors(spec, before), ...tolerationErrors(spec, before));
  const next = fixed(spec, before);
  if (!sameJson(next, before)) errors.push(forbiddenField('spec', `${ONLY}\n${specDiff(before, next)}`));
  return errors;
}

function deadlineErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, then] = [spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']];
  const field = 'spec.activeDeadlineSeconds';
  const bad = (why: string): FieldError[] => [
    { reason: 'FieldValueInvalid', field, message: `Invalid value: ${String(now ?? null)}: ${why}` },
  ];
  if (typeof then !== 'number' || now === then) return [];
  if (typeof now !== 'number') return bad('must not update from a positive integer to nil value');
  return now > then ? bad('must be less than or equal to previous value') : [];
}

/** Tolerations may be added, and change only their seconds. */
function tolerationErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const key = ({ tolerationSeconds: _, ...toleration }: JsonObject): string =>
    JSON.stringify(Object.entries(toleration).sort(([a], [b]) => (a < b ? -1 : 1)));
  const now = new Set(objectsAt(spec, 'tolerations').map(key));
  if (objectsAt(before, 'tolerations').every((toleration) => now.has(key(toleration)))) return [];
  return [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

function specDiff(before: JsonObject, after: JsonObject): string {
  return internalDiff(internalJson('core/v1.PodSpec', before), internalJson('core/v1.PodSpec', after));
}

/** The next spec with everything that may change as it was before. */
function fixed(spec: JsonObject, before: JsonObject): JsonObject {
  const kept = ['activeDeadlineSeconds', 'tolerations'];
  const [grace, oldGrace] = [spec['terminationGracePeriodSeconds'], before['terminationGracePeriodSeconds']];
  if (Number(oldGrace ?? 0) < 0 && grace === 1) kept.push('terminationGracePeriodSeconds');
  if (objectsAt(before, 'schedulingGates').length > 0) kept.push('schedulingGates', 'nodeSelector', 'affinity');
  const copy = withMembersOf(spec, before, kept);
  for (const name of ['containers', 'initContainers']) {
    if (spec[name] === undefined) continue;
    const old = objectsAt(before, name);
    copy[name] = objectsAt(spec, name).map((container, i) => withMembersOf(container, old[i] ?? {}, ['image']));
  }
  return copy;
}

function withMembersOf(object: JsonObject, old: JsonObject, names: readonly string[]): JsonObject {
  const copy: JsonObject = { ...object };
  for (const name of names) {
    if (old[name] === undefined) delete copy[name];
    else copy[name] = old[name];
  }
  return copy;
}
