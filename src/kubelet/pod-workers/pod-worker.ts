import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Operation } from '../containers/container-runtime.ts';
import type { OnPodCacheAnswer, PodCacheAnswer } from '../pleg/pod-cache.ts';
import type { RuntimePodStatus } from '../pleg/runtime.ts';
import {
  effectiveGraceSeconds,
  type NextSyncCause,
  nextSyncMillis,
  type OnSynced,
  type PodSyncer,
  type SyncResult,
} from './sync-result.ts';

/**
 * Why a pod is to be synced. `update`: its spec has changed; `event`: its containers have changed; `resync`: its time
 * has come, and nothing is known to have changed.
 */
export type UpdateType = 'update' | 'event' | 'kill' | 'resync';

type State = 'syncing' | 'terminating' | 'terminated' | 'finished';

export interface PodWorkerModules {
  readonly clock: Clock;
  readonly syncer: PodSyncer;
  /** Answers with a status of the pod that is newer than `minMillis`, as soon as there is one. */
  readonly getNewerThan: (uid: string, minMillis: number, onAnswer: OnPodCacheAnswer) => void;
  /** Requests a relist of the pod, so that the result of the sync is seen before the next full relist. */
  readonly requestRelist: (uid: string) => void;
  /** Queues the next sync after this delay; undefined: the pod is synced only when something happens. */
  readonly enqueue: (uid: string, delayMillis: number | undefined) => void;
  /** Returns a number in [0, 1), the same for the same pod and count. */
  readonly jitterShare: (uid: string, count: number) => number;
  /** Returns the time at which the sync loop serves a pod that is due at `dueMillis`. */
  readonly resyncAtMillis: (dueMillis: number) => number;
  /** Whether resyncs of pods to which nothing has happened may be skipped now. */
  readonly maySkipResyncs: () => boolean;
}

/**
 * Brings one pod into the wanted state, one sync after the other, never two at once.
 *
 * ```
 *               update                       ended by itself, deleted, killed
 *   syncing ──▶ syncPod ──┐   ─────────────────────────────────────────────────▶  terminating ──▶ syncTerminatingPod
 *      ▲                  │                                                                             │ nothing runs
 *      └──────────────────┘                                                                             ▼
 *                                       finished ◀── syncTerminatedPod ◀───────────────────────────  terminated
 *
 *   every sync:  wait for a status newer than the last sync ─▶ sync ─▶ queue for later ─▶ updates that came meanwhile
 * ```
 *
 * A running sync is cancelled when the pod is terminated, or gets a shorter grace period.
 *
 * A pod whose last sync found nothing to do is idle: resyncs would find nothing either. They are skipped, and
 * `#lastSyncMillis` computes when the last of them would have been, since that decides whether the next sync has to
 * wait for a relist. For this the jitter of resyncs is drawn only once while a pod is idle. An update at the very time
 * of a skipped resync would have come after it; any other cause would have been merged with it.
 *
 * Upstream: pkg/kubelet/pod_workers.go.
 */
export class PodWorker {
  readonly #modules: PodWorkerModules;
  readonly #uid: string;
  #pod: Pod;
  #state: State = 'syncing';
  #graceSeconds: number | undefined;
  #isWorking = false;
  #pending: UpdateType | undefined;
  #current: Operation | undefined;
  /** Counts syncs, so that the result of a cancelled one is recognised and ignored. */
  #syncCount = 0;
  #syncedAtMillis = Number.NEGATIVE_INFINITY;
  /** The running sync needed a status newer than this. */
  #minMillis = Number.NEGATIVE_INFINITY;
  /** The delay between two resyncs of an idle pod; undefined for a pod that is not idle. */
  #idleResyncMillis: number | undefined;
  /** Whether its resyncs are skipped. */
  #areResyncsSkipped = false;
  #jitterCount = 0;
  #isStopped = false;

  constructor(pod: Pod, modules: PodWorkerModules) {
    this.#pod = pod;
    this.#uid = pod.metadata?.uid ?? '';
    this.#modules = modules;
  }

  get pod(): Pod {
    return this.#pod;
  }

