import { isDeepStrictEqual } from 'node:util';
import type { PodSpec } from '../../api/pod.ts';
import { podQosClass } from '../../api/pod-qos.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsSubdomain, duplicate, ipAddress, qualifiedName, sameJson, unchanged } from './checks.ts';
import { internalDiff, internalJson } from './internal-json.ts';
import { MIRROR, podAnnotationUpdateErrors } from './pod-annotations.ts';
import { wholePodErrors } from './pod-spec.ts';
import { specOf } from './workloads.ts';

/** Checks of writes to parts of a pod (pkg/apis/core/validation: ValidatePodStatusUpdate and its kin). */

function isStatic(pod: JsonObject): boolean {
  return objectAt(objectAt(pod, 'metadata'), 'annotations')?.[MIRROR] !== undefined;
}

export function podStatusErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [objectAt(pod, 'status') ?? {}, objectAt(old, 'status') ?? {}];
  const errors = podAnnotationUpdateErrors(pod, old);
  for (const [i, condition] of objectsAt(status, 'conditions').entries()) {
    const type = textAt(condition, 'type');
    if (!OWN_CONDITIONS.includes(type)) errors.push(...qualifiedName(`metadata.conditions[${i}].Type`, type));
  }
  const nominated = textAt(status, 'nominatedNodeName');
  if (nominated !== '' && nominated !== before['nominatedNodeName']) {
    errors.push(...dnsSubdomain('status.nominatedNodeName', nominated));
  }
  errors.push(...unchanged('status.qosClass', status['qosClass'], before['qosClass']));
  for (const name of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']) {
    errors.push(...transitionErrors(old, name, objectsAt(status, name), objectsAt(before, name)));
  }
  errors.push(...claimStatusErrors(status, new Set(objectsAt(specOf(pod), 'resourceClaims').map(nameOf))));
  return [...errors, ...addressErrors('podIPs', status), ...hostAddressErrors(status)];
}

const OWN_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

function nameOf(object: JsonObject): string {
  return textAt(object, 'name');
}

function claimStatusErrors(status: JsonObject, known: ReadonlySet<string>): FieldError[] {
  const seen = new Set<string>();
  return objectsAt(status, 'resourceClaimStatuses').flatMap((claim, i) => {
    const at = `status.resourceClaimStatuses[${i}].name`;
    const [name, claimName] = [nameOf(claim), claim['resourceClaimName']];
    const errors: FieldError[] = [];
    if (!known.has(name)) {
      errors.push(invalidValue(at, name, 'must match the name of an entry in `spec.resourceClaims`'));
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    return typeof claimName === 'string' ? [...errors, ...dnsSubdomain(at, claimName)] : errors;
  });
}

/** Addresses: at most one of each family (validatePodIPs, validateHostIPs). */
function addressErrors(name: string, status: JsonObject): FieldError[] {
  const field = `status.${name}`;
  const addresses = objectsAt(status, name);
  const ips = addresses.map((address) => textAt(address, 'ip'));
  const errors = ips.flatMap((ip, i) => ipAddress(`${field}[${i}]`, ip));
  if (ips.length < 2) return errors;
  const families = new Set(ips.map((ip) => ip.includes(':')));
  const shown = addresses.map((address) => ({ IP: textAt(address, 'ip') }));
  const mixed =
    families.size < 2 || ips.length > 2
      ? [invalidValue(field, shown, 'may specify no more than one IP for each IP family')]
      : [];
  const repeated = ips.flatMap((ip, i) =>
    ips.indexOf(ip) < i ? [duplicate(`${field}[${i}]`, shown[i] as JsonObject)] : [],
  );
  return name === 'podIPs' ? [...errors, ...mixed, ...repeated] : [...errors, ...repeated, ...mixed];
}

function hostAddressErrors(status: JsonObject): FieldError[] {
  const [first] = objectsAt(status, 'hostIPs');
  if (first === undefined) return [];
  const errors = addressErrors('hostIPs', status);
  if (textAt(first, 'ip') === textAt(status, 'hostIP')) return errors;
  return [invalidValue('status.hostIPs[0].ip', textAt(first, 'ip'), 'must be equal to `hostIP`'), ...errors];
}

/** A container that has ended for good does not run again. */
function transitionErrors(
  pod: JsonObject,
  name: string,
  statuses: readonly JsonObject[],
  before: readonly JsonObject[],
): FieldError[] {
  const policy = name === 'ephemeralContainerStatuses' ? 'Never' : textAt(specOf(pod), 'restartPolicy');
  if (policy === 'Always') return [];
  const sidecars = objectsAt(specOf(pod), 'initContainers').filter((one) => one['restartPolicy'] === 'Always');
  const restarted = new Set(name === 'initContainerStatuses' ? sidecars.map(nameOf) : []);
  return before.flatMap((old, i) => {
    const ended = objectAt(objectAt(old, 'state'), 'terminated');
    if (ended === undefined || (ended['exitCode'] !== 0 && policy === 'OnFailure')) return [];
    const status = statuses.find((each) => each['name'] === old['name']);
    if (restarted.has(nameOf(old)) || status === undefined) return [];
    if (objectAt(objectAt(status, 'state'), 'terminated') !== undefined) return [];
    return [forbiddenField(`status.${name}[${i}].state`, 'may not be transitioned to non-terminated state')];
  });
}

export function ephemeralUpdateErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const errors = [...wholePodErrors(pod), ...podAnnotationUpdateErrors(pod, old)];
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
  const errors = wholePodErrors(pod);
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
