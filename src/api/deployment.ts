import { type IntOrPercent, scaledValue } from './int-or-percent.ts';
import type { LabelSelector } from './label-selector.ts';
import type { Condition, KubernetesObject, Time } from './meta.ts';
import type { PodTemplate } from './pod-template.ts';

/** The label of pods and ReplicaSets of a Deployment: a hash of their template. */
export const POD_TEMPLATE_HASH_KEY = 'pod-template-hash';
/** An annotation of a Deployment and of its ReplicaSets: which revision of the template they have. */
export const REVISION_KEY = 'deployment.kubernetes.io/revision';

/** Which pods a Deployment keeps, and how it replaces them (apps/v1 DeploymentSpec). */
export interface DeploymentSpec {
  /** The wanted number of pods; absent: 1. */
  readonly replicas?: number | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly template?: PodTemplate | undefined;
  readonly strategy?:
    | {
        /** `RollingUpdate` or `Recreate` */
        readonly type?: string | undefined;
        readonly rollingUpdate?: RollingUpdateLimits | undefined;
      }
    | undefined;
  readonly minReadySeconds?: number | undefined;
  /** How many old ReplicaSets are kept. */
  readonly revisionHistoryLimit?: number | undefined;
  readonly paused?: boolean | undefined;
  /** After how long without progress a rollout counts as failed. */
  readonly progressDeadlineSeconds?: number | undefined;
}

/** By how many pods an update may exceed the wanted number, and fall below it. */
export interface RollingUpdateLimits {
  readonly maxSurge?: IntOrPercent | undefined;
  readonly maxUnavailable?: IntOrPercent | undefined;
}

/** A condition of type `Available`, `Progressing` or `ReplicaFailure`. */
export interface DeploymentCondition extends Condition {
  readonly lastUpdateTime?: Time | undefined;
}

/** How far a Deployment is (apps/v1 DeploymentStatus). */
export interface DeploymentStatus {
  readonly observedGeneration?: number | undefined;
  readonly replicas?: number | undefined;
  readonly updatedReplicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  readonly unavailableReplicas?: number | undefined;
  /** Pods that are being deleted, and have not ended yet; absent while a ReplicaSet has not counted its own. */
  readonly terminatingReplicas?: number | undefined;
  readonly conditions?: readonly DeploymentCondition[] | undefined;
  /** How often the name of a new ReplicaSet was taken; it is part of the hash. */
  readonly collisionCount?: number | undefined;
}

/** An apps/v1 Deployment. */
export interface Deployment extends KubernetesObject {
  readonly spec?: DeploymentSpec | undefined;
  readonly status?: DeploymentStatus | undefined;
}

/** By how many pods a rolling update may exceed the wanted number; 0 with another strategy. */
export function maxSurgeOf(deployment: Deployment): number {
  return isRolling(deployment) ? fencepostsOf(deployment).surge : 0;
}

/** How many pods may be unavailable during a rolling update; never more than there are to be. */
export function maxUnavailableOf(deployment: Deployment): number {
  const { replicas = 1 } = deployment.spec ?? {};
  return isRolling(deployment) && replicas > 0 ? Math.min(fencepostsOf(deployment).unavailable, replicas) : 0;
}

export function isRolling({ spec }: Deployment): boolean {
  return (spec?.strategy?.type || 'RollingUpdate') === 'RollingUpdate';
}

/**
 * The limits as numbers; at least one of them is above 0, or no update would come to an end. Upstream:
 * ResolveFenceposts in pkg/controller/deployment/util/deployment_util.go.
 */
function fencepostsOf({ spec }: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { replicas = 1, strategy } = spec ?? {};
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge, replicas, 'up');
  const unavailable = scaledValue(maxUnavailable, replicas, 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}
