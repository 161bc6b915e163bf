import type { JobStatus } from '../../api/job.ts';
import { IndexIntervals } from './index-intervals.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';

/** A Prometheus counter with labels. */
export class LabelledCounter {
  readonly name: string;
  readonly labelNames: readonly string[];
  readonly #values = new Map<string, number>();

  constructor(name: string, labelNames: readonly string[]) {
    this.name = name;
    this.labelNames = labelNames;
  }

  /** Adds to the count of these label values, which are in the order of `labelNames`. */
  add(count: number, ...labels: readonly string[]): void {
    if (count === 0) return;
    const key = labels.join(SEPARATOR);
    this.#values.set(key, (this.#values.get(key) ?? 0) + count);
  }

  get(...labels: readonly string[]): number {
    return this.#values.get(labels.join(SEPARATOR)) ?? 0;
  }

  /** Label values and counts, in the order in which the labels were first used. */
  *entries(): Iterable<readonly [labels: readonly string[], count: number]> {
    for (const [key, count] of this.#values) yield [key === '' ? [] : key.split(SEPARATOR), count];
  }
}

const SEPARATOR = '\u0000';

/** The metrics of the controller, under upstream's names (pkg/controller/job/metrics). */
export class JobMetrics {
  /** Syncs; `action`: reconciling, tracking, pods_created, pods_deleted. */
  readonly syncs = new LabelledCounter('job_controller_job_sync_total', ['completion_mode', 'result', 'action']);
  /** Syncs that did nothing because a cache was stale. */
  readonly staleSyncs = new LabelledCounter('job_controller_stale_sync_skips_total', []);
  readonly finishedJobs = new LabelledCounter('job_controller_jobs_finished_total', [
    'completion_mode',
    'result',
    'reason',
  ]);
  readonly finishedPods = new LabelledCounter('job_controller_job_pods_finished_total', ['completion_mode', 'result']);
  readonly finishedIndexes = new LabelledCounter('job_controller_job_finished_indexes_total', [
    'status',
    'backoffLimit',
  ]);
  readonly createdPods = new LabelledCounter('job_controller_job_pods_creation_total', ['reason', 'status']);
  /** Failed pods that matched a rule of a pod failure policy. */
  readonly policyFailures = new LabelledCounter('job_controller_pod_failures_handled_by_failure_policy_total', [
    'action',
  ]);
  /** Finished pods with the tracking finalizer; `event`: `add` when one is seen, `delete` when it loses it. */
  readonly finishedTrackedPods = new LabelledCounter('job_controller_terminated_pods_tracking_finalizer_total', [
    'event',
  ]);
  readonly externalJobs = new LabelledCounter('job_controller_jobs_by_external_controller_total', ['controller_name']);

  all(): readonly LabelledCounter[] {
    return Object.values(this);
  }
}

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
