import { podKey } from '../../api/object-name.ts';
import type { Pod } from '../../api/pod.ts';
import { PodGroupScheduler } from '../../cluster/pod-group-scheduler.ts';
import type { SchedulerOptions } from '../../core/scheduler-options.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { loadCluster } from '../../manifests/load-cluster.ts';
import type { PodSelection } from '../../manifests/pod-selection.ts';
import { findRemedies } from '../../what-if/remedies/find-remedies.ts';
import { groupTrial } from '../../what-if/remedies/remedy-trial.ts';
import type { Pause } from '../../what-if/trial.ts';
import type { ExplainedPod } from '../output/explained-pod.ts';
import { schedulesGroups } from './groups-of-input.ts';

/**
 * Lets all pending pods go through the queue of a scheduler, as `schedule` does where there are groups, and explains
 * how it stands with the pod and its group then. Null where pods are scheduled one by one, or the pod is on a node.
 *
 * @param pause null if no remedies are wanted
 */
export async function explainedInGroup(
  options: SchedulerOptions,
  cluster: ClusterManifest,
  selection: PodSelection,
  pod: Pod,
  pause: Pause | null,
): Promise<ExplainedPod | null> {
  if (pod.spec?.nodeName || !schedulesGroups(options, selection)) return null;
  const scheduler = new PodGroupScheduler({ ...options, validate: false });
  loadCluster(scheduler, cluster, { ...selection, pending: [] });
  scheduler.scheduleBatch(selection.pending);
  scheduler.settle();
  const { group, explanation: inGroup } = scheduler.explainInGroup(pod);
  const explanation = inGroup ?? scheduler.explain(pod);
  const node = scheduler.nodeOf(pod);
  // A group that waits for more pods has no place for want of them.
  const hasNoPlace = group === null ? node === null && explanation?.status !== 'scheduled' : group.hasPlace === false;
  const isSought = pause !== null && hasNoPlace && explanation !== undefined;
  const remedies = isSought ? await findRemedies(groupTrial(scheduler, pod), pause) : null;
  scheduler.close();
  if (explanation === undefined) return null;
  return { pod: podKey(pod), node, ...(group !== null && { group }), explanation, remedies };
}
