import type { SubjectFactory } from '../../benchmark/subject.ts';
import { PodGroupScheduler } from '../../cluster/pod-group-scheduler.ts';
import { Scheduler } from '../../core/scheduler.ts';

/** The scheduler of a benchmark: the embedder's, but pods of groups need a queue and all that is around it. */
export const benchSubject: SubjectFactory = (options, { others = [] }) => {
  const hasGroups = options.featureGates?.GenericWorkload === true && others.some(({ kind }) => kind === 'PodGroup');
  return hasGroups ? new PodGroupScheduler(options) : new Scheduler(options);
};
