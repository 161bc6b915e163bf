import type { Job, JobStatus, UncountedTerminatedPods } from '../../api/job.ts';
import type { JobSync, UncountedUids, WorkingStatus } from './job-sync.ts';

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
  return { ...written, uncountedTerminatedPods: withoutEmpty(uncounted) };
}

function isZero(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0);
}

function withoutEmpty({ succeeded, failed }: UncountedUids): UncountedTerminatedPods {
  if (succeeded.length === 0) return failed.length === 0 ? {} : { failed };
  return failed.length === 0 ? { succeeded } : { succeeded, failed };
}
