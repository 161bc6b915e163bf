import type { LabelSelector } from './label-selector.ts';
import type { Labels, ObjectMeta } from './meta.ts';

/** A v1 Namespace: its labels decide which pods a namespaceSelector reaches. */
export interface Namespace {
  readonly metadata?: ObjectMeta | undefined;
  /** `Active` or `Terminating` */
  readonly status?: { readonly phase?: string | undefined } | undefined;
}

/** A v1 Service or ReplicationController: which pods belong together, for the system's default spreading. */
export interface SelectorOwner {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: { readonly selector?: Labels | undefined } | undefined;
}

/** A v1 ReplicationController as it may be written, without a selector. */
export interface ReplicationController extends SelectorOwner {
  readonly spec?:
    | {
        readonly selector?: Labels | undefined;
        readonly template?: { readonly metadata?: ObjectMeta | undefined } | undefined;
      }
    | undefined;
}

/** An apps/v1 ReplicaSet or StatefulSet, for the same purpose. */
export interface LabelSelectorOwner {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: { readonly selector?: LabelSelector | undefined } | undefined;
}
