import type { Job } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import { timeAtMillis } from '../../api/time.ts';
import { nextBackOffRecord } from './back-off.ts';
import { countNotIgnored } from './count-pods.ts';
import type { JobMemory } from './job-memory.ts';
import { planOf } from './job-plan.ts';
import { statusOf } from './job-status.ts';
import type { JobSync, WorkingStatus } from './job-sync.ts';
import { observePods } from './observe-pods.ts';

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
