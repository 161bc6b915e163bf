import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { CycleState } from '../../framework/cycle-state.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { PodSignature } from '../index/pod-signature.ts';

/**
 * The state after PreFilter of all plugins, for filters that are asked by their own methods. PreFilter of the plugins
 * that a plan of topology rules replaces counts every pod, so that this is made only where somebody asks.
 */
export function attemptState(
  framework: Framework,
  cluster: ClusterState,
  pod: PodInfo,
  { state: known, attemptFilters }: PodSignature,
): CycleState {
  const state = new CycleState();
  framework.runPreFilter(state, pod, cluster);
  // The filters of which this attempt knows that they accept every node.
  for (const name of attemptFilters) if (known.skipFilter.has(name)) state.skipFilter.add(name);
  return state;
}
