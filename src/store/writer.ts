import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import type { Pod, PodStatus } from '../api/pod.ts';
import type { ResourceClaim, ResourceClaimStatus } from '../api/resource-claims.ts';
import { timeAtMillis } from '../api/time.ts';
import { isObject } from '../api/validation/check.ts';
import type { Clock } from '../lib/clock.ts';
import type { Committer } from './committer.ts';
import type { Ledger } from './ledger/ledger.ts';
import { alreadyExists, badRequest, conflict, invalid, refuseInvalid, refuseOther } from './objects/api-error.ts';
import { metadataAt, metadataUpdateProblems, NewMetadata, updatedMetadata } from './objects/metadata.ts';
import { generatedName, type NameSource } from './objects/names.ts';
import { namespaceOf, RESOURCES, type Resource, type Resources } from './objects/resources.ts';
import { resizedPod } from './resize.ts';
import type { Admission } from './strategies/admission.ts';
import { podOf } from './strategies/pod-strategy.ts';
import type { Strategies } from './strategies/strategies.ts';

/** How often a name is generated before a create is refused. Upstream: maxNameGenerationCreateAttempts. */
const NAME_TRIES = 8;

const STALE = 'the object has been modified; please apply your changes to the latest version and try again';

export interface WriterModules {
  readonly ledger: Ledger;
  readonly committer: Committer;
  readonly strategies: Strategies;
  readonly admission: Admission;
  readonly names: NameSource;
  readonly clock: Clock;
}

/** Creates and updates objects: it validates what a caller gives and hands the result to the ledger. */
export class Writer {
  readonly #modules: WriterModules;
  readonly #newMetadata = new Map(Object.keys(RESOURCES).map((resource) => [resource, new NewMetadata()]));

  constructor(modules: WriterModules) {
    this.#modules = modules;
  }

  /** @throws ApiError */
  create<R extends Resource>(resource: R, given: Resources[R]): Resources[R] {
    const { ledger, names } = this.#modules;
    const metadata = metadataOf(given);
    if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
    const { name: wanted, generateName } = metadata;
    const isGenerated = !wanted && typeof generateName === 'string' && generateName !== '';
    for (let tries = 1; ; tries++) {
      const name = isGenerated ? generatedName(generateName, names) : (wanted ?? '');
      const object = this.#newObject(resource, given, metadata, name);
      if (ledger.insert(resource, object)) return object;
      if (!isGenerated || tries === NAME_TRIES) throw alreadyExists(resource, name, Boolean(generateName));
    }
  }

