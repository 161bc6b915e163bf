import {
  type Deployment,
  type DeploymentCondition,
  type DeploymentStatus,
  maxUnavailableOf,
} from '../../api/deployment.ts';
import type { Condition, Time } from '../../api/meta.ts';
import { millisOrZero, timeAtMillis } from '../../api/time.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { REPLICA_FAILURE } from '../replicaset/replica-status.ts';
import { sum } from './replica-sets.ts';

const NO_DEADLINE = 2 ** 31 - 1;
const AVAILABLE_REASON = 'NewReplicaSetAvailable';
const TIMED_OUT_REASON = 'ProgressDeadlineExceeded';

type NewCondition = Omit<DeploymentCondition, 'lastUpdateTime' | 'lastTransitionTime'>;

export function conditionOf({ conditions }: DeploymentStatus, type: string): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * The status with this condition. If the present one has the same status and reason it stays, with its times. Upstream:
 * SetDeploymentCondition.
 */
export function withCondition(status: DeploymentStatus, wanted: NewCondition, nowMillis: number): DeploymentStatus {
  return withConditionAt(status, wanted, timeAtMillis(nowMillis));
}

function withConditionAt(status: DeploymentStatus, wanted: NewCondition, time: Time | undefined): DeploymentStatus {
  const present = conditionOf(status, wanted.type);
  if (present?.status === wanted.status && present.reason === wanted.reason) return status;
  const lastTransitionTime = present?.status === wanted.status ? present.lastTransitionTime : time;
  const others = status.conditions?.filter(({ type }) => type !== wanted.type) ?? [];
  return { ...status, conditions: [...others, { ...wanted, lastUpdateTime: time, lastTransitionTime }] };
}

export function hasDeadline({ spec }: Deployment): boolean {
  return spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== NO_DEADLINE;
}

/** The counts and the condition `Available`. Upstream: calculateStatus in pkg/controller/deployment/sync.go. */
export function observedStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  nowMillis: number,
): DeploymentStatus {
  const { metadata, spec, status = {} } = deployment;
  const replicas = sum(sets, (set) => set.status?.replicas);
  const availableReplicas = sum(sets, (set) => set.status?.availableReplicas);
  const counted: DeploymentStatus = {
    observedGeneration: metadata?.generation,
    replicas,
    updatedReplicas: newSet?.status?.replicas ?? 0,
    readyReplicas: sum(sets, (set) => set.status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum(sets, (set) => set.spec?.replicas) - availableReplicas),
    ...(sets.every(({ status }) => status?.terminatingReplicas !== undefined) && {
      terminatingReplicas: sum(sets, (set) => set.status?.terminatingReplicas),
    }),
    ...(status.collisionCount !== undefined && { collisionCount: status.collisionCount }),
    ...(status.conditions && { conditions: status.conditions }),
  };
  const isEnough = availableReplicas >= (spec?.replicas ?? 1) - maxUnavailableOf(deployment);
  const [value, reason, text] = isEnough
    ? ['True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.']
    : ['False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'];
  return withCondition(counted, { type: 'Available', status: value, reason, message: text }, nowMillis);
}

/** Whether all pods are there, new and available. Upstream: DeploymentComplete. */
export function isComplete({ metadata, spec }: Deployment, status: DeploymentStatus): boolean {
  const { replicas = 1 } = spec ?? {};
  return (
    [status.updatedReplicas, status.replicas, status.availableReplicas].every((count) => (count ?? 0) === replicas) &&
    (status.observedGeneration ?? 0) >= (metadata?.generation ?? 0)
  );
}

/** Whether something has improved since. Upstream: DeploymentProgressing. */
function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const { updatedReplicas: updated = 0, replicas = 0, readyReplicas: ready = 0, availableReplicas = 0 } = after;
  return (
    updated > (before.updatedReplicas ?? 0) ||
    replicas - updated < (before.replicas ?? 0) - (before.updatedReplicas ?? 0) ||
    ready > (before.readyReplicas ?? 0) ||
    availableReplicas > (before.availableReplicas ?? 0)
  );
}

