import type { Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import { timeAtMillis } from '../../api/time.ts';
import { nextBackOffRecord } from './back-off.ts';
import { countNotIgnored, countPods, type PodCounts } from './count-pods.ts';
import { findIndexes } from './job-indexes.ts';
import type { JobMemory } from './job-memory.ts';
import { planOf } from './job-plan.ts';
import { statusOf } from './job-status.ts';
import type { JobSync, SyncIndexes, WorkingStatus } from './job-sync.ts';
import { factsOf } from './pod-state.ts';

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
function observePods(
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

const NO_UIDS: readonly string[] = [];

/** The state with which a sync begins: the Job, its pods, and the counts that follow from both. It changes nothing. */
export function observeJob(memory: JobMemory, key: string, job: Job, pods: readonly Pod[], nowMillis: number): JobSync {
  const plan = planOf(job);
  const status: WorkingStatus = { ...statusOf(job) };
  const { succeeded = NO_UIDS, failed = NO_UIDS } = status.uncountedTerminatedPods ?? {};
  const uncounted = { succeeded, failed };
  const awaitingRemoval = memory.finalizerRemovals.get(key);
  const { counts, indexes } = observePods(memory, key, job, pods, awaitingRemoval);
  const { activePods, heldPods, ready, terminating, newSucceeded, newFailed } = counts;
  return {
    key,
    job,
    plan,
    nowMillis,
    status,
    uncounted,
    isStarting: start(status, plan.isSuspended, nowMillis),
    pods,
    activePods,
    heldPods,
    awaitingRemoval,
    active: activePods.length,
    ready,
    terminating,
    succeeded: indexes?.succeeded.total ?? (status.succeeded ?? 0) + newSucceeded.length + succeeded.length,
    failed: (status.failed ?? 0) + countNotIgnored(newFailed, plan) + failed.length,
    indexes,
    backOff: nextBackOffRecord(memory.backOffRecords.get(key), newSucceeded, newFailed),
    ending: undefined,
  };
}

/** Starts the Job, unless it has started before or is suspended. Returns whether it did. */
function start(status: WorkingStatus, isSuspended: boolean, nowMillis: number): boolean {
  if (status.startTime !== undefined || isSuspended) return false;
  status.startTime = timeAtMillis(nowMillis);
  return true;
}
