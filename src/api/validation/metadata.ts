import { type Check, isObject, quote } from './check.ts';
import { annotationKey, dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './names.ts';
import {
  all,
  arrayOf,
  boolean,
  integer,
  mapOf,
  object,
  required,
  SAFE_MAX,
  string,
  timestamp,
  unlessEmpty,
} from './shapes.ts';

export const labels: Check = mapOf(qualifiedName, labelValue);
export const annotations: Check = mapOf(annotationKey, string);

const ownerReference = object({
  apiVersion: string,
  kind: required(string),
  name: required(string),
  uid: required(string),
  controller: boolean,
  blockOwnerDeletion: boolean,
});

/** `metadata` of a kind whose names have this form. */
export function objectMetaNamed(name: Check): Check {
  return required(
    object({
      name: required(name),
      generateName: string,
      // An empty namespace is the default one.
      namespace: unlessEmpty(dnsLabel),
      uid: string,
      generation: integer(0, SAFE_MAX),
      labels,
      annotations,
      creationTimestamp: timestamp,
      deletionTimestamp: timestamp,
      deletionGracePeriodSeconds: integer(-SAFE_MAX, SAFE_MAX),
      finalizers: arrayOf(required(qualifiedName)),
      ownerReferences: all(arrayOf(ownerReference), oneController),
    }),
  );
}

/** At most one owner looks after an object. */
const oneController: Check = (value, field, problems) => {
  if (!Array.isArray(value)) return;
  const controllers = value.filter((owner) => isObject(owner) && owner['controller'] === true);
  if (controllers.length < 2) return;
  const names = controllers.map((owner) => quote(String(owner.name))).join(' and ');
  problems.push({ field, reason: `only one reference can have controller set to true, not ${names}` });
};

export const objectMeta: Check = objectMetaNamed(dnsSubdomain);
