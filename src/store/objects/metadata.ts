import type { KubernetesObject, ObjectMeta } from '../../api/meta.ts';
import { type Problem, quote, show } from '../../api/validation/check.ts';
import { isSame } from './frozen-copy.ts';
import { filledCopy, RepeatedCopy } from './repeated-copy.ts';

type Draft = { -readonly [Key in keyof ObjectMeta]: ObjectMeta[Key] };

/** The metadata fields that only the API server sets. */
type SystemMetadata = Omit<ObjectMeta, 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'>;

/**
 * Makes the metadata of new objects. Consecutive objects often come from the same template, so equal parts are shared.
 */
export class NewMetadata {
  readonly #labels = new RepeatedCopy();
  readonly #annotations = new RepeatedCopy();
  readonly #ownerReferences = new RepeatedCopy();
  readonly #finalizers = new RepeatedCopy();

  /**
   * Returns frozen metadata. Of the given metadata only the four user-owned parts are kept; others such as
   * `managedFields` are dropped.
   */
  of({ labels, annotations, ownerReferences, finalizers }: ObjectMeta, system: SystemMetadata): ObjectMeta {
    return complete(system, system.resourceVersion, {
      labels: this.#labels.of(labels),
      annotations: this.#annotations.of(annotations),
      ownerReferences: this.#ownerReferences.of(ownerReferences),
      finalizers: this.#finalizers.of(finalizers),
    });
  }
}

/** The metadata after an update, frozen, with this version; `stored` itself when nothing changes. */
export function updatedMetadata(
  given: ObjectMeta,
  stored: ObjectMeta,
  resourceVersion = stored.resourceVersion,
): ObjectMeta {
  if (given === stored) return stored;
  const parts = ownersParts(given, stored);
  return isShared(parts, stored) ? stored : complete(stored, resourceVersion, parts);
}

/** The same metadata with another resourceVersion, frozen. */
export function metadataAt(stored: ObjectMeta, resourceVersion: string): ObjectMeta {
  return complete(stored, resourceVersion, stored);
}

/** How an object is marked that is being deleted. */
export type DeletionMark = Required<
  Pick<ObjectMeta, 'generation' | 'deletionTimestamp' | 'deletionGracePeriodSeconds'>
>;

/** The metadata with this mark, these finalizers and this version, frozen. */
export function markedMetadata(
  stored: ObjectMeta,
  mark: DeletionMark,
  finalizers: readonly string[],
  resourceVersion = stored.resourceVersion,
): ObjectMeta {
  const { name, generateName, namespace, uid, creationTimestamp, managedFields } = stored;
  const { generation, deletionTimestamp, deletionGracePeriodSeconds } = mark;
  const { labels, annotations, ownerReferences } = stored;
  const system: SystemMetadata = {
    name,
    generateName,
    namespace,
    uid,
    generation,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    managedFields,
  };
  const kept = finalizers.length === 0 ? undefined : filledCopy(finalizers, stored.finalizers);
  return complete(system, resourceVersion, { labels, annotations, ownerReferences, finalizers: kept });
}

type OwnersParts = Pick<ObjectMeta, 'labels' | 'annotations' | 'ownerReferences' | 'finalizers'>;

function ownersParts(given: ObjectMeta, like: ObjectMeta): OwnersParts {
  return {
    labels: filledCopy(given.labels, like.labels),
    annotations: filledCopy(given.annotations, like.annotations),
    ownerReferences: filledCopy(given.ownerReferences, like.ownerReferences),
    finalizers: finalizersCopy(given.finalizers, like.finalizers),
  };
}

/** The finalizers that were copied last: claims get the same ones, one after the other, and share them. */
let lastFinalizers: readonly string[] | undefined;