/**
 * The status with the condition `Progressing`: whether the update is complete, moves, or has not moved for too long.
 * Upstream: syncRolloutStatus in pkg/controller/deployment/progress.go.
 */
export function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  newSet: ReplicaSet | undefined,
  nowMillis: number,
): DeploymentStatus {
  const { metadata, status: before = {} } = deployment;
  const present = conditionOf(before, 'Progressing');
  if (!hasDeadline(deployment)) {
    return { ...status, conditions: status.conditions?.filter(({ type }) => type !== 'Progressing') };
  }
  const wasComplete = status.replicas === status.updatedReplicas && present?.reason === AVAILABLE_REASON;
  if (wasComplete) return status;
  const what = newSet === undefined ? `Deployment "${metadata?.name}"` : `ReplicaSet "${newSet.metadata?.name}"`;
  if (isComplete(deployment, status)) {
    const message = `${what} has successfully progressed.`;
    return withCondition(status, { type: 'Progressing', status: 'True', reason: AVAILABLE_REASON, message }, nowMillis);
  }
  if (hasProgressed(before, status)) return moved(status, present, `${what} is progressing.`, nowMillis);
  if (!isTimedOut(deployment, present, nowMillis)) return status;
  const message = `${what} has timed out progressing.`;
  return withCondition(status, { type: 'Progressing', status: 'False', reason: TIMED_OUT_REASON, message }, nowMillis);
}

/** The status after progress, which also starts the deadline anew. */
function moved(
  status: DeploymentStatus,
  present: DeploymentCondition | undefined,
  message: string,
  nowMillis: number,
): DeploymentStatus {
  const now = timeAtMillis(nowMillis);
  const lastTransitionTime = present?.status === 'True' ? present.lastTransitionTime : now;
  const others = status.conditions?.filter(({ type }) => type !== 'Progressing') ?? [];
  const times = { lastUpdateTime: now, lastTransitionTime };
  const condition = { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message, ...times };
  return { ...status, conditions: [...others, condition] };
}

/**
 * The status with the failure of a ReplicaSet as the Deployment's own: that of the new one before those of others.
 * Upstream: getReplicaFailures in pkg/controller/deployment/progress.go.
 */
export function withFailure(
  status: DeploymentStatus,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
): DeploymentStatus {
  const failure = failureOf(newSet) ?? sets.map(failureOf).find((found) => found !== undefined);
  if (failure !== undefined) {
    const { lastTransitionTime, ...condition } = failure;
    return withConditionAt(status, condition, lastTransitionTime);
  }
  if (conditionOf(status, REPLICA_FAILURE) === undefined) return status;
  return { ...status, conditions: status.conditions?.filter(({ type }) => type !== REPLICA_FAILURE) };
}

function failureOf(set: ReplicaSet | undefined): Condition | undefined {
  return set?.status?.conditions?.find(({ type }) => type === REPLICA_FAILURE);
}

/** Upstream: DeploymentTimedOut. */
function isTimedOut({ spec }: Deployment, present: DeploymentCondition | undefined, nowMillis: number): boolean {
  if (present === undefined || present.reason === AVAILABLE_REASON) return false;
  if (present.reason === TIMED_OUT_REASON) return true;
  return millisOrZero(present.lastUpdateTime) + (spec?.progressDeadlineSeconds ?? 0) * 1000 < nowMillis;
}

/** When the deadline must be looked at again; undefined if it no longer matters. Upstream: requeueStuckDeployment. */
export function deadlineMillis(deployment: Deployment, status: DeploymentStatus): number | undefined {
  const present = conditionOf(status, 'Progressing');
  if (!hasDeadline(deployment) || present === undefined || present.reason === TIMED_OUT_REASON) return undefined;
  if (isComplete(deployment, status)) return undefined;
  return millisOrZero(present.lastUpdateTime) + (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000 + 1000;
}
