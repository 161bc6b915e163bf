import type { Pod } from '../../api/pod.ts';
import { goSort } from '../../lib/go-sort.ts';
import type { JobSync, UncountedUids } from './job-sync.ts';
import { completionIndexOf, hasFailed, isTracked, NO_INDEX, uidOf, validIndexOf } from './pod-state.ts';
import { judgeFailedPod } from './policies.ts';

/** The status holds at most this many uids; the remaining pods are left to the next sync. */
const MAX_UNCOUNTED = 500;

/**
 * Finds the pods to be counted, each only once: the status records them before their finalizers are removed.
 *
 *   finished, tracked ──(status: uid uncounted, or index completed)──▶ finalizer removed ──(status: counter)──▶ counted
 *
 * Upstream: trackJobStatusAndRemoveFinalizers in pkg/controller/job/job_controller.go.
 */
export function trackPods(sync: JobSync): Tracking {
  const tracking = new Tracking(sync);
  for (const pod of podsToRelease(sync)) {
    tracking.add(pod);
    if (tracking.isFull) break;
  }
  return tracking;
}

/** Pods whose finalizer is no longer needed; those of an indexed Job ordered by index. */
function podsToRelease(sync: JobSync): Pod[] {
  const { job, ending, heldPods } = sync;
  const isOver = ending !== undefined || job.metadata?.deletionTimestamp !== undefined;
  const pods = isOver ? trackedPods(sync) : heldPods.filter((pod) => isReleasable(sync, pod));
  if (sync.plan.indexes !== undefined) goSort(pods, (a, b) => completionIndexOf(a) < completionIndexOf(b));
  return pods;
}

/** Pods that have the finalizer, and not only in the cache. */
export function trackedPods({ pods, awaitingRemoval }: JobSync): Pod[] {
  return pods.filter((pod) => isTracked(pod) && !awaitingRemoval.has(uidOf(pod)));
}

/**
 * Whether the pod has finished. A failed pod is kept until its replacement is created, since the replacement takes its
 * failure count from it.
 */
function isReleasable({ plan, indexes }: JobSync, pod: Pod): boolean {
  if (pod.status?.phase === 'Succeeded') return true;
  if (!hasFailed(pod, plan.onlyFailed)) return false;
  return indexes?.awaitingReplacement.get(completionIndexOf(pod)) !== pod;
}

/** What the next write of the status records about finished pods. */
export class Tracking {
  readonly #sync: JobSync;
  readonly #uncountedFailedBefore: ReadonlySet<string>;
  readonly #succeeded: string[];
  readonly #failed: string[];
  readonly #uncountedSucceededBefore: ReadonlySet<string>;
  #newIndexes = 0;
  /** Pods whose finalizer may be removed once the status is written. */
  readonly release: Pod[] = [];
  /** How many failed pods a rule of the pod failure policy matched, by action. */
  readonly policyActions = new Map<string, number>();
  /** Whether there may be more pods than one write can record. */
  isFull = false;
  /** Whether the status does not record all of this yet. */
  hasNews = false;

  constructor(sync: JobSync) {
    this.#sync = sync;
    this.#succeeded = [...sync.uncounted.succeeded];
    this.#failed = [...sync.uncounted.failed];
    this.#uncountedSucceededBefore = new Set(this.#succeeded);
    this.#uncountedFailedBefore = new Set(this.#failed);
  }

  get uncounted(): UncountedUids {
    return { succeeded: this.#succeeded, failed: this.#failed };
  }

  add(pod: Pod): void {
    const { plan, ending } = this.#sync;
    this.release.push(pod);
    const uid = uidOf(pod);
    const wasFailed = this.#uncountedFailedBefore.has(uid);
    if (pod.status?.phase === 'Succeeded' && !wasFailed) this.#addSucceeded(pod, uid);
    // All pods of a Job that fails count as failed.
    else if (hasFailed(pod, plan.onlyFailed) || ending?.type === 'FailureTarget') {
      const hasNoIndex = plan.indexes !== undefined && validIndexOf(pod, plan.indexes) === NO_INDEX;
      if (!wasFailed && !hasNoIndex) this.#addFailed(pod, uid);
    }
    this.isFull = this.#newIndexes + this.#succeeded.length + this.#failed.length >= MAX_UNCOUNTED;
  }

  /** Adds a succeeded pod. In an indexed Job, the index records it, so that its uid is not needed. */
  #addSucceeded(pod: Pod, uid: string): void {
    const { plan, indexes } = this.#sync;
    if (plan.indexes === undefined) {
      if (!this.#uncountedSucceededBefore.has(uid)) this.#record(this.#succeeded, uid);
      return;
    }
    const index = validIndexOf(pod, plan.indexes);
    if (index === NO_INDEX || indexes?.succeededBefore.has(index)) return;
    this.#newIndexes++;
    this.hasNews = true;
  }

  #addFailed(pod: Pod, uid: string): void {
    const policy = this.#sync.plan.podFailurePolicy;
    const { action, counts } = judgeFailedPod(policy, pod);
    if (action !== undefined) this.policyActions.set(action, (this.policyActions.get(action) ?? 0) + 1);
    if (counts) this.#record(this.#failed, uid);
  }

  #record(list: string[], uid: string): void {
    list.push(uid);
    this.hasNews = true;
  }
}
