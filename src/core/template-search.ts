import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { SearchWindow } from '../framework/node-search.ts';
import type { PodTemplate } from './pod-templates.ts';

/** The part of the nodes that a search for a pod of the template covers; null for all nodes. */
export function partialWindow({ profile }: PodTemplate, { nodeCount }: ClusterState): SearchWindow | null {
  return profile?.search.partialWindow(profile.percentageOfNodesToScore, nodeCount) ?? null;
}

/** All nodes, from the position on where a search for a pod of the template begins. */
export function wholeWindow({ profile }: PodTemplate, { nodeCount }: ClusterState): SearchWindow {
  return profile?.search.window(100, nodeCount) ?? { start: 0, wanted: nodeCount };
}

/** Advances the search by the nodes that were looked at: all, so that it ends where it began, or the only one. */
export function searched({ profile, specBesideNode }: PodTemplate, { nodeCount }: ClusterState): void {
  profile?.search.advance(specBesideNode === null ? nodeCount : 1, nodeCount);
}
