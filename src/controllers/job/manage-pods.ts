import { remainingBackOffMillis } from './back-off.ts';
import { indexesDue } from './index-failures.ts';
import { firstPendingIndexes } from './job-indexes.ts';
import type { JobSync } from './job-sync.ts';
import { createPods, deleteUnwantedPods } from './pod-writes.ts';
import { podsToRemove } from './rank-pods.ts';
import type { TrackModules } from './track-status.ts';

const MAX_PODS_PER_SYNC = 500;
/** The shortest delay before a Job that only waits is synced again. */
const MIN_WAIT_MILLIS = 1000;

export interface ManageModules extends TrackModules {
  /** Queues the Job again after the delay. */
  readonly syncAfter: (key: string, delayMillis: number) => void;
}

export interface Managed {
  /** The action, for the metrics. */
  readonly action: 'tracking' | 'pods_created' | 'pods_deleted';
  readonly error: unknown;
}

/**
 * Brings the number of active pods to the wanted one: deletes or creates pods, never both. Upstream: manageJob in
 * pkg/controller/job/job_controller.go.
 */
export function managePods(modules: ManageModules, sync: JobSync): Managed {
  const { plan, activePods } = sync;
  const wanted = plan.isSuspended ? 0 : wantedActive(sync);
  const surplus = podsToRemove(plan, activePods, Math.max(0, sync.active - wanted));
  if (plan.isSuspended || surplus.length > 0) {
    const error = deletePods(modules, sync, plan.isSuspended ? surplus : surplus.slice(0, MAX_PODS_PER_SYNC));
    return { action: 'pods_deleted', error };
  }
  const blocking = plan.onlyFailed ? sync.terminating : 0;
  const missing = wanted - blocking - sync.active;
  if (missing <= 0) return { action: 'tracking', error: undefined };
  return { action: 'pods_created', error: createMissing(modules, sync, Math.min(missing, MAX_PODS_PER_SYNC)) };
}

/**
 * The wanted number of active pods. A work queue runs as many as it may until one has succeeded; then the running ones
 * are left to end.
 */
function wantedActive({ plan, active, succeeded }: JobSync): number {
  if (plan.completions === undefined) return succeeded > 0 ? active : plan.parallelism;
  return Math.max(0, Math.min(plan.completions - succeeded, plan.parallelism));
}

/** Returns the error, if there was one. */
function deletePods({ writes, memory }: ManageModules, sync: JobSync, pods: JobSync['activePods']): unknown {
  const { deleted, unready, error } = deleteUnwantedPods(writes, memory.expectations, sync, pods);
  sync.active -= deleted;
  sync.ready -= unready;
  sync.terminating += deleted;
  return error;
}

/** Creates pods. Returns the error, if there was one. */
function createMissing(modules: ManageModules, sync: JobSync, missing: number): unknown {
  const { writes, memory, metrics } = modules;
  const { due, remainingMillis } = dueNow(sync, missing);
  if (remainingMillis > 0) {
    modules.syncAfter(sync.key, Math.max(remainingMillis, MIN_WAIT_MILLIS));
    // The count is set to zero as upstream does, even if pods are active; the API may refuse such a status.
    sync.active = 0;
    return undefined;
  }
  const count = due?.length ?? missing;
  const { created, failed, skipped, error } = createPods(writes, memory.expectations, sync, count, due);
  sync.active += count - failed - skipped;
  const reason = creationReason(sync);
  metrics.createdPods.add(created, reason, 'succeeded');
  metrics.createdPods.add(failed, reason, 'failed');
  return error;
}

/** The indexes whose pods may be created now, or the delay until then. Without indexes, the whole Job waits. */
function dueNow(
  sync: JobSync,
  missing: number,
): { readonly due: readonly number[] | undefined; readonly remainingMillis: number } {
  const { plan, indexes, nowMillis } = sync;
  const isPerIndex = plan.backoffLimitPerIndex !== undefined;
  const remainingMillis = isPerIndex ? 0 : remainingBackOffMillis(sync.backOff, nowMillis);
  if (remainingMillis > 0 || indexes === undefined) return { due: undefined, remainingMillis };
  const pending = firstPendingIndexes(sync, indexes, missing);
  if (!isPerIndex) return { due: pending, remainingMillis };
  return indexesDue(pending, indexes.awaitingReplacement, nowMillis);
}

function creationReason({ job, failed, terminating }: JobSync): string {
  if (failed > 0 && job.spec?.podReplacementPolicy === 'Failed') return 'recreate_failed';
  return failed > 0 || terminating > 0 ? 'recreate_terminating_or_failed' : 'new';
}
