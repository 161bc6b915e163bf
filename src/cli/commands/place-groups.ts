import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { PodGroupScheduler } from '../../cluster/pod-group-scheduler.ts';
import type { Explanation } from '../../core/decision/result.ts';
import type { SchedulerOptions } from '../../core/scheduler-options.ts';
import { CodedError } from '../../lib/errors.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { loadCluster } from '../../manifests/load-cluster.ts';
import type { PodSelection } from '../../manifests/pod-selection.ts';
import type { ShownPlacement } from '../output/placements.ts';

interface GroupInput {
  readonly options: SchedulerOptions;
  readonly cluster: ClusterManifest;
  readonly selection: PodSelection;
  /** A pod about which the verdicts are wanted at the end. */
  readonly explained: Pod | null;
}

/** Places all pending pods as the queue of a scheduler would, groups as a whole. */
export function placeGroups({ options, cluster, selection, explained }: GroupInput): {
  readonly placements: readonly ShownPlacement[];
  readonly explanation: Explanation | null;
} {
  const { bound, pending } = selection;
  if (options.configuration?.extenders.length) {
    throw new CodedError('Usage', 'extenders[0]: HTTP extenders are not asked about groups of pods');
  }
  const scheduler = new PodGroupScheduler(options);
  loadCluster(scheduler, cluster, { ...selection, pending: [] });
  scheduler.scheduleBatch(pending);
  scheduler.settle();
  const explanation = explained === null ? null : (scheduler.explain(explained) ?? null);
  const preemptors = new Map<string, string>();
  for (const { preemptor, victims } of scheduler.evictions) {
    for (const victim of victims) preemptors.set(podKey(victim), podKey(preemptor));
  }
  const placementOf = (pod: Pod, formerNode: string | undefined): ShownPlacement => {
    const [node, preemptedBy] = [scheduler.nodeOf(pod), preemptors.get(podKey(pod))];
    if (node !== null) return { pod, result: { status: 'scheduled', node }, preemption: null };
    if (preemptedBy === undefined) return { pod, result: scheduler.failureOf(pod), preemption: null };
    return { pod, result: { status: 'preempted', node: formerNode ?? '', preemptedBy }, preemption: null };
  };
  const victims = bound.filter((pod) => scheduler.nodeOf(pod) === null);
  const placements = [
    ...pending.map((pod) => placementOf(pod, undefined)),
    ...victims.map((pod) => placementOf(pod, pod.spec?.nodeName)),
  ];
  scheduler.close();
  return { placements, explanation };
}
