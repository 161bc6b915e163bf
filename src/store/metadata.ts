import type { Labels, ObjectMeta } from '../api/meta.ts';
import { isObject, type Problem, quote, show } from '../api/validation/check.ts';
import { isSame } from './frozen-copy.ts';
import { PROTOTYPE } from './patch/merge-patch.ts';
import { filledCopy, RepeatedCopy } from './repeated-copy.ts';

type Draft = { -readonly [Key in keyof ObjectMeta]: ObjectMeta[Key] };

/** What only the API server sets. */
type SystemMetadata = Omit<ObjectMeta, 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'>;

/** The metadata of new objects: one often has the template of the one before, and shares what is equal. */
export class NewMetadata {
  readonly #labels = new RepeatedCopy();
  readonly #annotations = new RepeatedCopy();
  readonly #ownerReferences = new RepeatedCopy();
  readonly #finalizers = new RepeatedCopy();

  /** Frozen. What was given beside the parts that are the owner's (`managedFields`, ...) is dropped. */
  of({ labels, annotations, ownerReferences, finalizers }: ObjectMeta, system: SystemMetadata): ObjectMeta {
    return complete(system, {
      labels: this.#labels.of(labels),
      annotations: this.#annotations.of(annotations),
      ownerReferences: this.#ownerReferences.of(ownerReferences),
      finalizers: this.#finalizers.of(finalizers),
    });
  }
}

/** The metadata that an update leads to, frozen: `stored` itself when nothing changes. */
export function updatedMetadata(given: ObjectMeta, stored: ObjectMeta): ObjectMeta {
  if (given === stored) return stored;
  const parts = ownersParts(given, stored);
  return isShared(parts, stored) ? stored : complete(stored, parts);
}

/** Whether the metadata have all that can be checked from `known`, but for the name. */
export function isKnownButName(metadata: ObjectMeta, known: ObjectMeta): boolean {
  return (
    metadata.labels === known.labels &&
    metadata.annotations === known.annotations &&
    metadata.ownerReferences === known.ownerReferences &&
    metadata.finalizers === known.finalizers &&
    metadata.namespace === known.namespace &&
    metadata.generateName === known.generateName
  );
}

/** What is left to be checked of metadata of which the rest is known to be good. */
export function unknownParts(metadata: ObjectMeta, known: ObjectMeta): ObjectMeta {
  const { name, generateName, namespace, labels, annotations, ownerReferences, finalizers } = metadata;
  return {
    name,
    generateName,
    namespace,
    labels: unknownEntries(labels, known.labels),
    annotations: unknownEntries(annotations, known.annotations),
    ownerReferences: ownerReferences === known.ownerReferences ? undefined : ownerReferences,
    finalizers: finalizers === known.finalizers ? undefined : finalizers,
  };
}

/** Pods of one template differ in one label or two. */
function unknownEntries(entries: Labels | undefined, known: Labels | undefined): Labels | undefined {
  if (entries === known) return undefined;
  if (known === undefined || !isObject(entries)) return entries;
  const unknown: Record<string, string> = {};
  for (const key in entries) {
    if (key === PROTOTYPE) return entries;
    if (entries[key] !== known[key]) unknown[key] = entries[key] as string;
  }
  return unknown;
}

type OwnersParts = Pick<ObjectMeta, 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'>;

function ownersParts(given: ObjectMeta, like: ObjectMeta): OwnersParts {
  return {
    labels: filledCopy(given.labels, like.labels),
    annotations: filledCopy(given.annotations, like.annotations),
    ownerReferences: filledCopy(given.ownerReferences, like.ownerReferences),
    finalizers: filledCopy(given.finalizers, like.finalizers),
  };
}

function isShared(parts: OwnersParts, stored: ObjectMeta): boolean {
  const { labels, annotations, ownerReferences, finalizers } = stored;
  return (
    parts.labels === labels &&
    parts.annotations === annotations &&
    parts.ownerReferences === ownerReferences &&
    parts.finalizers === finalizers
  );
}

/** Members are always made in this order, so that all metadata have few shapes. */
function complete(system: SystemMetadata, parts: OwnersParts): ObjectMeta {
  const draft: Draft = { name: system.name };
  if (system.generateName) draft.generateName = system.generateName;
  if (system.namespace !== undefined) draft.namespace = system.namespace;
  draft.uid = system.uid;
  draft.resourceVersion = system.resourceVersion;
  if (system.generation !== undefined) draft.generation = system.generation;
  draft.creationTimestamp = system.creationTimestamp;
  if (system.deletionTimestamp !== undefined) {
    draft.deletionTimestamp = system.deletionTimestamp;
    draft.deletionGracePeriodSeconds = system.deletionGracePeriodSeconds;
  }
  if (parts.labels !== undefined) draft.labels = parts.labels;
  if (parts.annotations !== undefined) draft.annotations = parts.annotations;
  if (parts.ownerReferences !== undefined) draft.ownerReferences = parts.ownerReferences;
  if (parts.finalizers !== undefined) draft.finalizers = parts.finalizers;
  return Object.freeze(draft);
}

const IMMUTABLE = [
  'name',
  'namespace',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly (keyof ObjectMeta)[];

/** What speaks against an update of the metadata (ValidateObjectMetaAccessorUpdate in apimachinery). */
export function metadataUpdateProblems(given: ObjectMeta, stored: ObjectMeta): Problem[] {
  if (given === stored) return [];
  const changed = IMMUTABLE.filter((key) => isGiven(given[key]) && !isSame(given[key], stored[key]));
  const problems = changed.map((key) => immutable(key, given[key]));
  if (stored.deletionTimestamp !== undefined) problems.push(...addedFinalizers(given, stored));
  return problems;
}

/** The value may be anything: it is only named. */
function immutable(key: string, value: unknown): Problem {
  const shown = typeof value === 'string' ? quote(value) : show(value);
  return { field: `metadata.${key}`, reason: `Invalid value: ${shown}: field is immutable` };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function addedFinalizers(given: ObjectMeta, stored: ObjectMeta): Problem[] {
  if (!Array.isArray(given.finalizers)) return [];
  const added = given.finalizers.filter((name) => !stored.finalizers?.includes(name));
  if (added.length === 0) return [];
  const rule = 'no new finalizers can be added if the object is being deleted';
  const names = added.map((name) => quote(String(name))).join(', ');
  return [{ field: 'metadata.finalizers', reason: `Forbidden: ${rule}, found new finalizers ${names}` }];
}
