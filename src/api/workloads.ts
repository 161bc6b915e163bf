import type { LabelSelector } from './label-selector.ts';
import type { Labels, ObjectMeta } from './meta.ts';
import type { PodTemplate } from './pod-template.ts';

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

/** An apps/v1 ReplicaSet with what its controller reads of it; some are known for their selector alone. */
export interface ReplicaSet extends LabelSelectorOwner {
  readonly spec?:
    | {
        /** Absent: 1. */
        readonly replicas?: number | undefined;
        readonly minReadySeconds?: number | undefined;
        readonly selector?: LabelSelector | undefined;
        readonly template?: PodTemplate | undefined;
      }
    | undefined;
  readonly status?: ReplicaSetStatus | undefined;
}

export interface ReplicaSetStatus {
  readonly replicas?: number | undefined;
  readonly fullyLabeledReplicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  readonly observedGeneration?: number | undefined;
}
