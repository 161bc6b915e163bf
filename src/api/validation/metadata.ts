import type { Labels, ObjectMeta, OwnerReference } from '../meta.ts';
import { type Check, isObject, type Problem, quote } from './check.ts';
import { annotationKey, dnsLabel, dnsSubdomain, labelValue, qualifiedName } from './names.ts';
import { isPlainMetadata } from './plain-metadata.ts';
import {
  all,
  arrayOf,
  boolean,
  int64,
  integer,
  mapOf,
  object,
  required,
  SAFE_MAX,
  string,
  timestamp,
  unlessEmpty,
} from './shapes.ts';
import { annotationsSize, generateName, knownFinalizers, onePropagation, ownerKinds } from './stored-metadata.ts';

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

/** Checks that at most one owner is the controller. */
const oneController: Check = (value, field, problems) => {
  if (!Array.isArray(value)) return;
  // Most objects have one owner.
  if (value.length < 2) return;
  const controllers = value.filter((owner) => isObject(owner) && owner['controller'] === true);
  if (controllers.length < 2) return;
  const names = controllers.map((owner) => quote(String(owner.name))).join(' and ');
  problems.push({ field, reason: `only one reference can have controller set to true, not ${names}` });
};

const ownerReferences = all(arrayOf(ownerReference), oneController);
const namespace = unlessEmpty(dnsLabel);
const finalizers = arrayOf(required(qualifiedName));

/** The check of `metadata` for a kind with this form of names, among which plain ones are. */
export function objectMetaNamed(name: Check): Check {
  const check = required(
    object({
      name: required(name),
      generateName: string,
      // An empty namespace is the default one.
      namespace,
      uid: string,
      generation: integer(0, SAFE_MAX),
      labels,
      annotations,
      creationTimestamp: timestamp,
      deletionTimestamp: timestamp,
      deletionGracePeriodSeconds: int64,
      finalizers,
      ownerReferences,
    }),
  );
  return (value, field, problems) => {
    if (!isPlainMetadata(value)) check(value, field, problems);
  };
}

export const objectMeta: Check = objectMetaNamed(dnsSubdomain);

const objectName = required(dnsSubdomain);
const storedGenerateName = all(string, generateName);
const storedFinalizers = all(finalizers, onePropagation, knownFinalizers);
const storedOwners = all(ownerReferences, ownerKinds);

/**
 * Checks the parts of a pod's complete `metadata` that differ from those of `known`, which are valid. For objects of
 * one template, and objects that are written repeatedly, nearly all parts are equal.
 */
export function checkChangedMetadata(metadata: ObjectMeta, known: ObjectMeta, problems: Problem[]): void {
  if (metadata.name !== known.name) objectName(metadata.name, 'metadata.name', problems);
  if (metadata.generateName !== known.generateName) {
    storedGenerateName(metadata.generateName, 'metadata.generateName', problems);
  }
  if (metadata.namespace !== known.namespace) namespace(metadata.namespace, 'metadata.namespace', problems);
  if (metadata.labels !== known.labels) {
    labels(changedEntries(metadata.labels, known.labels), 'metadata.labels', problems);
  }
  if (metadata.annotations !== known.annotations) {
    annotations(changedEntries(metadata.annotations, known.annotations), 'metadata.annotations', problems);
    annotationsSize(metadata.annotations, 'metadata.annotations', problems);
  }
  if (metadata.finalizers !== known.finalizers) storedFinalizers(metadata.finalizers, 'metadata.finalizers', problems);
  if (metadata.ownerReferences !== known.ownerReferences && !hasPlainOwner(metadata.ownerReferences)) {
    storedOwners(metadata.ownerReferences, 'metadata.ownerReferences', problems);
  }
}

/**
 * Whether there is one owner of a version without a group, with nothing unusual. Reading members by their names is much
 * faster than walking through checks, and most objects with owners are made for such an owner each.
 */
function hasPlainOwner(owners: unknown): boolean {
  if (!Array.isArray(owners) || owners.length !== 1 || !isObject(owners[0])) return false;
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion }: Partial<OwnerReference> = owners[0];
  if (apiVersion !== 'v1' || kind === 'Event' || !isFilled(kind) || !isFilled(name) || !isFilled(uid)) return false;
  return isFlag(controller) && isFlag(blockOwnerDeletion);
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function changedEntries(entries: Labels | undefined, known: Labels | undefined): Labels | undefined {
  if (known === undefined || !isObject(entries)) return entries;
  const changed: Record<string, string> = {};
  for (const key in entries) {
    // Setting a member of this name would not add a member.
    if (key === '__proto__') return entries;
    if (entries[key] !== known[key]) changed[key] = entries[key] as string;
  }
  return changed;
}