function finalizersCopy(given: ObjectMeta['finalizers'], like: ObjectMeta['finalizers']): ObjectMeta['finalizers'] {
  if (given === like || given === undefined) return given;
  if (lastFinalizers !== undefined && isSame(given, lastFinalizers)) {
    return isSame(lastFinalizers, like) ? like : lastFinalizers;
  }
  const copy = filledCopy(given, like);
  if (copy !== undefined && copy !== like) lastFinalizers = copy;
  return copy;
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

/**
 * Makes plain objects with room for the members of metadata. V8 gives a literal only the room for the members that it
 * names, and moves the others to ever larger lists: that takes twice as long. It first gives room for the assignments
 * that it reads here, and fixes the room when it has seen eight objects, by what the fullest of them has needed.
 */
const Roomy = function Roomy(this: Draft, isFullest: boolean): void {
  if (!isFullest) return;
  this.name = undefined;
  this.generateName = undefined;
  this.namespace = undefined;
  this.uid = undefined;
  this.resourceVersion = undefined;
  this.generation = undefined;
  this.creationTimestamp = undefined;
  this.labels = undefined;
  this.annotations = undefined;
  this.ownerReferences = undefined;
  this.finalizers = undefined;
} as unknown as new (
  isFullest: boolean,
) => Draft;
Roomy.prototype = Object.prototype;
new Roomy(true);

/** Builds metadata with its members always in the same order, so that V8 needs few hidden classes. */
function complete(system: SystemMetadata, resourceVersion: string | undefined, parts: OwnersParts): ObjectMeta {
  const draft = new Roomy(false);
  draft.name = system.name;
  if (system.generateName) draft.generateName = system.generateName;
  if (system.namespace !== undefined) draft.namespace = system.namespace;
  draft.uid = system.uid;
  draft.resourceVersion = resourceVersion;
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
  if (system.managedFields !== undefined) draft.managedFields = system.managedFields;
  return Object.freeze(draft);
}

const IMMUTABLE = [
  'name',
  'namespace',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly (keyof ObjectMeta)[];

/** The problems of an update of the metadata (ValidateObjectMetaAccessorUpdate in apimachinery). */
export function metadataUpdateProblems(given: ObjectMeta, stored: ObjectMeta): Problem[] {
  if (given === stored) return [];
  if (stored.deletionTimestamp === undefined && isSameObject(given, stored)) return [];
  const changed = IMMUTABLE.filter((key) => isGiven(given[key]) && !isSame(given[key], stored[key]));
  const problems = changed.map((key) => immutable(key, given[key]));
  if (stored.deletionTimestamp !== undefined) problems.push(...addedFinalizers(given, stored));
  return problems;
}

/** The problem of a changed immutable field. `value` may be of any type; it is only shown. */
function immutable(key: string, value: unknown): Problem {
  const shown = typeof value === 'string' ? quote(value) : show(value);
  return { field: `metadata.${key}`, reason: `Invalid value: ${shown}: field is immutable` };
}

/** Whether the metadata obviously are of the stored object, which is not being deleted. */
function isSameObject(given: ObjectMeta, stored: ObjectMeta): boolean {
  const { name, namespace, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = given;
  if (name !== stored.name || namespace !== stored.namespace) return false;
  if (creationTimestamp !== stored.creationTimestamp) return false;
  return deletionTimestamp === undefined && deletionGracePeriodSeconds === undefined;
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

/** The same object with another resourceVersion, frozen. */
export function withVersion<T extends KubernetesObject>(object: T, resourceVersion: string): T {
  return Object.freeze(storedWithMetadata(object, metadataAt(object.metadata ?? {}, resourceVersion)));
}

interface WholeObject extends KubernetesObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * Copies an object with other metadata. Most kinds have exactly these members, and naming them is several times faster
 * than spreading a frozen object, which V8 copies member by member.
 */
export function withMetadata<T extends KubernetesObject>(object: T, metadata: ObjectMeta): T {
  const { apiVersion, kind, spec, status }: WholeObject = object;
  if (spec === undefined || status === undefined || countMembers(object) !== 5) return { ...object, metadata };
  const whole: WholeObject = { apiVersion, kind, metadata, spec, status };
  return whole as T;
}

/** The same for an object of the store. The copy is built member by member, which V8 freezes faster than a spread. */
export function storedWithMetadata<T extends KubernetesObject>(object: T, metadata: ObjectMeta): T {
  const { spec, status }: WholeObject = object;
  if (spec !== undefined && status !== undefined) return withMetadata(object, metadata);
  const copy: Record<string, unknown> = {};
  for (const key in object) {
    if (key === '__proto__') return { ...object, metadata };
    copy[key] = object[key];
  }
  copy['metadata'] = metadata;
  return copy as T;
}

function countMembers(object: object): number {
  let count = 0;
  for (const _ in object) count++;
  return count;
}
