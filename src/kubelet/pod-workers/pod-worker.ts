import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Operation } from '../containers/container-runtime.ts';
import type { PodCacheAnswer } from '../pleg/pod-cache.ts';
import type { RuntimePodStatus } from '../pleg/runtime.ts';
import { effectiveGraceSeconds } from './grace-period.ts';
import { type NextSyncCause, nextSyncMillis } from './next-sync.ts';
import type { OnSynced, PodSyncer, SyncResult } from './sync-result.ts';

/**
 * Why a pod is to be synced: `update`: it is wanted otherwise; `event`: its containers are otherwise; `resync`: its
 * time has come, and nothing is known to have changed.
 */
export type UpdateType = 'update' | 'event' | 'kill' | 'resync';

type State = 'syncing' | 'terminating' | 'terminated' | 'finished';

export interface PodWorkerModules {
  readonly clock: Clock;
  readonly syncer: PodSyncer;
  /** Answers with a status of the pod that is newer than that moment, as soon as there is one. */
  readonly getNewerThan: (uid: string, minMillis: number, onAnswer: (answer: PodCacheAnswer) => void) => void;
  /** Looks at the pod soon, so that what the sync did need not wait for a full relist. */
  readonly requestRelist: (uid: string) => void;
  /** The pod is to be synced again after this long; undefined: only when something happens. */
  readonly enqueue: (uid: string, delayMillis: number | undefined) => void;
  /** In [0, 1): the same for the same pod and count. */
  readonly jitterShare: (uid: string, count: number) => number;
  /** When the sync loop does what it was asked for after so long. */
  readonly resyncAtMillis: (dueMillis: number) => number;
  /** Whether resyncs of pods that nothing has happened to may be left out now. */
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
 * A sync that is overtaken by the pod's termination, or by a shorter grace period, is cancelled.
 *
 * A pod whose last sync found nothing to do is settled: resyncs would find nothing either. They are left out, and
 * `#lastSyncMillis` says when the last of them would have been, since that decides whether the next sync has to wait
 * for a relist. For this the jitter of resyncs is drawn once for as long as a pod is settled. An update at the very
 * moment of such a resync would come after it, anything else would be one with it.
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
  /** Counts syncs: what a cancelled one says is not heard. */
  #syncCount = 0;
  #syncedAtMillis = Number.NEGATIVE_INFINITY;
  /** What the sync that is under way had to be newer than. */
  #minMillis = Number.NEGATIVE_INFINITY;
  /** Of a settled pod, how long after one another its resyncs are asked for. */
  #settledMillis: number | undefined;
  /** Its resyncs are left out. */
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

  /** Whether containers of the pod may be running, or may yet be started. */
  get mayRun(): boolean {
    return this.#state === 'syncing' || this.#state === 'terminating';
  }

  get isTerminating(): boolean {
    return this.#state !== 'syncing';
  }

  get isFinished(): boolean {
    return this.#state === 'finished';
  }

  /** The pod had ended before this node agent began. */
  beginTerminated(): void {
    this.#state = 'terminated';
  }

