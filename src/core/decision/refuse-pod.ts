import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { withoutExtenderCalls } from '../../framework/extender-calls.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { PostFilterAttempt } from '../../framework/post-filter.ts';
import { runPostFilter } from '../../framework/runtime/run-post-filter.ts';
import type { Profile } from './profile.ts';
import { withPostFilter } from './schedule-pod.ts';

/**
 * The text of the event for a pod that what is kept for pods like it rejects on every node, and for which no PostFilter
 * plugin of ours finds a node; null if a cycle has to decide.
 */
export function refusalOf(
  { engine: { indexed }, framework, preemption, search }: Profile,
  pod: PodInfo,
  cluster: ClusterState,
): string | null {
  if (indexed === null || pod.nominatedNodeName !== '') return null;
  cluster.updateSnapshot();
  const isOver = !preemption || framework.postFilterPlugins.length === 0;
  const refusal = indexed.refusals.of(pod, isOver);
  if (refusal === null) return null;
  // Victims are sought among pods that the cycle counts.
  if (!isOver && refusal.hasCandidates && pod.pod.spec?.preemptionPolicy !== 'Never') return null;
  search.advance(cluster.nodeCount, cluster.nodeCount);
  if (isOver) return refusal.message;
  const context = new PostFilterAttempt(refusal, {
    framework,
    pod,
    statuses: refusal.nodeStatuses(),
    draw: () => 0,
    explain: false,
    processPreemption: undefined,
  });
  const outcome = withoutExtenderCalls(runPostFilter(framework.postFilterPlugins, context, null));
  return withPostFilter(refusal.message, outcome);
}
