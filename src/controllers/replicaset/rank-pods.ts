import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { goSort } from '../../lib/go-sort.ts';
import { goesBefore } from '../job/rank-pods.ts';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const COST = /^(?:0|-?[1-9]\d{0,9})$/;

/**
 * The pods to delete, those whose loss matters least first: without a node, not ready, of low deletion cost, on a node
 * with many pods of the set, younger ones.
 *
 * Upstream: getPodsToDelete in pkg/controller/replicaset/replica_set.go, ActivePodsWithRanks in
 * pkg/controller/controller_utils.go; times are compared exactly, not by orders of magnitude.
 */
export function podsToDelete(activePods: readonly Pod[], count: number): readonly Pod[] {
  if (count >= activePods.length) return activePods;
  const podsOnNode = new Map<string, number>();
  for (const { spec } of activePods) {
    const nodeName = spec?.nodeName ?? '';
    podsOnNode.set(nodeName, (podsOnNode.get(nodeName) ?? 0) + 1);
  }
  const ranked = activePods.map((pod) => ({
    pod,
    stage: stageOf(pod),
    cost: deletionCostOf(pod),
    neighbours: podsOnNode.get(pod.spec?.nodeName ?? '') ?? 0,
  }));
  goSort(ranked, (a, b) => {
    if (a.stage !== b.stage) return a.stage < b.stage;
    if (a.cost !== b.cost) return a.cost < b.cost;
    if (a.neighbours !== b.neighbours) return a.neighbours > b.neighbours;
    return goesBefore(a.pod, b.pod);
  });
  return ranked.slice(0, count).map(({ pod }) => pod);
}

/** The stage of a pod: without a node, pending, unknown, running, ready. */
function stageOf({ spec, status }: Pod): number {
  if (!spec?.nodeName) return 0;
  if (status?.phase === 'Running') return isPodReady({ status }) ? 4 : 3;
  return status?.phase === 'Unknown' ? 2 : 1;
}

/** The pod's deletion cost; an invalid text counts as 0. */
function deletionCostOf({ metadata }: Pod): number {
  const text = metadata?.annotations?.[DELETION_COST];
  return text !== undefined && COST.test(text) ? Number(text) : 0;
}
