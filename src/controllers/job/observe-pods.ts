import type { Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import { countPods, type PodCounts } from './count-pods.ts';
import { findIndexes } from './job-indexes.ts';
import type { JobMemory } from './job-memory.ts';
import { planOf } from './job-plan.ts';
import { statusOf } from './job-status.ts';
import type { SyncIndexes } from './job-sync.ts';
import { factsOf } from './pod-facts.ts';

/** The counts that follow from a Job's pods and its status. */
export interface ObservedPods {
  readonly counts: PodCounts;
  /** The indexes of an indexed Job. */
  readonly indexes: SyncIndexes | undefined;
}

/** The last observation and its inputs; it is reused while the inputs are the same. */
export interface Observation extends ObservedPods {
  readonly job: Job;
  readonly pods: readonly Pod[];
}

/**
 * Observes a Job's pods. Objects and lists of the cache are never changed, only replaced, so most syncs reuse the last
 * observation.
 */
export function observePods(
  memory: JobMemory,
  key: string,
  job: Job,
  pods: readonly Pod[],
  awaitingRemoval: ReadonlySet<string>,
): ObservedPods {
  const last = memory.observations.get(key);
  const isRepeatable = awaitingRemoval.size === 0;
  if (isRepeatable && last?.job === job && last.pods === pods) return last;
  const plan = planOf(job);
  const { uncountedTerminatedPods = {}, ...status } = statusOf(job);
  const { succeeded = [], failed = [] } = uncountedTerminatedPods;
  const facts = factsOf(pods, memory.podFacts.get(key));
  memory.podFacts.set(key, facts);
  const counts = countPods(pods, plan, { succeeded, failed }, awaitingRemoval, facts);
  const indexes =
    plan.indexes === undefined ? undefined : findIndexes(plan, status, pods, counts.activePods, awaitingRemoval);
  const observed = { job, pods, counts, indexes };
  if (isRepeatable) memory.observations.set(key, observed);
  else memory.observations.delete(key);
  return observed;
}
