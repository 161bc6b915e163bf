import { type Job, trueConditionOf } from '../../api/job.ts';
import { timeAtMillis } from '../../api/time.ts';
import type { JobMemory } from './job-memory.ts';
import { asWritten, newCondition, statusOf, withCondition } from './job-status.ts';
import type { JobSync } from './job-sync.ts';
import type { JobWrites } from './job-writes.ts';
import { type JobMetrics, recordFinishedJob, recordFinishedPods } from './metrics.ts';
import { uidOf } from './pod-state.ts';
import { removeFinalizers } from './pod-writes.ts';
import { whileDoing } from './sync-error.ts';
import { type Tracking, trackedPods, trackPods } from './track-pods.ts';

/**
 * Writes the status, in two steps around the removal of finalizers, so that every pod is counted exactly once whatever
 * fails in between:
 *
 *   1. write which pods have finished, and why the Job ends if it does
 *   2. remove the finalizers of those pods
 *   3. write the counters with those pods, and that the Job has finished if nothing is left of it
 *
 * A write that would change nothing is skipped. `isChanged`: the status was changed before.
 *
 * Upstream: trackJobStatusAndRemoveFinalizers, flushUncountedAndRemoveFinalizers, enactJobFinished.
 *
 * @throws SyncError
 */
export function trackStatus(modules: TrackModules, sync: JobSync, isChanged: boolean): void {
  const tracking = new StatusTracking(modules, sync, isChanged);
  tracking.recordEnds();
  tracking.release();
  tracking.count();
}

export interface TrackModules {
  readonly writes: JobWrites;
  readonly memory: JobMemory;
  readonly metrics: JobMetrics;
}

const NONE: ReadonlySet<string> = new Set();

class StatusTracking {
  readonly #modules: TrackModules;
  readonly #sync: JobSync;
  readonly #pods: Tracking;
  /** Uids of pods that had the finalizer when the sync began; computed on first use. */
  #trackedUids: ReadonlySet<string> | undefined;
  /** Uids of pods whose finalizer this sync has removed. */
  #removed: ReadonlySet<string> = NONE;
  #isChanged: boolean;

  constructor(modules: TrackModules, sync: JobSync, isChanged: boolean) {
    this.#modules = modules;
    this.#sync = sync;
    this.#isChanged = isChanged;
    this.#countUntracked();
    this.#pods = trackPods(sync);
  }

  recordEnds(): void {
    const { uncounted, hasNews } = this.#pods;
    if (hasNews) this.#isChanged = true;
    this.#sync.uncounted.succeeded = uncounted.succeeded;
    this.#sync.uncounted.failed = uncounted.failed;
    this.#recordIndexes();
    this.#recordEnding();
    if (!this.#isChanged) return;
    this.#write('adding uncounted pods to status');
    this.#modules.memory.setBackOff(this.#sync.key, this.#sync.backOff);
    this.#isChanged = false;
  }

  release(): void {
    const { writes, memory, metrics } = this.#modules;
    for (const [action, count] of this.#pods.policyActions) metrics.policyFailures.add(count, action);
    const pods = this.#pods.release;
    if (pods.length === 0) return;
    const { removed, error } = removeFinalizers(writes, memory.finalizerRemovals, this.#sync, pods);
    this.#removed = removed;
    this.#countUntracked();
    if (error === undefined) return;
    // The removals that succeeded are written before the sync fails.
    if (this.#isChanged) this.#write('removing uncounted pods from status');
    throw error;
  }

  count(): void {
    const isFinished = !this.#pods.isFull && this.#finish();
    if (!this.#isChanged && !isFinished) return;
    this.#write('removing uncounted pods from status');
    if (!isFinished) return;
    this.#modules.memory.finished.add(this.#sync.job.metadata?.uid ?? '');
    recordFinishedJob(this.#modules, this.#sync);
  }

  /** Moves uids of pods without finalizer from the uncounted lists to the counters. */
  #countUntracked(): void {
    const { status, uncounted } = this.#sync;
    for (const list of ['succeeded', 'failed'] as const) {
      if (uncounted[list].length === 0) continue;
      const left = uncounted[list].filter((uid) => !this.#removed.has(uid) && this.#tracked().has(uid));
      const counted = uncounted[list].length - left.length;
      if (counted === 0) continue;
      uncounted[list] = left;
      status[list] = (status[list] ?? 0) + counted;
      this.#isChanged = true;
    }
  }

  #recordIndexes(): void {
    const { status, indexes } = this.#sync;
    if (indexes === undefined) return;
    const completedIndexes = indexes.succeeded.toString();
    const failedIndexes = indexes.failed?.toString();
    if ((status.completedIndexes ?? '') !== completedIndexes || status.failedIndexes !== failedIndexes) {
      this.#isChanged = true;
    }
    status.succeeded = indexes.succeeded.total;
    status.completedIndexes = completedIndexes;
    status.failedIndexes = failedIndexes;
  }

  #recordEnding(): void {
    const { ending, job, status } = this.#sync;
    if (ending === undefined || trueConditionOf(job, ending.type) !== undefined) return;
    status.conditions = [...(status.conditions ?? []), ending];
    this.#isChanged = true;
  }

  /** Finishes the Job if it ends, and no pod is left to be counted or waited for. Returns whether it did. */
  #finish(): boolean {
    const { ending, status, uncounted, terminating, nowMillis } = this.#sync;
    if (ending === undefined || uncounted.succeeded.length + uncounted.failed.length > 0 || terminating > 0)
      return false;
    const type = ending.type === 'FailureTarget' ? 'Failed' : 'Complete';
    const condition = newCondition(type, ending.reason ?? '', ending.message ?? '', nowMillis);
    status.conditions = withCondition(status.conditions, condition);
    if (type === 'Complete') status.completionTime = timeAtMillis(nowMillis);
    return true;
  }

  #write(activity: string): void {
    const sync = this.#sync;
    const before = statusOf(sync.job);
    const job: Job = { ...sync.job, status: asWritten(sync.status, sync.uncounted) };
    try {
      sync.job = this.#modules.writes.updateStatus(job);
    } catch (error) {
      throw whileDoing(activity, error);
    }
    recordFinishedPods(this.#modules.metrics, sync, before);
  }

  #tracked(): ReadonlySet<string> {
    this.#trackedUids ??= new Set(trackedPods(this.#sync).map(uidOf));
    return this.#trackedUids;
  }
}
