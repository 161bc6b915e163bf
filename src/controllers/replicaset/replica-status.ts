import { compileLabelSelector } from '../../api/label-selector.ts';
import type { Condition } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { timeAtMillis } from '../../api/time.ts';
import type { ReplicaSet, ReplicaSetStatus } from '../../api/workloads.ts';
import { messageOf } from '../job/sync-error.ts';
import { isPodAvailable, nextAvailableMillis } from '../owned-pods/availability.ts';
import type { Outcome } from '../owned-pods/pod-writes.ts';

/** The condition of a ReplicaSet, and of its Deployment, whose pods could not be created or deleted. */
export const REPLICA_FAILURE = 'ReplicaFailure';

/** What a sync of a ReplicaSet has found and done. */
export interface ReplicaSync {
  /** Pods that are neither finished nor being deleted. */
  readonly active: readonly Pod[];
  /** How many pods are being deleted, and have not ended yet. */
  readonly terminatingCount: number;
  /** The first pod that could not be created or deleted. */
  readonly failure: Outcome;
  readonly nowMillis: number;
}

export interface ObservedReplicas {
  readonly status: ReplicaSetStatus;
  /** When the next ready pod becomes available; undefined if all are. */
  readonly nextAvailableMillis: number | undefined;
}

/** The status of a ReplicaSet. Upstream: calculateStatus in pkg/controller/replicaset/replica_set_utils.go. */
export function observeReplicas(set: ReplicaSet, sync: ReplicaSync): ObservedReplicas {
  const { active, terminatingCount, nowMillis } = sync;
  const { template, minReadySeconds = 0 } = set.spec ?? {};
  const byTemplate = compileLabelSelector({ matchLabels: template?.metadata?.labels ?? {} });
  let [fullyLabeled, ready, available] = [0, 0, 0];
  for (const pod of active) {
    if ('matches' in byTemplate && byTemplate.matches(pod.metadata?.labels)) fullyLabeled++;
    if (isPodReady(pod)) ready++;
    if (isPodAvailable(pod, minReadySeconds, nowMillis)) available++;
  }
  const conditions = conditionsOf(set, sync);
  return {
    status: {
      replicas: active.length,
      fullyLabeledReplicas: fullyLabeled,
      readyReplicas: ready,
      availableReplicas: available,
      terminatingReplicas: terminatingCount,
      observedGeneration: set.metadata?.generation,
      ...(conditions.length > 0 && { conditions }),
    },
    nextAvailableMillis: nextAvailableMillis(active, minReadySeconds, nowMillis),
  };
}

/** A failure stays as it was first noted, until pods are created or deleted without one. */
function conditionsOf({ spec, status }: ReplicaSet, { active, failure, nowMillis }: ReplicaSync): readonly Condition[] {
  const { conditions = [] } = status ?? {};
  if (failure === undefined) return conditions.filter(({ type }) => type !== REPLICA_FAILURE);
  if (conditions.some(({ type }) => type === REPLICA_FAILURE)) return conditions;
  const noted = {
    ...{ type: REPLICA_FAILURE, status: 'True', lastTransitionTime: timeAtMillis(nowMillis) },
    reason: active.length < (spec?.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete',
    message: messageOf(failure.error),
  };
  return [...conditions, noted];
}
