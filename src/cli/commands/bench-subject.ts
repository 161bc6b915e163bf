import type { SchedulerOptions, SubjectFactory } from '../../benchmark/subject.ts';
import { PodGroupScheduler } from '../../cluster/pod-group-scheduler.ts';
import { featureGates } from '../../config/feature-gates.ts';
import { Scheduler } from '../../core/scheduler.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';

/** Whether pods of the cluster have to be scheduled as groups. */
function hasGroups(
  { featureGates: given, configuration }: SchedulerOptions,
  { others = [] }: ClusterManifest,
): boolean {
  return featureGates(given, configuration).GenericWorkload && others.some(({ kind }) => kind === 'PodGroup');
}

/** The scheduler of a benchmark: the embedder's, but pods of groups need a queue and all that is around it. */
export const benchSubject: SubjectFactory = (options, cluster) =>
  hasGroups(options, cluster) ? new PodGroupScheduler(options) : new Scheduler(options);
