import { isJobFinished, type Job, type JobCondition } from '../../api/job.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { splitKey } from '../../client/object-key.ts';
import type { Clock } from '../../lib/clock.ts';
import { type ClaimModules, claimPods } from './claim-pods.ts';
import {
  endingBefore,
  endingByCompletion,
  endingByDeadline,
  endingByIndexes,
  endingByPods,
  remainingDeadlineMillis,
} from './ending.ts';
import { otherManagerOf, planOf, selectorOf } from './job-plan.ts';
import { recordSuspension, setPodCounts } from './job-status.ts';
import type { JobSync } from './job-sync.ts';
import { type Managed, type ManageModules, managePods } from './manage-pods.ts';
import { observeJob } from './observe-job.ts';
import { deleteActivePods } from './pod-writes.ts';
import { whileDoing } from './sync-error.ts';
import { trackStatus } from './track-status.ts';
import type { WrittenVersions } from './written-versions.ts';

export interface SyncModules extends ClaimModules, ManageModules {
  readonly jobs: Lister<Job>;
  readonly clock: Clock;
  /** The written versions; if undefined, it is not checked whether the caches show them. */
  readonly writtenVersions: WrittenVersions | undefined;
}

const MODES: readonly string[] = ['NonIndexed', 'Indexed'];

/**
 * Syncs one Job: counts its pods, decides whether it ends, creates or deletes pods, and writes the status. Everything
 * that a later sync needs is in the status and in the pods' finalizers; the memory only saves work.
 *
 * Upstream: syncJob in pkg/controller/job/job_controller.go.
 *
 * @throws StaleCacheError, SyncError, ApiError: an error after which the sync is to be retried
 */
export function syncJob(modules: SyncModules, key: string): void {
  checkCaches(modules, key);
  const { namespace, name } = splitKey(key);
  const job = modules.jobs.get(namespace, name);
  if (job === undefined) {
    modules.memory.forget(key);
    modules.writtenVersions?.forget(key);
  } else if (isToBeSynced(modules, key, job)) {
    counted(modules, job, (outcome) => syncPresentJob(modules, key, job, outcome));
  }
}

/** @throws StaleCacheError */
function checkCaches({ writtenVersions, metrics }: SyncModules, key: string): void {
  try {
    writtenVersions?.checkSeen(key);
  } catch (error) {
    metrics.staleSyncs.add(1);
    throw error;
  }
}

function isToBeSynced({ memory, writes }: SyncModules, key: string, job: Job): boolean {
  if (otherManagerOf(job) !== undefined) return false;
  if (isJobFinished(job)) {
    memory.conclude(key);
    return false;
  }
  if (memory.finished.has(job.metadata?.uid ?? '')) return false;
  if (MODES.includes(planOf(job).completionMode)) return true;
  writes.event(job, 'Warning', 'UnknownCompletionMode', 'Skipped Job sync because completion mode is unknown');
  return false;
}

/** The result of a sync, for the metrics. */
interface Outcome {
  action: string;
  result: 'success' | 'error';
}

/** The action on the pods, and its error; the status is written in any case. */
interface PodsDone {
  readonly action: Managed['action'] | 'reconciling';
  readonly error?: unknown;
  readonly isSuspensionNews?: boolean;
}

function syncPresentJob(modules: SyncModules, key: string, job: Job, outcome: Outcome): void {
  // The expectations are read before the pods are listed: at worst, a pod that arrives in between is waited for in
  // vain.
  const isCacheCurrent = modules.memory.expectations.areSatisfied(key);
  const pods = claimPods(modules, job, selectorOf(planOf(job)));
  const sync = observeJob(modules.memory, key, job, pods, modules.clock.nowMillis());
  sync.ending = findEnding(modules, sync);
  const { action, error, isSuspensionNews } =
    sync.ending === undefined ? runPods(modules, sync, isCacheCurrent) : endPods(modules, sync, isCacheCurrent);
  outcome.action = action;
  const isChanged = setPodCounts(sync) || isSuspensionNews === true;
  try {
    trackStatus(modules, sync, isChanged);
  } catch (trackError) {
    throw whileDoing('tracking status', trackError);
  }
  if (error !== undefined) throw error;
}

function findEnding(modules: SyncModules, sync: JobSync): JobCondition | undefined {
  const ending = endingBefore(sync) ?? endingByPods(sync) ?? endingByDeadline(sync);
  if (ending !== undefined) return ending;
  const remainingMillis = remainingDeadlineMillis(sync);
  if (remainingMillis !== undefined) modules.syncAfter(sync.key, remainingMillis);
  return endingByIndexes(sync);
}

/**
 * Deletes the active pods of a Job that ends. The Job has not ended while some remain, or while there may be pods that
 * the cache does not show.
 */
function endPods({ writes }: SyncModules, sync: JobSync, isCacheCurrent: boolean): PodsDone {
  const { deleted, unready, error } = deleteActivePods(writes, sync);
  if (deleted !== sync.active || !isCacheCurrent) sync.ending = undefined;
  sync.active -= deleted;
  sync.ready -= unready;
  sync.terminating += deleted;
  return { action: 'reconciling', error };
}

/** Creates or deletes pods of a Job that goes on, unless it has completed. */
function runPods(modules: SyncModules, sync: JobSync, isCacheCurrent: boolean): PodsDone {
  const isManaged = isCacheCurrent && sync.job.metadata?.deletionTimestamp === undefined;
  const managed = isManaged ? managePods(modules, sync) : undefined;
  sync.ending = endingByCompletion(sync);
  const isSuspensionNews = isManaged && sync.ending === undefined && recordSuspension(modules.writes, sync);
  return { action: managed?.action ?? 'reconciling', error: managed?.error, isSuspensionNews };
}

/** Counts the sync by its action and result. */
function counted({ metrics }: SyncModules, job: Job, run: (outcome: Outcome) => void): void {
  const outcome: Outcome = { action: 'reconciling', result: 'error' };
  try {
    run(outcome);
    outcome.result = 'success';
  } finally {
    metrics.syncs.add(1, planOf(job).completionMode, outcome.result, outcome.action);
  }
}
