import type { JobStatus } from '../../api/job.ts';
import { IndexIntervals } from './index-intervals.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';
import type { JobMetrics } from './metrics.ts';

/** Records in an event and in the metrics that the Job has finished as `ending` says. */
export function recordFinishedJob(
  { writes, metrics }: { readonly writes: JobWrites; readonly metrics: JobMetrics },
  { job, plan, status, ending }: JobSync,
): void {
  const { reason = '', message = '' } = ending ?? {};
  if (ending?.type === 'FailureTarget') {
    writes.event(job, 'Warning', reason, message);
    metrics.finishedJobs.add(1, plan.completionMode, 'failed', reason);
    return;
  }
  if (plan.completions !== undefined && (status.succeeded ?? 0) > plan.completions) {
    const tooMany = 'Too many succeeded pods running after completion count reached';
    writes.event(job, 'Warning', 'TooManySucceededPods', tooMany);
  }
  writes.event(job, 'Normal', 'Completed', 'Job completed');
  metrics.finishedJobs.add(1, plan.completionMode, 'succeeded', reason);
}

/** `before`: the counters of the previous write. */
export function recordFinishedPods(metrics: JobMetrics, { plan, status }: JobSync, before: JobStatus): void {
  const mode = plan.completionMode;
  const succeeded = newlySucceeded(status, before, plan.indexes);
  metrics.finishedPods.add(succeeded, mode, 'succeeded');
  metrics.finishedPods.add((status.failed ?? 0) - (before.failed ?? 0), mode, 'failed');
  if (plan.indexes === undefined) return;
  const limit = plan.backoffLimitPerIndex === undefined ? 'global' : 'perIndex';
  metrics.finishedIndexes.add(succeeded, 'succeeded', limit);
  const failed = newIndexes(status.failedIndexes, before.failedIndexes, plan.indexes);
  metrics.finishedIndexes.add(failed, 'failed', limit);
}

function newlySucceeded(status: JobStatus, before: JobStatus, completions: number | undefined): number {
  if (completions !== undefined) return newIndexes(status.completedIndexes, before.completedIndexes, completions);
  return (status.succeeded ?? 0) - (before.succeeded ?? 0);
}

/** The number of new indexes; indexes beyond lowered completions do not count. */
function newIndexes(text: string | undefined, before: string | undefined, completions: number): number {
  if (text === before) return 0;
  return IndexIntervals.parse(text, completions).total - IndexIntervals.parse(before, completions).total;
}
