import type { LabelSelector } from './label-selector.ts';
import type { Condition, Labels, ObjectMeta } from './meta.ts';
import type { PodTemplate } from './pod-template.ts';

/** A v1 Namespace: its labels decide which pods a namespaceSelector reaches. */
export interface Namespace {
  readonly metadata?: ObjectMeta | undefined;
  /** `Active` or `Terminating` */
  readonly status?: { readonly phase?: string | undefined } | undefined;
}

/** A v1 Service or ReplicationController, whose selector groups pods for the default topology spreading. */
export interface SelectorOwner {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: { readonly selector?: Labels | undefined } | undefined;
}

/** A v1 ReplicationController as users may write it, without a selector. */
export interface ReplicationController extends SelectorOwner {
  readonly spec?:
    | {
        readonly selector?: Labels | undefined;
        readonly template?: { readonly metadata?: ObjectMeta | undefined } | undefined;
      }
    | undefined;
}

/** An apps/v1 ReplicaSet or StatefulSet, whose selector groups pods likewise. */
export interface LabelSelectorOwner {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: { readonly selector?: LabelSelector | undefined } | undefined;
}

/** An apps/v1 ReplicaSet with the fields that its controller reads; some consist only of a selector. */
export interface ReplicaSet extends LabelSelectorOwner {
  readonly spec?:
    | {
        /** The wanted number of pods; absent: 1. */
        readonly replicas?: number | undefined;
        readonly minReadySeconds?: number | undefined;
        readonly selector?: LabelSelector | undefined;
        readonly template?: PodTemplate | undefined;
      }
    | undefined;
  readonly status?: ReplicaSetStatus | undefined;
}

/** How many pods a ReplicaSet has (apps/v1 ReplicaSetStatus). */
export interface ReplicaSetStatus {
  readonly replicas?: number | undefined;
  readonly fullyLabeledReplicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  /** Pods that are being deleted, and have not ended yet. */
  readonly terminatingReplicas?: number | undefined;
  readonly observedGeneration?: number | undefined;
  /** At most a condition `ReplicaFailure`: pods could not be created or deleted. */
  readonly conditions?: readonly Condition[] | undefined;
}
