import { timeAtMillis } from '../../api/time.ts';
import { newCondition, withCondition } from './conditions.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';

/**
 * Tells in the status, and in an event, that the Job has been suspended or goes on. Its time stands still meanwhile: it
 * starts anew. Whether that is news.
 */
export function tellSuspension(writes: JobWrites, sync: JobSync): boolean {
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