  /** Whether containers of the pod may be running, or may still be started. */
  get mayRun(): boolean {
    return this.#state === 'syncing' || this.#state === 'terminating';
  }

  get isTerminating(): boolean {
    return this.#state !== 'syncing';
  }

  get isFinished(): boolean {
    return this.#state === 'finished';
  }

  /** Starts with the last step, for a pod that had ended before this node agent started. */
  beginTerminated(): void {
    this.#state = 'terminated';
  }

  update(pod: Pod, type: UpdateType): void {
    if (this.#state === 'finished' || this.#isStopped) return;
    this.#pod = pod;
    const isOvertaken = this.#terminate(pod, type);
    // A resync is merged into any other pending cause.
    if (this.#pending === undefined || this.#pending === 'resync') this.#pending = type;
    if (isOvertaken && this.#isWorking) this.#cancel();
    if (!this.#isWorking) this.#work(type);
  }

  /** Stops skipping resyncs: the next one comes when it would have come anyway. */
  resumeResyncs(): void {
    if (!this.#areResyncsSkipped || this.#idleResyncMillis === undefined) return;
    this.#syncedAtMillis = this.#lastSyncMillis('event');
    this.#areResyncsSkipped = false;
    const dueMillis = this.#syncedAtMillis + this.#idleResyncMillis;
    this.#modules.enqueue(this.#uid, Math.max(0, dueMillis - this.#modules.clock.nowMillis()));
  }

  /** Stops the worker, because the node agent ends. The containers keep running. */
  stop(): void {
    this.#isStopped = true;
    this.#current?.cancel();
  }

  /** Starts the termination if there is a reason. Returns whether a running sync has to be cancelled. */
  #terminate(pod: Pod, type: UpdateType): boolean {
    const isDeleted = pod.metadata?.deletionTimestamp !== undefined;
    if (this.#state === 'syncing') {
      if (!isDeleted && type !== 'kill' && !isPodFinished(pod)) return false;
      this.#state = 'terminating';
      this.#graceSeconds = effectiveGraceSeconds(pod, undefined);
      return true;
    }
    if (this.#state !== 'terminating' || !isDeleted) return false;
    const before = this.#graceSeconds;
    this.#graceSeconds = effectiveGraceSeconds(pod, before);
    return this.#graceSeconds !== before;
  }

  #cancel(): void {
    // A sync that still waits for its status can use the new state, so it is not cancelled.
    if (this.#current === undefined) return;
    this.#current.cancel();
    this.#current = undefined;
    this.#syncCount++;
    this.#idleResyncMillis = undefined;
    this.#syncedAtMillis = this.#modules.clock.nowMillis();
    this.#work('update');
  }

  #work(type: UpdateType): void {
    this.#isWorking = true;
    this.#minMillis = this.#lastSyncMillis(type);
    this.#modules.getNewerThan(this.#uid, this.#minMillis, this.#sync);
  }

  readonly #sync = ({ status, error }: PodCacheAnswer, isOutdated: boolean): void => {
    if (this.#isStopped) return;
    const type = this.#pending;
    // An event that the answer does not show asks for one more sync. A late clock can bring it before the answer.
    if (!isOutdated) this.#pending = undefined;
    if (error !== undefined || status === undefined) {
      this.#complete(type, { error: { message: error?.message ?? 'no status' } });
      return;
    }
    const syncCount = ++this.#syncCount;
    let isOver = false;
    const operation = this.#run(status, (result) => {
      if (syncCount !== this.#syncCount || isOver || this.#isStopped) return;
      isOver = true;
      this.#current = undefined;
      this.#complete(type, result);
    });
    if (isOver) return;
    this.#current = operation;
    this.#resumeNextResync();
  };

  /** While a sync takes time, the resync that would have come next may come. */
  #resumeNextResync(): void {
    if (!this.#areResyncsSkipped || this.#idleResyncMillis === undefined) return;
    const { clock, enqueue, resyncAtMillis } = this.#modules;
    const dueMillis = this.#minMillis + this.#idleResyncMillis;
    if (resyncAtMillis(dueMillis) > clock.nowMillis()) enqueue(this.#uid, Math.max(0, dueMillis - clock.nowMillis()));
    this.#areResyncsSkipped = false;
  }

  #run(status: RuntimePodStatus, onSynced: OnSynced): Operation {
    const { syncer } = this.#modules;
    if (this.#state === 'syncing') return syncer.syncPod(this.#pod, status, onSynced);
    if (this.#state === 'terminated') return syncer.syncTerminatedPod(this.#pod, status, onSynced);
    this.#graceSeconds ??= effectiveGraceSeconds(this.#pod, undefined);
    return syncer.syncTerminatingPod(this.#pod, status, this.#graceSeconds, onSynced);
  }

  #complete(type: UpdateType | undefined, result: SyncResult): void {
    const idleResyncMillis = this.#idleResyncMillis;
    this.#idleResyncMillis = undefined;
    this.#syncedAtMillis = this.#modules.clock.nowMillis();
    if (this.#advance(result)) {
      this.#queue({ type: 'phase transition' });
      if (!this.isFinished) this.#pending ??= 'update';
    } else if (result.error !== undefined) {
      this.#queue({ type: 'error', error: result.error });
    } else {
      this.#queueResync(result, type === 'resync' ? idleResyncMillis : undefined);
    }
    if (result.hasActed && result.error === undefined) this.#modules.requestRelist(this.#uid);
    this.#isWorking = false;
    if (this.#pending !== undefined) this.#work(this.#pending);
  }

  /** Moves to the next state if this sync was the last one in the current state. Returns whether it did. */
  #advance({ error, isTerminal }: SyncResult): boolean {
    if (error !== undefined) return false;
    if (this.#state === 'terminating') this.#state = 'terminated';
    else if (this.#state === 'terminated') this.#state = 'finished';
    else if (isTerminal) this.#state = 'terminating';
    else return false;
    return true;
  }

  #queue(cause: NextSyncCause): void {
    const { clock, enqueue } = this.#modules;
    const delayMillis = nextSyncMillis(cause, clock.nowMillis(), this.#shareFor(cause));
    enqueue(this.#uid, this.isFinished ? undefined : delayMillis);
  }

  /** `idleResyncMillis`: the resync delay of a pod that was idle before this resync, and still is. */
  #queueResync({ hasActed }: SyncResult, idleResyncMillis: number | undefined): void {
    const { clock, enqueue, maySkipResyncs } = this.#modules;
    const delayMillis = idleResyncMillis ?? nextSyncMillis({ type: 'success' }, clock.nowMillis(), this.#nextShare());
    if (!hasActed) this.#idleResyncMillis = delayMillis;
    this.#areResyncsSkipped = !hasActed && maySkipResyncs();
    enqueue(this.#uid, this.#areResyncsSkipped ? undefined : delayMillis);
  }

  /** A phase transition has no jitter, so that its share is only counted. */
  #shareFor({ type }: NextSyncCause): number {
    if (type !== 'phase transition') return this.#nextShare();
    this.#jitterCount++;
    return 0;
  }

  #nextShare(): number {
    return this.#modules.jitterShare(this.#uid, this.#jitterCount++);
  }

  /** The time of the last sync, counting the skipped resyncs of an idle pod. */
  #lastSyncMillis(type: UpdateType): number {
    const { clock, resyncAtMillis } = this.#modules;
    const syncedAtMillis = this.#syncedAtMillis;
    if (this.#idleResyncMillis === undefined || !this.#areResyncsSkipped) return syncedAtMillis;
    const firstMillis = resyncAtMillis(syncedAtMillis + this.#idleResyncMillis);
    const periodMillis = resyncAtMillis(firstMillis + this.#idleResyncMillis) - firstMillis;
    const periods = (clock.nowMillis() - firstMillis) / periodMillis;
    const isAfterResync = type === 'update' || type === 'kill';
    const count = isAfterResync ? Math.floor(periods) : Math.ceil(periods) - 1;
    return count < 0 ? syncedAtMillis : firstMillis + count * periodMillis;
  }
}
