import { isJobFinished, type Job, trueConditionOf } from '../../api/job.ts';
import { millisOfTime } from '../../api/time.ts';
import { CodedError } from '../../lib/errors.ts';

/** Whether the Job has ended, has a time to live, and is not being deleted yet. */
export function needsCleanup(job: Job): boolean {
  return job.spec?.ttlSecondsAfterFinished !== undefined && isJobFinished(job) && !job.metadata?.deletionTimestamp;
}

/**
 * Milliseconds until the Job's time to live is over; 0 or less when it is. Only for Jobs that need cleanup.
 *
 * @throws CodedError `NoFinishTime` when its condition does not say when it ended
 */
export function millisLeft(job: Job, nowMillis: number): number {
  const ttlMillis = (job.spec?.ttlSecondsAfterFinished ?? 0) * 1000;
  return finishMillis(job) + ttlMillis - nowMillis;
}

function finishMillis(job: Job): number {
  const condition = trueConditionOf(job, 'Complete') ?? trueConditionOf(job, 'Failed');
  const time = condition?.lastTransitionTime;
  if (time) return millisOfTime(time);
  const what = `job ${job.metadata?.namespace}/${job.metadata?.name}: status.conditions`;
  throw new CodedError('NoFinishTime', `${what}: nothing says when it became ${condition?.type}`);
}
