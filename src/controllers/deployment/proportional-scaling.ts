import { type Deployment, isRolling, maxSurgeOf } from '../../api/deployment.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { byAge } from '../owned-pods/by-age.ts';
import { desiredReplicasOf, maxReplicasOf, replicasOf, sum } from './replica-sets.ts';
import type { Resize } from './rolling-update.ts';

/**
 * The new sizes of the ReplicaSets of a Deployment whose wanted number has changed; in the middle of an update all grow
 * or shrink in proportion. Upstream: scale in pkg/controller/deployment/sync.go.
 */
export function scaledSets(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  oldSets: readonly ReplicaSet[],
): readonly Resize[] {
  const { replicas = 1 } = deployment.spec ?? {};
  const single = onlySetOf(newSet, oldSets);
  if (single !== undefined) return replicasOf(single) === replicas ? [] : [{ set: single, replicas }];
  const activeOld = oldSets.filter((set) => replicasOf(set) > 0);
  if (newSet !== undefined && isSaturated(deployment, newSet)) {
    return activeOld.map((set) => ({ set, replicas: 0 }));
  }
  if (!isRolling(deployment)) return [];
  const active = [...activeOld, ...(newSet !== undefined && replicasOf(newSet) > 0 ? [newSet] : [])];
  const allowed = replicas > 0 ? replicas + maxSurgeOf(deployment) : 0;
  const missing = allowed - sum(active, replicasOf);
  // The largest come first; of equal ones the newer when scaling up, the older when scaling down.
  const age = missing > 0 ? -1 : 1;
  const sorted = active.toSorted((a, b) => replicasOf(b) - replicasOf(a) || age * byAge(a, b));
  return proportional(deployment, sorted, missing);
}

/** The only ReplicaSet with pods, or the newest when none has pods; undefined when several have. */
function onlySetOf(newSet: ReplicaSet | undefined, oldSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const active = [...oldSets, ...(newSet === undefined ? [] : [newSet])].filter((set) => replicasOf(set) > 0);
  if (active.length === 0) return newSet ?? oldSets.toSorted(byAge).at(-1);
  return active.length === 1 ? active[0] : undefined;
}

function isSaturated({ spec }: Deployment, newSet: ReplicaSet): boolean {
  const { replicas = 1 } = spec ?? {};
  const isFull = replicasOf(newSet) === replicas && newSet.status?.availableReplicas === replicas;
  return isFull && desiredReplicasOf(newSet) === replicas;
}

function proportional(deployment: Deployment, sets: readonly ReplicaSet[], missing: number): readonly Resize[] {
  let added = 0;
  const sizes = sets.map((set) => {
    const left = missing - added;
    const share = left === 0 ? 0 : shareOf(deployment, set);
    const taken = missing > 0 ? Math.min(share, left) : Math.max(share, left);
    added += taken;
    return replicasOf(set) + taken;
  });
  // What rounding has left goes to the largest.
  return sets.map((set, i) => ({ set, replicas: Math.max(0, (sizes[i] ?? 0) + (i === 0 ? missing - added : 0)) }));
}

/** By how much the ReplicaSet would change alone. Upstream: getReplicaSetFraction. */
function shareOf(deployment: Deployment, set: ReplicaSet): number {
  const { replicas = 1 } = deployment.spec ?? {};
  const size = replicasOf(set);
  if (replicas === 0) return -size;
  const before = maxReplicasOf(set) || (deployment.status?.replicas ?? 0);
  if (before === 0) return 0;
  return Math.round((size * (replicas + maxSurgeOf(deployment))) / before) - size;
}