  update(pod: Pod, type: UpdateType): void {
    if (this.#state === 'finished' || this.#isStopped) return;
    this.#pod = pod;
    const isOvertaken = this.#terminate(pod, type);
    // Whatever has happened, a resync beside it changes nothing.
    if (this.#pending === undefined || this.#pending === 'resync') this.#pending = type;
    if (isOvertaken && this.#isWorking) this.#cancel();
    if (!this.#isWorking) this.#work(type);
  }

  /** Resyncs are no longer left out: the next one comes when it would have come. */
  resumeResyncs(): void {
    if (!this.#areResyncsSkipped || this.#settledMillis === undefined) return;
    this.#syncedAtMillis = this.#lastSyncMillis('event');
    this.#areResyncsSkipped = false;
    const dueMillis = this.#syncedAtMillis + this.#settledMillis;
    this.#modules.enqueue(this.#uid, Math.max(0, dueMillis - this.#modules.clock.nowMillis()));
  }

  /** The node agent ends. What the runtime does goes on. */
  stop(): void {
    this.#isStopped = true;
    this.#current?.cancel();
  }

  /** Begins the termination if there is reason to; whether a sync that is under way is overtaken. */
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
    // Before it has a status to begin with there is nothing to be cancelled.
    if (this.#current === undefined) return;
    this.#current.cancel();
    this.#current = undefined;
    this.#syncCount++;
    this.#settledMillis = undefined;
    this.#syncedAtMillis = this.#modules.clock.nowMillis();
    this.#work('update');
  }

  #work(type: UpdateType): void {
    this.#isWorking = true;
    this.#minMillis = this.#lastSyncMillis(type);
    this.#modules.getNewerThan(this.#uid, this.#minMillis, (answer) => this.#sync(answer));
  }

  #sync({ status, error }: PodCacheAnswer): void {
    if (this.#isStopped) return;
    const type = this.#pending;
    this.#pending = undefined;
    if (error !== undefined || status === undefined) {
      this.#complete(type, { error: { kind: 'other', message: error?.message ?? 'no status' } });
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
  }

  /** While a sync takes time, the resync that would have come next may come. */
  #resumeNextResync(): void {
    if (!this.#areResyncsSkipped || this.#settledMillis === undefined) return;
    const { clock, enqueue, resyncAtMillis } = this.#modules;
    const dueMillis = this.#minMillis + this.#settledMillis;
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
    const wasSettled = this.#settledMillis;
    this.#settledMillis = undefined;
    this.#syncedAtMillis = this.#modules.clock.nowMillis();
    if (this.#advance(result)) {
      this.#queue({ type: 'phase transition' });
      if (!this.isFinished) this.#pending ??= 'update';
    } else if (result.error !== undefined) {
      this.#queue({ type: 'error', error: result.error });
    } else {
      this.#queueResync(result, type === 'resync' ? wasSettled : undefined);
    }
    if (result.hasActed && result.error === undefined) this.#modules.requestRelist(this.#uid);
    this.#isWorking = false;
    if (this.#pending !== undefined) this.#work(this.#pending);
  }

  /** To the next state, if the sync was the last one in this. */
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
    const delayMillis = nextSyncMillis(cause, clock.nowMillis(), this.#nextShare());
    enqueue(this.#uid, this.isFinished ? undefined : delayMillis);
  }

  /** `settledMillis`: of a pod that was settled before this resync, and still is. */
  #queueResync({ hasActed }: SyncResult, settledMillis: number | undefined): void {
    const { clock, enqueue, maySkipResyncs } = this.#modules;
    const delayMillis = settledMillis ?? nextSyncMillis({ type: 'success' }, clock.nowMillis(), this.#nextShare());
    if (!hasActed) this.#settledMillis = delayMillis;
    this.#areResyncsSkipped = !hasActed && maySkipResyncs();
    enqueue(this.#uid, this.#areResyncsSkipped ? undefined : delayMillis);
  }

  #nextShare(): number {
    return this.#modules.jitterShare(this.#uid, this.#jitterCount++);
  }

  /** Of a settled pod, when the last of the resyncs would have been that were left out. */
  #lastSyncMillis(type: UpdateType): number {
    const { clock, resyncAtMillis } = this.#modules;
    const syncedAtMillis = this.#syncedAtMillis;
    if (this.#settledMillis === undefined || !this.#areResyncsSkipped) return syncedAtMillis;
    const firstMillis = resyncAtMillis(syncedAtMillis + this.#settledMillis);
    const periodMillis = resyncAtMillis(firstMillis + this.#settledMillis) - firstMillis;
    const periods = (clock.nowMillis() - firstMillis) / periodMillis;
    const isAfterResync = type === 'update' || type === 'kill';
    const count = isAfterResync ? Math.floor(periods) : Math.ceil(periods) - 1;
    return count < 0 ? syncedAtMillis : firstMillis + count * periodMillis;
  }
}