  /** Returns the updated object, or the stored object itself when nothing changes. @throws ApiError */
  update<R extends Resource>(
    resource: R,
    given: Resources[R],
    stored: Resources[R],
    part: 'status' | 'rest',
  ): Resources[R] {
    const strategy = this.#modules.strategies[resource];
    const [metadata, storedMetadata] = [metadataOf(given), metadataOf(stored)];
    this.#refuseStale(resource, metadata, storedMetadata);
    if (part === 'status' && !strategy.hasStatus) throw badRequest(`${resource} have no status of their own`);
    refuseInvalid(resource, storedMetadata, metadataUpdateProblems(metadata, storedMetadata));
    const complete = updatedMetadata(metadata, storedMetadata, this.#modules.ledger.nextVersion);
    const next =
      part === 'status' ? strategy.updateStatus(given, stored, complete) : strategy.update(given, complete, stored);
    if (next === stored) return stored;
    const counted = strategy.hasGeneration && specOf(next) !== specOf(stored) ? withNextGeneration(next) : next;
    return this.#modules.committer.update(resource, counted, stored);
  }

  /** As `update` of the status of a pod. `status` is frozen deeply, and has no absent members. @throws ApiError */
  updateFrozenStatus(stored: Pod, status: object): Pod {
    const { strategies, committer, ledger } = this.#modules;
    const kept: PodStatus | undefined = strategies.pods.frozenStatus?.(stored, status) ?? stored.status;
    if (kept === stored.status) return stored;
    const { metadata = {}, spec } = stored;
    if (metadata.deletionTimestamp !== undefined) return committer.update('pods', podOf(metadata, spec, kept), stored);
    const next = podOf(metadataAt(metadata, ledger.nextVersion), spec, kept);
    ledger.replace('pods', next, stored);
    return next;
  }

  /** As `updateFrozenStatus` of a claim; null where the status has to be checked as any other. */
  updateFrozenClaim(stored: ResourceClaim, status: object): ResourceClaim | null {
    const { strategies, committer, ledger } = this.#modules;
    const kept: ResourceClaimStatus | undefined = strategies.resourceclaims.frozenStatus?.(stored, status);
    if (kept === undefined) return null;
    if (kept === stored.status) return stored;
    const { apiVersion, kind, metadata = {}, spec } = stored;
    if (metadata.deletionTimestamp !== undefined) {
      return committer.update('resourceclaims', { apiVersion, kind, metadata, spec, status: kept }, stored);
    }
    const next = { apiVersion, kind, metadata: metadataAt(metadata, ledger.nextVersion), spec, status: kept };
    ledger.replace('resourceclaims', Object.freeze(next), stored);
    return next;
  }

  /**
   * Returns the stored pod with the resources of the given one, or the stored pod itself when nothing changes. @throws
   * ApiError
   */
  resize(given: Pod, stored: Pod): Pod {
    this.#refuseStale('pods', metadataOf(given), metadataOf(stored));
    const resized = resizedPod(given, stored);
    return resized === stored ? stored : this.#modules.committer.update('pods', resized, stored);
  }

  #newObject<R extends Resource>(resource: R, given: Resources[R], metadata: ObjectMeta, name: string): Resources[R] {
    const { strategies, admission } = this.#modules;
    const object = strategies[resource].create(given, this.#metadataFor(resource, metadata, name));
    const { isNamespaced } = RESOURCES[resource];
    if (isNamespaced) admission.namespace(resource, namespaceOf(resource, metadata.namespace), name);
    return object;
  }

  #metadataFor(resource: Resource, given: ObjectMeta, name: string): ObjectMeta {
    const { ledger, strategies, names, clock } = this.#modules;
    const { isNamespaced } = RESOURCES[resource];
    if (!isNamespaced && given.namespace) {
      throw invalid(resource, name, [{ field: 'metadata.namespace', reason: 'Forbidden: not allowed on this type' }]);
    }
    const system = {
      name,
      generateName: given.generateName,
      namespace: isNamespaced ? namespaceOf(resource, given.namespace) : undefined,
      uid: names.uid(),
      resourceVersion: ledger.nextVersion,
      creationTimestamp: timeAtMillis(clock.nowMillis()),
      generation: strategies[resource].hasGeneration ? 1 : undefined,
    };
    return (this.#newMetadata.get(resource) as NewMetadata).of(given, system);
  }

  #refuseStale(resource: Resource, given: ObjectMeta, stored: ObjectMeta): void {
    const name = stored.name ?? '';
    if (given.uid && given.uid !== stored.uid) refuseOther(resource, { uid: given.uid }, stored);
    const isStale = given.resourceVersion && given.resourceVersion !== stored.resourceVersion;
    if (isStale) throw conflict(resource, name, STALE);
    if (!given.resourceVersion && this.#modules.strategies[resource].requiresVersion) {
      throw invalid(resource, name, [{ field: 'metadata.resourceVersion', reason: 'must be specified for an update' }]);
    }
  }
}

/** The metadata of a value of unknown shape. @throws ApiError BadRequest */
export function metadataOf(given: KubernetesObject): ObjectMeta {
  if (!isObject(given)) throw badRequest('an API object must be an object');
  const metadata: unknown = given['metadata'];
  if (metadata === undefined || metadata === null) return {};
  if (!isObject(metadata)) throw badRequest('metadata must be an object');
  return metadata;
}

function withNextGeneration<T extends KubernetesObject>(object: T): T {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, generation: (metadata?.generation ?? 0) + 1 } };
}

function specOf(object: KubernetesObject): unknown {
  return (object as { readonly spec?: unknown }).spec;
}
