import type { ApiError } from './api-error.ts';
import type { Resource, Resources } from './resources.ts';

/**
 * What controllers and informers see of the API. Calls are synchronous: a write is done, or refused with a thrown
 * `ApiError` and has left no trace. Objects that come out are frozen all the way down; objects that go in may be
 * changed by their owner afterwards without harm. Of a cluster-wide resource the namespace is ''.
 */
export interface StoreClient {
  /** @throws ApiError AlreadyExists, Invalid, NotFound (of the namespace), Forbidden */
  create<R extends Resource>(resource: R, object: Resources[R]): Resources[R];

  /** @throws ApiError NotFound */
  get<R extends Resource>(resource: R, namespace: string, name: string): Resources[R];

  /** In the order of namespace and name. @throws ApiError BadRequest, Expired (of `continue`), Timeout */
  list<R extends Resource>(resource: R, options?: ListOptions): List<Resources[R]>;

  /** A version that is too old is told by the first event. @throws ApiError BadRequest, Timeout */
  watch<R extends Resource>(resource: R, options: WatchOptions): Watch<Resources[R]>;

  /**
   * Replaces all but the status. With a resourceVersion the object must still have it.
   * @throws ApiError NotFound, Conflict, Invalid
   */
  update<R extends Resource>(resource: R, object: Resources[R]): Resources[R];

  /** Replaces the status, of a Job also the metadata, and nothing else. @throws ApiError NotFound, Conflict, Invalid */
  updateStatus<R extends Resource>(resource: R, object: Resources[R]): Resources[R];

  /** @throws ApiError NotFound, Conflict (of a uid or resourceVersion in the patch), Invalid, BadRequest */
  patch<R extends Resource>(
    resource: R,
    namespace: string,
    name: string,
    patch: Patch,
    subresource?: 'status',
  ): Resources[R];

  /**
   * Removes the object, or marks it as being deleted when a grace period or finalizers stand before that.
   * @throws ApiError NotFound, Conflict (of preconditions), Invalid
   */
  delete<R extends Resource>(resource: R, namespace: string, name: string, options?: DeleteOptions): void;

  /** Puts a pod on a node; returns it as it is then. @throws ApiError NotFound, Conflict, Invalid */
  bind(namespace: string, podName: string, binding: Binding): Resources['pods'];

  /** Deletes a pod if its disruption budget allows. @throws ApiError NotFound, TooManyRequests, Conflict */
  evict(namespace: string, podName: string, options?: DeleteOptions): void;
}

export interface ListOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  /** `app=web,tier in (a,b),!canary` */
  readonly labelSelector?: string | undefined;
  /** `spec.nodeName=node-1,status.phase!=Failed` */
  readonly fieldSelector?: string | undefined;
  /** At most so many; the rest follows by `continue`. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  /** The list is at least as new; what the store has always is, or it has not come so far. */
  readonly resourceVersion?: string | undefined;
}

export interface List<T> {
  readonly items: readonly T[];
  /** A watch from here goes on where the list ended. */
  readonly resourceVersion: string;
  readonly continue?: string | undefined;
}

export interface WatchOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The last version seen. '' or '0': what is there now comes first, as ADDED. */
  readonly resourceVersion: string;
  readonly allowBookmarks?: boolean | undefined;
}

/**
 * A cursor over the history of a resource, pulled at the watcher's own pace. One that falls behind further than the
 * history reaches gets one ERROR (Expired, 410), and nothing more.
 */
export interface Watch<T> {
  /** undefined: nothing new. */
  next(): WatchEvent<T> | undefined;
  /**
   * `wake` is called whenever there is something again after `next` gave undefined, and at once unless it just did.
   * That is in the middle of somebody's write: it should only note or schedule that there is work.
   */
  onReady(wake: () => void): void;
  stop(): void;
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  /** Everything up to this version has been seen. */
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  | { readonly type: 'ERROR'; readonly error: ApiError };

export interface Patch {
  /** `merge`: RFC 7386. `strategic`: lists of named things are merged by name. */
  readonly type: 'merge' | 'strategic';
  readonly body: unknown;
}

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteOptions {
  /** Pods only; absent: the pod's own. */
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly preconditions?: Preconditions | undefined;
}

export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** A v1 Binding: the pod goes to the node. */
export interface Binding {
  readonly metadata?:
    | {
        /** Of the pod that is meant; absent: whichever has the name. */
        readonly uid?: string | undefined;
        /** Of that pod, unchanged; absent: however it is. */
        readonly resourceVersion?: string | undefined;
        readonly annotations?: Readonly<Record<string, string>> | undefined;
        readonly labels?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  readonly target: { readonly kind?: string | undefined; readonly name: string };
}
