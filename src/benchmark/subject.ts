import type { Pod } from '../api/pod.ts';
import type { BatchResult } from '../core/batch-result.ts';
import type { PreemptingScheduler } from '../core/schedule-preempting.ts';
import type { SchedulerOptions } from '../core/scheduler-options.ts';
import type { EngineName } from '../engine/cycle/engine.ts';
import type { ClusterManifest } from '../manifests/cluster-manifest.ts';
import type { ClusterSink } from '../manifests/load-cluster.ts';

export type { EngineName, SchedulerOptions };
export type Workers = NonNullable<SchedulerOptions['workers']>;

/** The scheduler that a benchmark measures; tests pass a fake. */
export interface Subject extends ClusterSink, PreemptingScheduler {
  /** The number of threads that share the work on one pod; absent: one. */
  readonly workers?: number;
  scheduleBatch(
    pods: readonly Pod[],
    endsAtFailure?: boolean,
  ): Pick<BatchResult, 'length' | 'nodeName' | 'scheduledCount' | 'at'>;
  readonly sharedMemoryBytes: number;
  /** Ends the scheduler, and releases its threads and the kernels' memory, if it has any. */
  [Symbol.dispose]?(): void;
}

/** Makes a scheduler for the cluster, which is loaded into it afterwards. */
export type SubjectFactory = (options: SchedulerOptions, cluster: ClusterManifest) => Subject;
