import { isDeepStrictEqual } from 'node:util';
import type { PodSpec } from '../../api/pod.ts';
import { podQosClass } from '../../api/pod-qos.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsSubdomain, sameJson, unchanged } from './checks.ts';
import { internalDiff, internalJson } from './internal-json.ts';
import { podSpecErrors, tokenErrors } from './pod-spec.ts';
import { specOf } from './workloads.ts';

/** Checks of writes to parts of a pod (pkg/apis/core/validation: ValidatePodStatusUpdate and its kin). */

const MIRROR = 'kubernetes.io/config.mirror';

function isStatic(pod: JsonObject): boolean {
  return objectAt(objectAt(pod, 'metadata'), 'annotations')?.[MIRROR] !== undefined;
}

export function podStatusErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [objectAt(pod, 'status') ?? {}, objectAt(old, 'status') ?? {}];
  const errors: FieldError[] = [];
  const nominated = textAt(status, 'nominatedNodeName');
  if (nominated !== '' && nominated !== before['nominatedNodeName']) {
    errors.push(...dnsSubdomain('status.nominatedNodeName', nominated));
  }
  for (const name of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']) {
    errors.push(...transitionErrors(pod, name, objectsAt(status, name), objectsAt(before, name)));
  }
  return [...errors, ...unchanged('status.qosClass', status['qosClass'], before['qosClass'])];
}

/** A container that has ended for good does not run again. */
function transitionErrors(
  pod: JsonObject,
  name: string,
  statuses: readonly JsonObject[],
  before: readonly JsonObject[],
): FieldError[] {
  const policy = textAt(specOf(pod), 'restartPolicy');
  if (policy === 'Always' && name !== 'ephemeralContainerStatuses') return [];
  return before.flatMap((old) => {
    const ended = objectAt(objectAt(old, 'state'), 'terminated');
    if (ended === undefined || (ended['exitCode'] !== 0 && policy === 'OnFailure')) return [];
    const i = statuses.findIndex((status) => status['name'] === old['name']);
    const status = statuses[i];
    if (status === undefined || objectAt(objectAt(status, 'state'), 'terminated') !== undefined) return [];
    return [forbiddenField(`status.${name}[${i}].state`, 'may not be transitioned to non-terminated state')];
  });
}

export function ephemeralUpdateErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const errors = [...podSpecErrors('spec', specOf(pod)), ...tokenErrors(specOf(pod))];
  if (isStatic(old)) errors.push(forbiddenField('', 'static pods do not support ephemeral containers'));
  const next = new Map(objectsAt(specOf(pod), 'ephemeralContainers').map((one) => [textAt(one, 'name'), one]));
  for (const before of objectsAt(specOf(old), 'ephemeralContainers')) {
    const name = JSON.stringify(textAt(before, 'name'));
    const container = next.get(textAt(before, 'name'));
    const refuse = (what: string): void => {
      errors.push(
        forbiddenField('spec.ephemeralContainers', `existing ephemeral containers ${name} may not be ${what}`),
      );
    };
    if (container === undefined) refuse('removed\n');
    else if (!sameJson(container, before)) {
      const type = 'core/v1.EphemeralContainer';
      refuse(`changed\n${internalDiff(internalJson(type, before), internalJson(type, container))}`);
    }
  }
  return errors;
}

const NO_RESIZE = 'only cpu and memory resources are mutable';

export function resizeUpdateErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(pod), specOf(old)];
  const errors = [...podSpecErrors('spec', spec), ...tokenErrors(spec)];
  if (isStatic(old)) errors.push(forbiddenField('', 'static pods cannot be resized'));
  const qos = textAt(objectAt(old, 'status'), 'qosClass');
  if (errors.length === 0 && qos !== '' && qos !== podQosClass(spec as unknown as PodSpec)) {
    errors.push(invalidValue('spec', qos, 'Pod QOS Class may not change as a result of resizing'));
  }
  for (const name of ['containers', 'initContainers']) {
    if (objectsAt(spec, name).length !== objectsAt(before, name).length) {
      return [...errors, forbiddenField('spec', `${name} may not be added or removed on resize`)];
    }
  }
  for (const name of ['containers', 'initContainers']) {
    for (const [i, container] of objectsAt(spec, name).entries()) {
      const resources = objectAt(container, 'resources') ?? {};
      const then = objectAt(objectsAt(before, name)[i], 'resources') ?? {};
      for (const part of ['requests', 'limits']) {
        const isRemoved = ['cpu', 'memory'].some(
          (each) => objectAt(then, part)?.[each] !== undefined && objectAt(resources, part)?.[each] === undefined,
        );
        if (!isRemoved) continue;
        errors.push(forbiddenField(`spec.${name}[${i}].resources.${part}`, `resource ${part} cannot be removed`));
      }
    }
  }
  if (!isDeepStrictEqual(otherResources(spec), otherResources(before))) errors.push(forbiddenField('spec', NO_RESIZE));
  return errors;
}

/** The resources of all containers but cpu and memory. */
function otherResources(spec: JsonObject): unknown {
  return ['containers', 'initContainers'].map((name) =>
    objectsAt(spec, name).map((container) =>
      ['requests', 'limits'].map((part) => {
        const { cpu: _, memory: __, ...others } = objectAt(objectAt(container, 'resources'), part) ?? {};
        return others;
      }),
    ),
  );
}
