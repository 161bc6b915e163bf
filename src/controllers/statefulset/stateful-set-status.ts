import type { ControllerRevision } from '../../api/controller-revision.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import type { StatefulSet, StatefulSetStatus } from '../../api/stateful-set.ts';
import { isPodAvailable } from '../owned-pods/availability.ts';
import { nameOf } from '../revisions/controller-revisions.ts';
import { podRevisionOf } from './stateful-pod.ts';

/** The revision that pods had before an update, and the one that they are to have. */
export interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isPodReady(pod);
}

export function isTerminatingPod({ metadata }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined;
}

export function isRunningAndAvailable(pod: Pod, minReadySeconds: number, nowMillis: number): boolean {
  return isRunningAndReady(pod) && isPodAvailable(pod, minReadySeconds, nowMillis);
}

/** Upstream: updateStatus and completeRollingUpdate in pkg/controller/statefulset. */
export function observedStatefulStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  { current, update, collisionCount }: Revisions,
  nowMillis: number,
): StatefulSetStatus {
  const { minReadySeconds = 0, updateStrategy } = set.spec ?? {};
  const count = (isCounted: (pod: Pod) => boolean) => pods.filter(isCounted).length;
  const ofRevision = (revision: ControllerRevision) =>
    count((pod) => !isTerminatingPod(pod) && podRevisionOf(pod) === nameOf(revision));
  const status = {
    observedGeneration: set.metadata?.generation,
    replicas: pods.length,
    readyReplicas: count(isRunningAndReady),
    availableReplicas: count((pod) => isRunningAndAvailable(pod, minReadySeconds, nowMillis)),
    currentReplicas: ofRevision(current),
    updatedReplicas: ofRevision(update),
    currentRevision: nameOf(current),
    updateRevision: nameOf(update),
    collisionCount,
  };
  const { replicas, readyReplicas, updatedReplicas } = status;
  const isDone = updatedReplicas === replicas && readyReplicas === replicas && replicas === (set.spec?.replicas ?? 1);
  if (updateStrategy?.type === 'OnDelete' || !isDone) return status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: status.updateRevision };
}
