import { type Deployment, maxUnavailableOf } from '../../api/deployment.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { byAge } from '../owned-pods/by-age.ts';
import { newReplicasOf, replicasOf, sum } from './replica-sets.ts';

/** A new size of a ReplicaSet. */
export interface Resize {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

/**
 * The next step of a rolling update: first the new ReplicaSet grows, then the old ones shrink, as far as the limits
 * allow. Upstream: pkg/controller/deployment/rolling.go.
 */
export function growNewSet(
  deployment: Deployment,
  newSet: ReplicaSet,
  oldSets: readonly ReplicaSet[],
): Resize | undefined {
  const { replicas = 1 } = deployment.spec ?? {};
  const present = replicasOf(newSet);
  if (present === replicas) return undefined;
  const wanted = present > replicas ? replicas : newReplicasOf(deployment, [...oldSets, newSet], newSet);
  return wanted === present ? undefined : { set: newSet, replicas: wanted };
}

/** Upstream: reconcileOldReplicaSets. */
export function shrinkOldSets(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  oldSets: readonly ReplicaSet[],
): readonly Resize[] {
  if (sum(oldSets, replicasOf) === 0) return [];
  const { replicas = 1 } = deployment.spec ?? {};
  const minAvailable = replicas - maxUnavailableOf(deployment);
  const all = newSet === undefined ? oldSets : [...oldSets, newSet];
  // Pods of the new ReplicaSet that are not available yet could still fail, so they do not count.
  const newUnavailable = newSet === undefined ? 0 : replicasOf(newSet) - (newSet.status?.availableReplicas ?? 0);
  const spare = sum(all, replicasOf) - minAvailable - newUnavailable;
  if (spare <= 0) return [];
  const sorted = oldSets.toSorted(byAge);
  const sizes = new Map(sorted.map((set) => [set, replicasOf(set)]));
  takeUnavailable(sizes, spare);
  takeAvailable(sizes, sum(all, ({ status }) => status?.availableReplicas) - minAvailable);
  return sorted.flatMap((set) => {
    const size = sizes.get(set) ?? 0;
    return size === replicasOf(set) ? [] : [{ set, replicas: size }];
  });
}

/** Takes pods that serve nobody, so that they cannot block the update. Upstream: cleanupUnhealthyReplicas. */
function takeUnavailable(sizes: Map<ReplicaSet, number>, most: number): void {
  let left = most;
  for (const [set, size] of sizes) {
    const taken = Math.max(0, Math.min(left, size - (set.status?.availableReplicas ?? 0)));
    sizes.set(set, size - taken);
    left -= taken;
  }
}

/** Takes pods that can be spared. Upstream: scaleDownOldReplicaSetsForRollingUpdate. */
function takeAvailable(sizes: Map<ReplicaSet, number>, most: number): void {
  let left = Math.max(0, most);
  for (const [set, size] of sizes) {
    const taken = Math.min(left, size);
    sizes.set(set, size - taken);
    left -= taken;
  }
}
