import type { Job, JobCondition, JobStatus, UncountedTerminatedPods } from '../../api/job.ts';
import { timeAtMillis } from '../../api/time.ts';
import { combined } from '../../lib/combined.ts';
import type { JobSync, UncountedUids, WorkingStatus } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';

const NO_STATUS: JobStatus = {};

export function statusOf(job: Job): JobStatus {
  return job.status ?? NO_STATUS;
}

/** Copies the pod counts to the status. Returns whether that changes it. */
export function setPodCounts({ status, active, ready, terminating }: JobSync): boolean {
  const isSame = (status.active ?? 0) === active && status.ready === ready && status.terminating === terminating;
  if (isSame) return false;
  status.active = active;
  status.ready = ready;
  status.terminating = terminating;
  return true;
}

/** The fields that the API omits when they are zero or empty. */
const OMITTED: ReadonlySet<string> = new Set<keyof JobStatus>([
  'active',
  'succeeded',
  'failed',
  'completedIndexes',
  'startTime',
  'conditions',
]);

/** The status as the API writes it: zero or empty fields are omitted. */
export function asWritten(status: WorkingStatus, uncounted: UncountedUids): JobStatus {
  const written: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(status)) {
    const isOmitted = value === undefined || (OMITTED.has(key) && isZero(value));
    if (!isOmitted) written[key] = value;
  }
  return combined(written, { uncountedTerminatedPods: withoutEmpty(uncounted) });
}

function isZero(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

function withoutEmpty({ succeeded, failed }: UncountedUids): UncountedTerminatedPods {
  if (succeeded.length === 0) return failed.length === 0 ? {} : { failed };
  return failed.length === 0 ? { succeeded } : { succeeded, failed };
}

/** A condition that is true from now on. */
export function newCondition(type: string, reason: string, message: string, nowMillis: number): JobCondition {
  const now = timeAtMillis(nowMillis);
  return { type, status: 'True', lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/**
 * The conditions with this one, which replaces the one of its type if they differ; the given list itself when nothing
 * changes. A condition that is false is not added. Upstream: ensureJobConditionStatus.
 */
export function withCondition(
  conditions: readonly JobCondition[] | undefined,
  condition: JobCondition,
): readonly JobCondition[] | undefined {
  const list = conditions ?? [];
  const index = list.findIndex(({ type }) => type === condition.type);
  const old = list[index];
  if (old === undefined) return condition.status === 'False' ? conditions : [...list, condition];
  const { status, reason, message } = condition;
  if (old.status === status && old.reason === reason && old.message === message) return conditions;
  return list.with(index, condition);
}

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
