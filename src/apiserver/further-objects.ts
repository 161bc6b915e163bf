import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../api/meta.ts';
import type { ApiMetadata, ApiObject, JsonObject } from '../kinds/object/json.ts';
import type { ServedResource } from '../kinds/object/kind-schema.ts';
import { conflict, notFound } from '../kinds/object/refusals.ts';
import { StatusError } from '../kinds/object/status-error.ts';
import { apiTypes } from '../kinds/schema/go-types.ts';
import { strategicMerge } from '../kinds/schema/strategic-merge.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import { ApiError, type ApiReason, STATUS_CODES } from '../store/objects/api-error.ts';
import type { FurtherObjects, FurtherObserver, FurtherResource } from '../store/objects/further-objects.ts';
import { RESOURCES } from '../store/objects/resources.ts';
import type { DeleteOptions, Patch } from '../store/objects/store-client.ts';
import { mergePatch } from '../store/patch/merge-patch.ts';
import type { ApiModules } from './context/context.ts';
import { DEFINITIONS_GROUP } from './definitions/definitions.ts';
import { deleteObject } from './requests/delete.ts';
import type { ResourceStorage } from './storage/resource-storage.ts';

const OBJECT_META = apiTypes().struct('meta/v1.ObjectMeta');
const EVERYTHING = { matches: () => true };

/** The objects that this API serves and the store does not know: config maps, secrets, custom resources, ... */
export class ServedObjects implements FurtherObjects {
  readonly #modules: ApiModules;

  constructor(modules: ApiModules) {
    this.#modules = modules;
  }

  resourceOf(apiVersion: string, kind: string): FurtherResource | undefined {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const served = this.#modules.registry.findKind(group as string, version as string, kind);
    if (served === undefined) return undefined;
    return { resource: this.#modules.storages.of(served).name, isNamespaced: served.resource.isNamespaced };
  }

  get(resource: string, namespace: string, name: string): KubernetesObject {
    return apiCall(() => this.#stored(resource, namespace, name).stored as unknown as KubernetesObject);
  }

  patchMetadata(resource: string, namespace: string, name: string, { type, body }: Patch): KubernetesObject {
    return apiCall(() => {
      const { served, storage, stored } = this.#stored(resource, namespace, name);
      const patch = (body as { readonly metadata: JsonObject }).metadata;
      const old = (stored.metadata ?? {}) as ApiMetadata;
      for (const key of ['uid', 'resourceVersion'] as const) {
        if (patch[key] !== undefined && patch[key] !== old[key]) {
          throw conflict(served.resource, name, `the ${key} is another one`);
        }
      }
      const merged = type === 'merge' ? mergePatch(old, patch) : strategicMerge(OBJECT_META, old as JsonObject, patch);
      const metadata = withoutEmptyLists(merged as ApiMetadata);
      if (isDeepStrictEqual(metadata, old)) return stored as unknown as KubernetesObject;
      const isFreed = metadata.finalizers === undefined && old.deletionTimestamp !== undefined;
      const next = isFreed ? storage.remove(stored) : storage.replace({ ...stored, metadata }, stored);
      return next as unknown as KubernetesObject;
    });
  }

  delete(resource: string, namespace: string, name: string, options: DeleteOptions): void {
    apiCall(() => {
      const { served } = this.#stored(resource, namespace, name);
      const { propagationPolicy, preconditions = {} } = options;
      deleteObject({ modules: this.#modules, served }, namespace, name, {
        ...{ propagationPolicy, preconditions, isDryRun: false },
        ...{ gracePeriodSeconds: undefined, orphanDependents: undefined },
      });
    });
  }

  follow(loop: EventLoop, observer: FurtherObserver): () => void {
    const { registry, storages } = this.#modules;
    const followed = new Map<string, FollowedStorage>();
    const add = (served: ServedResource): void => {
      const storage = storages.of(served);
      if (!isCollected(served) || Object.hasOwn(RESOURCES, storage.name) || followed.has(storage.name)) return;
      followed.set(storage.name, new FollowedStorage(storage, loop, observer));
    };
    for (const served of registry.everything()) add(served);
    registry.onAdded = add;
    return () => {
      registry.onAdded = undefined;
      for (const one of followed.values()) one.stop();
    };
  }

  /** @throws StatusError NotFound */
  #stored(
    resource: string,
    namespace: string,
    name: string,
  ): { served: ServedResource; storage: ResourceStorage; stored: ApiObject } {
    const { registry, storages } = this.#modules;
    for (const served of registry.everything()) {
      const storage = storages.of(served);
      if (storage.name !== resource) continue;
      const stored = storage.get(namespace, name);
      if (stored === undefined) throw notFound(served.resource, name);
      return { served, storage, stored };
    }
    throw new StatusError(404, 'NotFound', `${resource} are not served`);
  }
}

/** Definitions are no garbage, and what is only answered is not stored. */
function isCollected({ resource }: ServedResource): boolean {
  return resource.group !== DEFINITIONS_GROUP && resource.verbs.includes('delete') && resource.verbs.includes('watch');
}

/** Tells of the objects of one resource. */
class FollowedStorage {
  readonly #storage: ResourceStorage;
  readonly #loop: EventLoop;
  readonly #observer: FurtherObserver;
  #known = new Map<string, KubernetesObject>();
  #isStopped = false;
  #stopWatch: () => void = () => {};

  constructor(storage: ResourceStorage, loop: EventLoop, observer: FurtherObserver) {
    this.#storage = storage;
    this.#loop = loop;
    this.#observer = observer;
    this.#begin();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopWatch();
  }

  /** Lists the objects, and watches from there; what was known and is not listed any more has been deleted. */
  #begin(): void {
    const before = this.#known;
    this.#known = new Map();
    for (const object of this.#storage.storedFrom(undefined)) this.#observe(object);
    for (const [uid, object] of before) if (!this.#known.has(uid)) this.#observer.remove(object);
    const watch = this.#storage.follow(EVERYTHING, this.#storage.version);
    this.#stopWatch = () => watch.stop();
    const drain = (): void => {
      for (let event = watch.next(); event !== undefined && !this.#isStopped; event = watch.next()) {
        if (event.type === 'ERROR') {
          this.#begin();
          return;
        }
        if (event.type === 'DELETED') this.#remove(event.object);
        else if (event.type !== 'BOOKMARK') this.#observe(event.object);
      }
    };
    watch.onReady(() => this.#loop.soon(drain));
  }

  #observe(object: KubernetesObject): void {
    this.#known.set(object.metadata?.uid ?? '', object);
    this.#observer.observe(this.#storage.name, object);
  }

  #remove(object: KubernetesObject): void {
    this.#known.delete(object.metadata?.uid ?? '');
    this.#observer.remove(object);
  }
}

function withoutEmptyLists(metadata: ApiMetadata): ApiMetadata {
  const { finalizers = [], ownerReferences = [], ...others } = metadata;
  const some = {
    ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  };
  return { ...others, ...some } as ApiMetadata;
}

/** Refusals of the API as those of the store. @throws ApiError */
function apiCall<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const reason = Object.hasOwn(STATUS_CODES, error.reason) ? (error.reason as ApiReason) : 'InternalError';
    throw new ApiError(reason, error.message);
  }
}
