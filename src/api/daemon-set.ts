import type { RollingUpdateLimits } from './deployment.ts';
import type { LabelSelector } from './label-selector.ts';
import type { Condition, KubernetesObject } from './meta.ts';
import type { PodTemplate } from './pod-template.ts';

/** Which pods a DaemonSet keeps on nodes (apps/v1 DaemonSetSpec). */
export interface DaemonSetSpec {
  readonly selector?: LabelSelector | undefined;
  readonly template?: PodTemplate | undefined;
  readonly updateStrategy?:
    | {
        /** `RollingUpdate` or `OnDelete` */
        readonly type?: string | undefined;
        readonly rollingUpdate?: RollingUpdateLimits | undefined;
      }
    | undefined;
  readonly minReadySeconds?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
}

/** How many nodes have their pod (apps/v1 DaemonSetStatus). */
export interface DaemonSetStatus {
  /** Nodes that should have a pod and have one. */
  readonly currentNumberScheduled?: number | undefined;
  /** Nodes that have a pod, and should not. */
  readonly numberMisscheduled?: number | undefined;
  /** Nodes that should have a pod. */
  readonly desiredNumberScheduled?: number | undefined;
  readonly numberReady?: number | undefined;
  readonly numberAvailable?: number | undefined;
  readonly numberUnavailable?: number | undefined;
  readonly updatedNumberScheduled?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly Condition[] | undefined;
}

/** An apps/v1 DaemonSet. */
export interface DaemonSet extends KubernetesObject {
  readonly spec?: DaemonSetSpec | undefined;
  readonly status?: DaemonSetStatus | undefined;
}
