import { compileLabelSelector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import type { ReplicaSet, ReplicaSetStatus } from '../../api/workloads.ts';
import { isPodAvailable, nextAvailableMillis } from '../owned-pods/availability.ts';

export interface ObservedReplicas {
  readonly status: ReplicaSetStatus;
  /** When the next ready pod becomes available; undefined if all are. */
  readonly nextAvailableMillis: number | undefined;
}

/** The status of a ReplicaSet. Upstream: calculateStatus in pkg/controller/replicaset/replica_set_utils.go. */
export function observeReplicas(set: ReplicaSet, pods: readonly Pod[], nowMillis: number): ObservedReplicas {
  const { template, minReadySeconds = 0 } = set.spec ?? {};
  const byTemplate = compileLabelSelector({ matchLabels: template?.metadata?.labels ?? {} });
  let [fullyLabeled, ready, available] = [0, 0, 0];
  for (const pod of pods) {
    if ('matches' in byTemplate && byTemplate.matches(pod.metadata?.labels)) fullyLabeled++;
    if (isPodReady(pod)) ready++;
    if (isPodAvailable(pod, minReadySeconds, nowMillis)) available++;
  }
  return {
    status: {
      replicas: pods.length,
      fullyLabeledReplicas: fullyLabeled,
      readyReplicas: ready,
      availableReplicas: available,
      observedGeneration: set.metadata?.generation,
    },
    nextAvailableMillis: nextAvailableMillis(pods, minReadySeconds, nowMillis),
  };
}
