import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { tolerationErrors } from './affinity.ts';
import { between, sameJson, sortedByKey } from './checks.ts';
import { imageSpaceErrors } from './containers.ts';
import { internalDiff, internalJson } from './internal-json.ts';
import { podAnnotationUpdateErrors } from './pod-annotations.ts';
import { wholePodErrors } from './pod-spec.ts';

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
  const errors = [...wholePodErrors(pod), ...podAnnotationUpdateErrors(pod, old)];
  for (const name of ['containers', 'initContainers'] as const) {
    if (objectsAt(spec, name).length !== objectsAt(before, name).length) {
      return [...errors, forbiddenField(`spec.${name}`, 'pod updates may not add or remove containers')];
    }
    for (const [i, container] of objectsAt(spec, name).entries()) {
      if (textAt(container, 'image') === '') errors.push(requiredValue(`spec.${name}[${i}].image`));
      errors.push(...imageSpaceErrors(`spec.${name}[${i}]`, container));
    }
  }
  const deadline = deadlineErrors(spec, before);
  errors.push(...deadline);
  // A deadline that is no valid number ends the checks, but not one that is missing.
  if (deadline.length > 0 && spec['activeDeadlineSeconds'] !== undefined) return errors;
  errors.push(...tolerationUpdateErrors(spec, before), ...gateUpdateErrors(spec, before));
  if (objectsAt(before, 'schedulingGates').length > 0) errors.push(...placementErrors(spec, before));
  const next = fixed(spec, before);
  if (!sameJson(next, before)) errors.push(forbiddenField('spec', `${ONLY}\n${specDiff(before, next)}`));
  return errors;
}

function deadlineErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [now, then] = [spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']];
  const field = 'spec.activeDeadlineSeconds';
  if (typeof now !== 'number') {
    if (then === undefined) return [];
    return [invalidValue(field, null, 'must not update from a positive integer to nil value')];
  }
  const errors = between(field, now, 0, 2 ** 31 - 1);
  if (errors.length > 0 || typeof then !== 'number' || now <= then) return errors;
  return [invalidValue(field, now, 'must be less than or equal to previous value')];
}

/** Tolerations may be added, and change only their seconds. */
function tolerationUpdateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const key = ({ tolerationSeconds: _, ...toleration }: JsonObject): string =>
    JSON.stringify(Object.entries(toleration).sort(([a], [b]) => (a < b ? -1 : 1)));
  const tolerations = objectsAt(spec, 'tolerations');
  const now = new Set(tolerations.map(key));
  if (objectsAt(before, 'tolerations').every((toleration) => now.has(key(toleration)))) {
    return tolerationErrors('spec.tolerations', tolerations);
  }
  return [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')];
}

/** Gates may only go. */
function gateUpdateErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const known = new Set(objectsAt(before, 'schedulingGates').map((gate) => textAt(gate, 'name')));
  const added = new Map(objectsAt(spec, 'schedulingGates').map((gate, i) => [textAt(gate, 'name'), i]));
  return [...added]
    .filter(([name]) => !known.has(name))
    .map(([name, i]) => {
      const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
      return forbiddenField(`spec.schedulingGates[${i}].name`, why);
    });
}

/** What a gated pod asks of nodes may become more, but not less. */
function placementErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [selector, oldSelector] = [objectAt(spec, 'nodeSelector') ?? {}, objectAt(before, 'nodeSelector') ?? {}];
  const errors: FieldError[] = [];
  if (Object.keys(oldSelector).some((key) => selector[key] !== oldSelector[key])) {
    const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    errors.push(
      invalidValue('spec.nodeSelector', spec['nodeSelector'] === undefined ? null : sortedByKey(selector), why),
    );
  }
  const terms = termsOf(spec);
  const oldTerms = termsOf(before);
  const field = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
  if (oldTerms.length === 0) return errors;
  const shown = (term: JsonObject): JsonValue => internalJson('core/v1.NodeSelectorTerm', term);
  if (terms.length !== oldTerms.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [...errors, invalidValue(field, terms.length === 0 ? null : terms.map(shown), why)];
  }
  for (const [i, term] of terms.entries()) {
    if (onlyAddsTo(oldTerms[i] as JsonObject, term)) continue;
    errors.push(invalidValue(`${field}[${i}]`, shown(term), 'only additions are allowed (no mutations or deletions)'));
  }
  return errors;
}

function termsOf(spec: JsonObject): readonly JsonObject[] {
  const affinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity');
  return objectsAt(objectAt(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'), 'nodeSelectorTerms');
}

/** Whether the rules of a term are those of the old one, and possibly more. A term without rules stays so. */
function onlyAddsTo(old: JsonObject, term: JsonObject): boolean {
  const names = ['matchExpressions', 'matchFields'];
  if (names.every((name) => objectsAt(old, name).length === 0)) {
    return names.every((name) => objectsAt(term, name).length === 0);
  }
  return names.every((name) => {
    const rules = objectsAt(old, name);
    return sameJson([...objectsAt(term, name).slice(0, rules.length)], [...rules]);
  });
}

function specDiff(before: JsonObject, after: JsonObject): string {
  return internalDiff(internalJson('core/v1.PodSpec', before), internalJson('core/v1.PodSpec', after));
}

/** The next spec with everything that may change as it was before. */
function fixed(spec: JsonObject, before: JsonObject): JsonObject {
  const kept = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates'];
  const [grace, oldGrace] = [spec['terminationGracePeriodSeconds'], before['terminationGracePeriodSeconds']];
  if (Number(oldGrace ?? 0) < 0 && grace === 1) kept.push('terminationGracePeriodSeconds');
  const isGated = objectsAt(before, 'schedulingGates').length > 0;
  if (isGated) kept.push('nodeSelector');
  const copy = withMembersOf(spec, before, kept);
  if (isGated) {
    const affinity = withMembersOf(objectAt(spec, 'affinity') ?? {}, objectAt(before, 'affinity') ?? {}, [
      'nodeAffinity',
    ]);
    if (Object.keys(affinity).length > 0 || before['affinity'] !== undefined) copy['affinity'] = affinity;
    else delete copy['affinity'];
  }
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
