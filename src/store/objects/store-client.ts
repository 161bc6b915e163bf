import type { PodStatus } from '../../api/pod.ts';
import type { ResourceClaimStatus } from '../../api/resource-claims.ts';
import type { ApiError } from './api-error.ts';
import type { Resource, Resources } from './resources.ts';

/**
 * The API as controllers and informers use it. Calls are synchronous: a write is done, or is refused by a thrown
 * `ApiError` and has changed nothing. Returned objects are deeply frozen; the caller may change the objects that it
 * passed in. Cluster-wide resources have the namespace ''.
 */
export interface StoreClient {
  /** @throws ApiError AlreadyExists, Invalid, NotFound (of the namespace), Forbidden */
  create<R extends Resource>(resource: R, object: Resources[R]): Resources[R];

  /** @throws ApiError NotFound */
  get<R extends Resource>(resource: R, namespace: string, name: string): Resources[R];

  /**
   * As `get`, but what does not exist is a value, and no error. Absent: `findObject` gets it.
   *
   * @internal
   */
  find?<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] | undefined;

  /** Lists objects ordered by namespace and name. @throws ApiError BadRequest, Expired (of `continue`), Timeout */
  list<R extends Resource>(resource: R, options?: ListOptions): List<Resources[R]>;

  /**
   * Watches a resource. A version that is too old is reported by the first event. @throws ApiError BadRequest, Timeout
   */
  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]>;

  /**
   * Replaces everything except the status. If the object has a resourceVersion, it must be the stored one.
   *
   * @throws ApiError NotFound, Conflict, Invalid
   */
  update<R extends Resource>(resource: R, object: Resources[R]): Resources[R];

  /**
   * Replaces the status, and for a Job also the metadata. `outcome`: what a caller knows of the status of a pod, as of
   * a patch, or of a claim.
   *
   * @throws ApiError NotFound, Conflict, Invalid
   */
  updateStatus<R extends Resource>(resource: R, object: Resources[R], outcome?: StatusOutcome): Resources[R];

  /** @throws ApiError NotFound, Conflict (of a uid or resourceVersion in the patch), Invalid, BadRequest */
  patch<R extends Resource>(
    resource: R,
    namespace: string,
    name: string,
    patch: Patch,
    subresource?: 'status',
  ): Resources[R];

  /**
   * Removes the object, or marks it as being deleted when it has a grace period or finalizers.
   *
   * @throws ApiError NotFound, Conflict (of preconditions), Invalid
   */
  delete<R extends Resource>(resource: R, namespace: string, name: string, options?: DeleteOptions): void;

  /** Binds a pod to a node and returns the bound pod. @throws ApiError NotFound, Conflict, Invalid */
  bind(namespace: string, podName: string, binding: Binding): Resources['pods'];

  /** Deletes a pod if its disruption budget allows. @throws ApiError NotFound, TooManyRequests, Conflict */
  evict(namespace: string, podName: string, options?: DeleteOptions): void;
}

/** Which objects of a resource a list or watch is about. */
export interface SelectionOptions {
  /** The namespace; absent for all namespaces. */
  readonly namespace?: string | undefined;
  /** A label selector such as `app=web,tier in (a,b),!canary`. */
  readonly labelSelector?: string | undefined;
  /** A field selector such as `spec.nodeName=node-1,status.phase!=Failed`. */
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions extends SelectionOptions {
  /** The most objects to return; `continue` fetches the rest. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  /**
   * The oldest version that is acceptable. The store always has the newest, so only a version from the future is
   * refused.
   */
  readonly resourceVersion?: string | undefined;
}

/** A page of objects (meta/v1 List). */
export interface List<T> {
  readonly items: readonly T[];
  /** The version of the list; a watch from here continues where the list ended. */
  readonly resourceVersion: string;
  readonly continue?: string | undefined;
}

export interface WatchOptions extends SelectionOptions {
  /** The last version seen. With '' or '0' the current objects come first, as ADDED. */
  readonly resourceVersion: string;
  readonly allowBookmarks?: boolean | undefined;
  /** The current objects come first, as ADDED, and a bookmark ends them: read by servers alone, not by the store. */
  readonly sendInitialEvents?: true | undefined;
}

/**
 * A cursor over the history of a resource, read at the watcher's own pace. A watch that falls behind further than the
 * history reaches gets one ERROR (Expired, 410), and nothing more.
 */
export interface Watch<T> {
  /** Returns the next event, or undefined when there is none. */
  next(): WatchEvent<T> | undefined;
  /**
   * `wake` is called whenever events arrive after `next` returned undefined, and at once unless `next` just did. It
   * runs in the middle of another writer's write, so it should only note or schedule the work.
   */
  onReady(wake: () => void): void;
  stop(): void;
}

/** A change that a watch delivers. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** The watcher has seen everything up to this version. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly endsInitialEvents?: boolean }
  | { readonly type: 'ERROR'; readonly error: ApiError };

/** A change of a part of an object. */
export interface Patch {
  /** `merge`: RFC 7386. `strategic`: lists of named items are merged by name. */
  readonly type: 'merge' | 'strategic';
  readonly body: unknown;
  /**
   * What the patch makes of one status, for a pod: a store whose pod has this very status need not read the body.
   * @internal
   */
  readonly outcome?: StatusOutcome | undefined;
}

/**
 * The status of a stored pod or claim, undefined if it has none, and what a write makes of it. Both are frozen deeply,
 * without absent members.
 */
export interface StatusOutcome {
  /**
   * The pod that the patch names; absent if it names none.
   *
   * @internal
   */
  readonly uid?: string | undefined;
  readonly before: PodStatus | ResourceClaimStatus | undefined;
  readonly after: PodStatus | ResourceClaimStatus;
}

/** What a delete does to the dependents of an object. */
export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

/** How an object is deleted (meta/v1 DeleteOptions). */
export interface DeleteOptions {
  /** The grace period, for pods only; absent for the pod's own. */
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly preconditions?: Preconditions | undefined;
}

/** What an object must be for a delete to happen (meta/v1 Preconditions). */
export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** A v1 Binding: it assigns a pod to a node. */
export interface Binding {
  readonly metadata?:
    | {
        /** The uid of the pod that is meant; absent for whichever pod has the name. */
        readonly uid?: string | undefined;
        /** The resourceVersion that the pod must still have; absent for any. */
        readonly resourceVersion?: string | undefined;
        readonly annotations?: Readonly<Record<string, string>> | undefined;
        readonly labels?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  readonly target: { readonly kind?: string | undefined; readonly name: string };
}
