import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { withoutExtenderCalls } from '../../framework/extender-calls.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { PostFilterAttempt } from '../../framework/post-filter.ts';
import { runPostFilter } from '../../framework/runtime/run-post-filter.ts';
import type { Profile } from './profile.ts';
import { type Decision, noFitDecision } from './schedule-pod.ts';

/**
 * The decision for a pod that what is kept for pods like it rejects on every node, after PostFilter plugins of ours
 * have looked for a node; null if a cycle has to decide.
 */
export function refusePod(
  { engine: { indexed }, framework, preemption, search }: Profile,
  pod: PodInfo,
  cluster: ClusterState,
): Decision | null {
  if (indexed === null || pod.nominatedNodeName !== '') return null;
  cluster.updateSnapshot();
  const isOver = !preemption || framework.postFilterPlugins.length === 0;
  const refusal = indexed.refusals.of(pod, isOver);
  if (refusal === null) return null;
  // Dry runs on copies of nodes need the state of a cycle.
  const isTried = !isOver && refusal.hasCandidates && pod.pod.spec?.preemptionPolicy !== 'Never';
  if (isTried && refusal.tallied === null) return null;
  search.advance(cluster.nodeCount, cluster.nodeCount);
  const { message } = refusal;
  if (isOver) return noFitDecision({ message, postFilter: null, diagnosis: null });
  const context = new PostFilterAttempt(refusal, {
    framework,
    pod,
    statuses: refusal.nodeStatuses(),
    draw: () => 0,
    explain: false,
    processPreemption: undefined,
  });
  const postFilter = withoutExtenderCalls(runPostFilter(framework.postFilterPlugins, context, null));
  return noFitDecision({ message, postFilter, diagnosis: null });
}
