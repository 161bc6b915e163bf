import type { Pod } from '../../api/pod.ts';
import { isPodReady } from '../../api/pod-conditions.ts';
import { goSort } from '../../lib/go-sort.ts';
import { isActive, uidOf } from '../job/pod-state.ts';
import { goesBefore, type IsLater, isLaterOrUnknown } from '../job/rank-pods.ts';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const COST = /^(?:0|-?[1-9]\d{0,9})$/;

/**
 * The pods to delete, those whose loss matters least first: without a node, not ready, of low deletion cost, on a node
 * with many related pods, younger ones.
 *
 * Upstream: getPodsToDelete in pkg/controller/replicaset/replica_set.go, ActivePodsWithRanks in
 * pkg/controller/controller_utils.go.
 *
 * `related`: the pods of all sets that the controller of the set has; none, if the set has no controller. `nowMillis`:
 * undefined where ages are compared exactly, not by orders of magnitude.
 */
export function podsToDelete(
  activePods: readonly Pod[],
  count: number,
  related: readonly Pod[],
  nowMillis: number | undefined,
): readonly Pod[] {
  if (count >= activePods.length) return activePods;
  const podsOnNode = new Map<string, number>();
  for (const pod of related) {
    const nodeName = pod.spec?.nodeName ?? '';
    if (isActive(pod)) podsOnNode.set(nodeName, (podsOnNode.get(nodeName) ?? 0) + 1);
  }
  const isLater: IsLater = (millis, other, a, b) => {
    if (millis === undefined || other === undefined || nowMillis === undefined) return isLaterOrUnknown(millis, other);
    const difference = magnitudeOf(nowMillis - millis) - magnitudeOf(nowMillis - other);
    return difference === 0 ? uidOf(a) < uidOf(b) : difference < 0;
  };
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
    return goesBefore(a.pod, b.pod, isLater);
  });
  return ranked.slice(0, count).map(({ pod }) => pod);
}

/** The order of magnitude of an age. Ages of one magnitude are alike, so that not all the youngest pods go together. */
function magnitudeOf(millis: number): number {
  return millis > 0 ? Math.trunc(Math.log2(millis * 1e6)) : -1;
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
