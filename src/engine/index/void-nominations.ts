import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { nominatedAhead } from '../../framework/runtime/framework.ts';
import type { SignatureIndex } from './signature-index.ts';
import type { SignatureTotals } from './signature-totals.ts';

/** Where pods are nominated for more nodes than this, a cycle answers, whose verdicts on them only follow changes. */
export const MOST_NOMINATED = 64;

/** Whether pods are nominated for more nodes than this. */
export function areNominationsMany(cluster: ClusterState, most: number): boolean {
  let count = 0;
  for (const _ of cluster.nominations()) if (++count > most) return true;
  return false;
}

/** What an engine has that decides by index. */
interface DecidingEngine {
  readonly index: SignatureIndex;
  readonly rareResourceNodes: { readonly hasOtherFilters: boolean };
}

/**
 * Whether nominated pods change nothing for the pod, because the totals of its signature reject each node for which
 * some are nominated that have its priority or a higher one. Filters are asked about such a node with the nominated
 * pods and without them, and must accept it both times. Pods that a run places only take more room, so that the answer
 * for a pod holds for all later ones of its signature in the run.
 */
export function areNominationsVoid(
  pod: PodInfo,
  totals: SignatureTotals,
  { index, rareResourceNodes }: DecidingEngine,
  cluster: ClusterState,
): boolean {
  if (!cluster.hasNominations) return true;
  if (!index.isOn || rareResourceNodes.hasOtherFilters) return false;
  if (areNominationsMany(cluster, MOST_NOMINATED)) return false;
  index.catchUp(totals.block);
  for (const { name, pods } of cluster.nominations()) {
    const node = nominatedAhead(pods, pod).length === 0 ? undefined : cluster.node(name);
    if (node !== undefined && totals.totalAt(node.slot) >= 0) return false;
  }
  return true;
}
