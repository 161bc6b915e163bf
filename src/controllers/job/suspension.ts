import { timeAtMillis } from '../../api/time.ts';
import { newCondition, withCondition } from './conditions.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';

/**
 * Records in the status, and in an event, that the Job was suspended or resumed. A suspended Job has no start time; it
 * gets a new one when it resumes. Returns whether this is a change.
 */
export function recordSuspension(writes: JobWrites, sync: JobSync): boolean {
  const { job, plan, status, nowMillis } = sync;
  const { isSuspended } = plan;
  const wasEverSuspended = status.conditions?.some(({ type }) => type === 'Suspended');
  if (!isSuspended && !wasEverSuspended) return false;
  const [reason, message] = isSuspended ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
  const condition = newCondition('Suspended', reason, message, nowMillis);
  const conditions = withCondition(status.conditions, isSuspended ? condition : { ...condition, status: 'False' });
  if (conditions === status.conditions) return false;
  status.conditions = conditions;
  status.startTime = isSuspended ? undefined : timeAtMillis(nowMillis);
  writes.event(job, 'Normal', isSuspended ? 'Suspended' : 'Resumed', message);
  return true;
}
