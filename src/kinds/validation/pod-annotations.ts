import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { localPath } from './paths.ts';

/** Checks of annotations that mean something for pods (ValidatePodSpecificAnnotations). */

export const MIRROR = 'kubernetes.io/config.mirror';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER_SECCOMP = 'container.seccomp.security.alpha.kubernetes.io/';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

function annotationsOf(pod: JsonObject): JsonObject {
  return objectAt(objectAt(pod, 'metadata'), 'annotations') ?? {};
}

export function podAnnotationErrors(field: string, pod: JsonObject): FieldError[] {
  const annotations = annotationsOf(pod);
  const errors: FieldError[] = [];
  const mirror = annotations[MIRROR];
  if (mirror !== undefined && textAt(objectAt(pod, 'spec'), 'nodeName') === '') {
    const why = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalidValue(`${field}[${MIRROR}]`, mirror, why));
  }
  const cost = annotations[DELETION_COST];
  if (typeof cost === 'string' && !isCost(cost)) {
    errors.push(invalidValue(`${field}[${DELETION_COST}]`, cost, 'must be a 32bit integer'));
  }
  const ofContainers = Object.keys(annotations).filter((key) => key.startsWith(CONTAINER_SECCOMP));
  for (const key of [SECCOMP, ...ofContainers.sort()]) {
    const profile = annotations[key];
    if (typeof profile === 'string') errors.push(...profileErrors(`${field}.${key}`, profile));
  }
  return [...errors, ...appArmorErrors(field, pod, annotations)];
}

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** An annotation of AppArmor names a container of the pod, and a profile. */
function appArmorErrors(field: string, pod: JsonObject, annotations: JsonObject): FieldError[] {
  const spec = objectAt(pod, 'spec');
  const containers = CONTAINER_LISTS.flatMap((list) => objectsAt(spec, list));
  const keys = Object.keys(annotations).filter((key) => key.startsWith(APP_ARMOR));
  return keys.sort().flatMap((key) => {
    const [name, profile] = [key.slice(APP_ARMOR.length), textAt(annotations, key)];
    const errors: FieldError[] = [];
    if (!containers.some((container) => textAt(container, 'name') === name)) {
      errors.push(invalidValue(`${field}[${key}]`, name, 'container not found'));
    }
    if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) return errors;
    const why = `invalid AppArmor profile name: ${JSON.stringify(profile)}`;
    return [...errors, invalidValue(`${field}[${key}]`, profile, why)];
  });
}

/** In a new pod, annotations of AppArmor and its fields say the same (ValidatePodCreate). */
export function appArmorMatchErrors(pod: JsonObject): FieldError[] {
  const spec = objectAt(pod, 'spec');
  if (textAt(objectAt(spec, 'os'), 'name') === 'windows') return [];
  const annotations = annotationsOf(pod);
  const ofPod = objectAt(objectAt(spec, 'securityContext'), 'appArmorProfile');
  return CONTAINER_LISTS.flatMap((list) =>
    objectsAt(spec, list).flatMap((container, i) => {
      const profile = objectAt(objectAt(container, 'securityContext'), 'appArmorProfile') ?? ofPod;
      const annotation = annotations[`${APP_ARMOR}${textAt(container, 'name')}`];
      if (profile === undefined || typeof annotation !== 'string') return [];
      return profileMatchErrors(`spec.${list}[${i}].securityContext.appArmorProfile`, profile, annotation);
    }),
  );
}

const NAMES_OF_TYPES: Readonly<Record<string, string>> = {
  Unconfined: 'unconfined',
  RuntimeDefault: 'runtime/default',
};

function profileMatchErrors(field: string, profile: JsonObject, annotation: string): FieldError[] {
  const type = textAt(profile, 'type');
  const isLocal = annotation.startsWith('localhost/');
  if (type === 'Localhost' && isLocal) {
    if (annotation.slice('localhost/'.length) === profile['localhostProfile']) return [];
    return [forbiddenField(`${field}.localhostProfile`, 'apparmor profile in annotation and field must match')];
  }
  const wanted = NAMES_OF_TYPES[type];
  if (type !== 'Localhost' && (wanted === undefined || wanted === annotation)) return [];
  return [forbiddenField(`${field}.type`, 'apparmor type in annotation and field must match')];
}

/** A whole number of 32 bits, without a plus or zeros in front. */
function isCost(text: string): boolean {
  return /^(?:0|-?\d+)$/.test(text) && !/^0\d/.test(text) && Math.abs(Number(text) + 0.5) < 2 ** 31;
}

const PROFILES = ['runtime/default', 'docker/default', 'unconfined'];

function profileErrors(field: string, profile: string): FieldError[] {
  if (PROFILES.includes(profile)) return [];
  if (profile.startsWith('localhost/')) return localPath(field, profile.slice('localhost/'.length));
  return [invalidValue(field, profile, 'must be a valid seccomp profile')];
}

/** Annotations that a pod keeps as it was created with them (ValidatePodSpecificAnnotationUpdates). */
export function podAnnotationUpdateErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [annotationsOf(pod), annotationsOf(old)];
  const errors: FieldError[] = [];
  const refuse = (key: string, verb: string): void => {
    const path = `metadata.annotations[${key}]`;
    if (key.startsWith(APP_ARMOR)) errors.push(forbiddenField(path, `may not ${verb} AppArmor annotations`));
    if (key === MIRROR) errors.push(forbiddenField(path, `may not ${verb} mirror pod annotation`));
  };
  for (const key of Object.keys(before).sort()) if (now[key] !== before[key]) refuse(key, 'remove or update');
  for (const key of Object.keys(now).sort()) if (before[key] === undefined) refuse(key, 'add');
  return [...errors, ...podAnnotationErrors('metadata.annotations', pod)];
}
