/** A Prometheus counter with labels. */
export class LabelledCounter {
  readonly name: string;
  readonly labelNames: readonly string[];
  readonly #values = new Map<string, number>();

  constructor(name: string, labelNames: readonly string[]) {
    this.name = name;
    this.labelNames = labelNames;
  }

  /** Label values in the order of `labelNames`. */
  add(count: number, ...labels: readonly string[]): void {
    if (count === 0) return;
    const key = labels.join(SEPARATOR);
    this.#values.set(key, (this.#values.get(key) ?? 0) + count);
  }

  get(...labels: readonly string[]): number {
    return this.#values.get(labels.join(SEPARATOR)) ?? 0;
  }

  /** Label values and count, in the order in which the labels were first met. */
  *entries(): Iterable<readonly [labels: readonly string[], count: number]> {
    for (const [key, count] of this.#values) yield [key === '' ? [] : key.split(SEPARATOR), count];
  }
}

const SEPARATOR = '\u0000';

/** What the controller counts about itself, under upstream's names (pkg/controller/job/metrics). */
export class JobMetrics {
  /** Syncs; `action`: reconciling, tracking, pods_created, pods_deleted. */
  readonly syncs = new LabelledCounter('job_controller_job_sync_total', ['completion_mode', 'result', 'action']);
  /** Syncs that did nothing because a cache was too old. */
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
  /** Failed pods that a rule of a pod failure policy matched. */
  readonly policyFailures = new LabelledCounter('job_controller_pod_failures_handled_by_failure_policy_total', [
    'action',
  ]);
  /** Finished pods with the tracking finalizer; `event`: add when one is seen first, delete when it has it no more. */
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
