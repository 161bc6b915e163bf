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
  /**
   * Finished pods with the tracking finalizer; `event`: `add` when one is first seen, `delete` when its finalizer is
   * gone.
   */
  readonly finishedTrackedPods = new LabelledCounter('job_controller_terminated_pods_tracking_finalizer_total', [
    'event',
  ]);
  readonly externalJobs = new LabelledCounter('job_controller_jobs_by_external_controller_total', ['controller_name']);

  all(): readonly LabelledCounter[] {
    return [
      this.syncs,
      this.staleSyncs,
      this.finishedJobs,
      this.finishedPods,
      this.finishedIndexes,
      this.createdPods,
      this.policyFailures,
      this.finishedTrackedPods,
      this.externalJobs,
    ];
  }
}
