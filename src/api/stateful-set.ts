import type { IntOrPercent } from './int-or-percent.ts';
import type { LabelSelector } from './label-selector.ts';
import type { Condition, KubernetesObject } from './meta.ts';
import type { PodTemplate } from './pod-template.ts';
import type { PersistentVolumeClaim } from './storage.ts';

/** A label of the pods of a StatefulSet: their name. */
export const STATEFUL_POD_NAME_KEY = 'statefulset.kubernetes.io/pod-name';
/** A label of the pods of a StatefulSet: their ordinal. */
export const POD_INDEX_KEY = 'apps.kubernetes.io/pod-index';
/** A label of the pods of a StatefulSet or DaemonSet: the revision of their template. */
export const REVISION_HASH_KEY = 'controller-revision-hash';

/** Which pods and claims a StatefulSet keeps (apps/v1 StatefulSetSpec). */
export interface StatefulSetSpec {
  /** The wanted number of pods; absent: 1. */
  readonly replicas?: number | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly template?: PodTemplate | undefined;
  /** Claims that every pod gets of its own, named `<template>-<set>-<ordinal>`. */
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[] | undefined;
  readonly serviceName?: string | undefined;
  /** `OrderedReady` or `Parallel` */
  readonly podManagementPolicy?: string | undefined;
  readonly updateStrategy?:
    | {
        /** `RollingUpdate` or `OnDelete` */
        readonly type?: string | undefined;
        readonly rollingUpdate?:
          | {
              /** Only pods of this ordinal and above are updated. */
              readonly partition?: number | undefined;
              /** Has no effect: its gate MaxUnavailableStatefulSet is off by default in Kubernetes 1.36. */
              readonly maxUnavailable?: IntOrPercent | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly minReadySeconds?: number | undefined;
  /** What happens to claims when the set is deleted, or gets fewer pods: `Retain` or `Delete`. */
  readonly persistentVolumeClaimRetentionPolicy?: ClaimRetention | undefined;
  /** The first ordinal; absent: 0. */
  readonly ordinals?: { readonly start?: number | undefined } | undefined;
}

/** What becomes of the claims of a StatefulSet: `Retain` or `Delete`. */
export interface ClaimRetention {
  readonly whenDeleted?: string | undefined;
  readonly whenScaled?: string | undefined;
}

/** How far a StatefulSet is (apps/v1 StatefulSetStatus). */
export interface StatefulSetStatus {
  readonly observedGeneration?: number | undefined;
  readonly replicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  /** Pods of the revision before the update. */
  readonly currentReplicas?: number | undefined;
  readonly updatedReplicas?: number | undefined;
  readonly currentRevision?: string | undefined;
  readonly updateRevision?: string | undefined;
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly Condition[] | undefined;
}

/** An apps/v1 StatefulSet; some consist only of a selector, by which scheduling groups pods. */
export interface StatefulSet extends KubernetesObject {
  readonly spec?: StatefulSetSpec | undefined;
  readonly status?: StatefulSetStatus | undefined;
}
