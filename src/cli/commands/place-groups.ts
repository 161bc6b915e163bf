import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { podGroupNameOf } from '../../api/pod-group.ts';
import { PodGroupScheduler } from '../../cluster/pod-group-scheduler.ts';
import { featureGates } from '../../config/feature-gates.ts';
import type { Explanation } from '../../core/decision/result.ts';
import type { SchedulerOptions } from '../../core/scheduler-options.ts';
import { CodedError } from '../../lib/errors.ts';
import { whole } from '../../lib/shown-count.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { loadCluster } from '../../manifests/load-cluster.ts';
import type { PodSelection } from '../../manifests/pod-selection.ts';
import type { ShownPlacement } from '../output/placements.ts';

/** Whether pods are scheduled as groups: the gate is on, and some of them name a group. */
export function schedulesGroups(
  { featureGates: given, configuration }: Pick<SchedulerOptions, 'featureGates' | 'configuration'>,
  { pending }: PodSelection,
): boolean {
  return featureGates(given, configuration).GenericWorkload && pending.some((pod) => podGroupNameOf(pod) !== '');
}

/** A warning about groups that do not count because their gate is off. */
export function ignoredGroups(
  { featureGates: given, configuration }: Pick<SchedulerOptions, 'featureGates' | 'configuration'>,
  { pending }: PodSelection,
): string[] {
  if (featureGates(given, configuration).GenericWorkload) return [];
  const count = pending.filter((pod) => podGroupNameOf(pod) !== '').length;
  if (count === 0) return [];
  const pods = count === 1 ? '1 pod' : `${whole(count)} pods`;
  return [`spec.schedulingGroup of ${pods} is ignored (--feature-gates GenericWorkload=true,GangScheduling=true)`];
}

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
