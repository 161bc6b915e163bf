import type { Pod } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';
import { millisOrZero } from '../api/time.ts';
import { keyedPrng } from '../lib/keyed-prng.ts';
import { SmallMap } from '../lib/small-map.ts';
import { refusalOf } from './admission/admit-pod.ts';
import { NodeLoad } from './admission/node-load.ts';
import { GridRelists } from './grid-relists.ts';
import type { IdleLife, KubeletModules, KubeletOptions } from './kubelet-options.ts';
import type { PodLifecycleEvent } from './pleg/compute-events.ts';
import { EventChannel } from './pleg/event-channel.ts';
import { GenericPleg, type PlegHealth } from './pleg/generic-pleg.ts';
import { PodCache } from './pleg/pod-cache.ts';
import { askRuntime, type RuntimePod } from './pleg/runtime.ts';
import { isSameApartFromStatus } from './pod-changes.ts';
import { deadlineMillisOf, RuntimePodSyncer } from './pod-syncer.ts';
import { PodWorker, type PodWorkerModules } from './pod-workers/pod-worker.ts';
import { isReadinessOutdated } from './status/conditions.ts';
import { rejectedStatus } from './status/pod-status.ts';
import { StatusManager } from './status/status-manager.ts';
import { SyncTicker } from './sync-ticker.ts';
import { type Grid, housekeepingGrid, LateTick, relistGrid, SYNC_FRACTION, untilWholeMillis } from './tick-wheel.ts';

const SECOND_MILLIS = 1000;
const STATUS_ROUND_MILLIS = 10_000;
/** While the PLEG is unhealthy, the sync loop checks it again after this delay, which doubles up to a maximum. */
const UNHEALTHY_BASE_MILLIS = 100;
const UNHEALTHY_MAX_MILLIS = 5000;

const NOBODY: readonly string[] = [];

/** A change of a pod of this node. */
type ConfigUpdate = { readonly type: 'update' | 'remove'; readonly pod: Pod };

/**
 * One node agent: it runs the pods of its node and reports their status.
 *
 * ```
 *   pods of the API ─▶ configCh ───────┐
 *   PLEG ────────────▶ plegCh ─────────┤            pod workers              status manager
 *   work queue ──────▶ syncCh (1 s) ───┼─▶ sync loop ─▶ one a pod ─▶ syncs ─▶ writes ─▶ API
 *   a probe passes ────────────────────┤                  │  ▲
 *   housekeeping (2 s) ────────────────┘       container runtime ─▶ PLEG ─▶ cache
 * ```
 *
 * Tickers tick on grids of the agent's own, and only when there is something to do (`TickWheel`, `GridRelists`,
 * `PodWorker`): an agent without work has no timer.
 *
 * Upstream: syncLoopIteration in pkg/kubelet/kubelet.go.
 */
export class Kubelet {
  readonly #modules: KubeletModules;
  readonly #options: KubeletOptions;
  readonly #cache: PodCache;
  readonly #plegCh: EventChannel;
  readonly #pleg: GenericPleg;
  readonly #relists: GridRelists;
  readonly #ticker: SyncTicker;
  readonly #statuses: StatusManager;
  readonly #syncer: RuntimePodSyncer;
  readonly #workerModules: PodWorkerModules;
  readonly #pods = new SmallMap<string, Pod>();
  readonly #workers = new SmallMap<string, PodWorker>();
  /**
   * The pods that admission counts: those that the API has, and that have not ended. A pod that was deleted by force is
   * not among them, although its containers may still run: the scheduler has given its room away already, and would go
   * on binding pods that are rejected here. Upstream: GetActivePods in pkg/kubelet/kubelet_pods.go.
   */
  readonly #load = new NodeLoad();
  #configCh: ConfigUpdate[] = [];
  /** The pods whose time has come, each once. */
  #syncCh: readonly string[] = NOBODY;
  readonly #housekeeping: LateTick;
  readonly #statusRound: LateTick;
  #isAwake = false;
  #unhealthyMillis = UNHEALTHY_BASE_MILLIS;
  #isStopped = false;

  constructor(modules: KubeletModules, options: KubeletOptions) {
    const { loop, wheel, runtime, client, reportError, claims, recorder } = modules;
    const { rank, phaseMillis, isEager, listMillis } = options;
    this.#modules = modules;
    this.#options = options;
    this.#cache = new PodCache((task) => this.#atWholeMillis(task));
    this.#plegCh = new EventChannel(undefined, () => this.#wake());
    this.#pleg = new GenericPleg({ runtime, cache: this.#cache, channel: this.#plegCh, clock: loop });
    options.onPleg?.(this.#pleg, this.#plegCh);
    const grid = relistGrid(phaseMillis);
    this.#relists = new GridRelists(
      { pleg: this.#pleg, cache: this.#cache, loop, wheel },
      { rank, grid, isEager, listMillis, onTrouble: () => this.#resumeResyncs() },
    );
    const onDue = (uids: readonly string[]): void => {
      this.#syncCh = this.#syncCh.length === 0 ? uids : [...new Set([...this.#syncCh, ...uids])];
      this.#wake();
    };
    const syncGrid = { periodMillis: SECOND_MILLIS, offsetMillis: phaseMillis + SYNC_FRACTION };
    this.#ticker = new SyncTicker({ loop, wheel, onDue }, { rank, grid: syncGrid, isEager });
    this.#housekeeping = this.#lateTick(housekeepingGrid(phaseMillis));
    this.#statusRound = this.#lateTick({
      periodMillis: STATUS_ROUND_MILLIS,
      offsetMillis: phaseMillis + SYNC_FRACTION,
    });
    this.#statuses = new StatusManager({
      client,
      loop,
      reportError,
      mayRun: (uid) => this.#workers.get(uid)?.mayRun ?? false,
      requestRound: () => this.#statusRound.request(),
    });
    this.#syncer = new RuntimePodSyncer({
      runtime,
      claims,
      loop,
      recorder,
      statuses: this.#statuses,
      hostIp: options.hostIp,
      onProbe: (uid) => this.#syncPods([uid], 'event'),
    });
    this.#workerModules = this.#newWorkerModules();
  }

  /** `pods`: the pods of this node, as the API has them. */
  start(pods: readonly Pod[]): void {
    this.#relists.start();
    this.#ticker.start();
    this.setPods(pods);
    // The runtime may still run pods that have been deleted meanwhile.
    this.#housekeeping.request();
  }

  /** Takes over from an idle kubelet, as if this one had been there in its place, without any pods. @internal */
  resume(life: IdleLife): void {
    this.#relists.resume(life);
    this.#ticker.start();
    if (life.housekeeping === 'requested') this.#housekeeping.request(life.sinceMillis);
    if (life.housekeeping !== 'due') return;
    this.#housekeeping.tick();
    this.#isAwake = true;
    life.takeIteration(this.#iterate);
  }

  /** Stops the agent; the containers keep running. */
  stop(): void {
    this.#isStopped = true;
    this.#relists.stop();
    this.#ticker.stop();
    this.#syncer.stop();
    this.#statuses.stop();
    for (const worker of this.#workers.values()) worker.stop();
  }

  /** Records that the listing of this pod may have changed; undefined stands for any pod. */
  runtimeChanged(podUid: string | undefined): void {
    this.#relists.runtimeChanged(podUid);
  }

  health(): PlegHealth {
    this.#relists.catchUp();
    return this.#pleg.healthy();
  }

  /** Replaces all pods of this node, after a time without events. */
  setPods(pods: readonly Pod[]): void {
    const uids = new Set(pods.map(({ metadata }) => metadata?.uid ?? ''));
    for (const [uid, pod] of this.#pods) if (!uids.has(uid)) this.#configure({ type: 'remove', pod });
    const createdMillis = ({ metadata }: Pod): number => millisOrZero(metadata?.creationTimestamp);
    const byAge = pods.toSorted((a, b) => createdMillis(a) - createdMillis(b));
    for (const pod of byAge) {
      this.#configure({ type: 'update', pod });
      this.#statuses.reconcile(pod);
    }
  }

  podChanged(before: Pod | undefined, pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    if (before === undefined || !this.#pods.has(uid) || !isSameApartFromStatus(before, pod)) {
      this.#configure({ type: 'update', pod });
      return;
    }
    this.#pods.set(uid, pod);
    this.#load.statusChanged(uid, before, pod);
    this.#statuses.reconcile(pod);
    if (isReadinessOutdated(pod)) this.#configure({ type: 'update', pod });
  }

  podRemoved(pod: Pod): void {
    this.#configure({ type: 'remove', pod });
  }

  #newWorkerModules(): PodWorkerModules {
    const { loop } = this.#modules;
    const { seed, isEager } = this.#options;
    return {
      clock: loop,
      syncer: this.#syncer,
      getNewerThan: (uid, minMillis, onAnswer) => {
        this.#relists.catchUp();
        this.#cache.getNewerThan(uid, minMillis, onAnswer);
        this.#relists.catchUp();
      },
      requestRelist: (uid) => this.#relists.requestRelist(uid),
      enqueue: (uid, delayMillis) => this.#enqueue(uid, delayMillis),
      jitterShare: (uid, count) => keyedPrng(seed, `${uid}/${count}`).next() / 2 ** 32,
      resyncAtMillis: (dueMillis) => this.#ticker.servedAtMillis(dueMillis),
      maySkipResyncs: () => !isEager && !this.#relists.isTroubled,
    };
  }

  #enqueue(uid: string, delayMillis: number | undefined): void {
    if (delayMillis === undefined) this.#ticker.dequeue(uid);
    else this.#ticker.enqueue(uid, delayMillis);
    const worker = this.#workers.get(uid);
    if (worker?.mayRun === false) this.#load.delete(uid);
    if (worker?.isFinished) {
      this.#ticker.forget(uid);
      if (!this.#pods.has(uid)) this.#housekeeping.request();
    } else if (worker?.isTerminating === false && worker.pod.spec?.activeDeadlineSeconds !== undefined) {
      const deadlineMillis = deadlineMillisOf(worker.pod, this.#statuses.statusOf(uid) ?? {});
      if (deadlineMillis < Number.POSITIVE_INFINITY) this.#ticker.setDeadline(uid, deadlineMillis);
    }
  }

  /** A failing runtime may stop the sync loop, and with it resyncs, so no resync may be skipped then. */
  #resumeResyncs(): void {
    for (const worker of this.#workers.values()) worker.resumeResyncs();
  }

  #configure(update: ConfigUpdate): void {
    if (this.#configCh.length === 0) this.#configCh = [update];
    else this.#configCh.push(update);
    this.#wake();
  }

  #atWholeMillis(task: () => void): void {
    const { loop } = this.#modules;
    loop.after(untilWholeMillis(loop.nowMillis()), task);
  }

  #wake(): void {
    if (this.#isAwake || this.#isStopped) return;
    this.#isAwake = true;
    this.#atWholeMillis(this.#iterate);
  }

  /** Handles everything that has arrived in the channels. */
  readonly #iterate = (): void => {
    this.#isAwake = false;
    if (this.#isStopped) return;
    if (!this.health().ok) {
      this.#isAwake = true;
      this.#modules.loop.after(this.#unhealthyMillis, this.#iterate);
      this.#unhealthyMillis = Math.min(2 * this.#unhealthyMillis, UNHEALTHY_MAX_MILLIS);
      return;
    }
    this.#unhealthyMillis = UNHEALTHY_BASE_MILLIS;
    if (this.#configCh.length > 0) {
      const updates = this.#configCh;
      this.#configCh = [];
      for (const { type, pod } of updates) {
        if (type === 'remove') this.#removePod(pod);
        else this.#updatePod(pod);
      }
    }
    if (this.#plegCh.length > 0) for (const event of this.#plegCh.take()) this.#handle(event);
    if (this.#syncCh.length > 0) {
      const due = this.#syncCh;
      this.#syncCh = NOBODY;
      this.#syncPods(due, 'resync');
    }
    if (this.#housekeeping.take()) this.#clean();
    if (this.#statusRound.take()) this.#statuses.round();
  };

  #updatePod(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    const isNew = !this.#pods.has(uid);
    this.#pods.set(uid, pod);
    const known = this.#workers.get(uid);
    if (known !== undefined) {
      known.update(pod, 'update');
      if (known.mayRun) this.#load.set(uid, pod);
      if (known.isFinished) this.#statuses.reconcile(pod);
      return;
    }
    // A pod that was rejected at admission has no worker.
    if (!isNew && this.#statuses.statusOf(uid) !== undefined) {
      this.#statuses.terminatePod(pod);
      return;
    }
    if (!isPodFinished(pod) && pod.metadata?.deletionTimestamp === undefined && !this.#admit(pod)) return;
    const worker = new PodWorker(pod, this.#workerModules);
    this.#workers.set(uid, worker);
    if (isPodFinished(pod) && !this.#isRunning(uid)) worker.beginTerminated();
    worker.update(pod, 'update');
    if (worker.mayRun) this.#load.set(uid, pod);
  }

  #admit(pod: Pod): boolean {
    const { node, recorder } = this.#modules;
    const shown = node();
    if (shown === undefined) return true;
    const refusal = refusalOf(shown, this.#load, pod);
    if (refusal === undefined) return true;
    recorder.event(pod, 'Warning', refusal.reason, refusal.message);
    this.#statuses.rejectPod(pod, rejectedStatus(pod, refusal));
    return false;
  }

  #isRunning(uid: string): boolean {
    const { status } = this.#cache.get(uid);
    return status?.containerStatuses.some(({ state }) => state === 'running') ?? false;
  }

  #removePod(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    this.#pods.delete(uid);
    this.#load.delete(uid);
    const worker = this.#workers.get(uid);
    if (worker === undefined) this.#statuses.forget(uid);
    else if (worker.isFinished) this.#housekeeping.request();
    else worker.update(pod, 'kill');
  }

  #handle({ podUid, type, containerId }: PodLifecycleEvent): void {
    // The kubelet removed the container itself, so the event brings no news.
    if (type === 'ContainerRemoved') return;
    this.#syncPods([podUid], 'event');
    if (type === 'ContainerDied' && containerId !== undefined) this.#removeOlderAttempts(podUid, containerId);
  }

  /** Removes all exited containers of the same name except the last one. Upstream: pod_container_deletor.go. */
  #removeOlderAttempts(podUid: string, containerId: string): void {
    const { containerStatuses = [] } = this.#cache.get(podUid).status ?? {};
    const died = containerStatuses.find(({ id }) => id === containerId);
    const ended = containerStatuses.filter(({ name, state }) => name === died?.name && state === 'exited');
    for (const { id } of ended.slice(0, -1)) this.#modules.runtime.removeContainer(id);
  }

  #syncPods(uids: Iterable<string>, type: 'event' | 'resync'): void {
    for (const uid of uids) {
      const worker = this.#workers.get(uid);
      worker?.update(this.#pods.get(uid) ?? worker.pod, type);
    }
  }

  #lateTick(grid: Grid): LateTick {
    const { loop, wheel } = this.#modules;
    return new LateTick({ loop, wheel, wake: () => this.#wake() }, this.#options.rank, grid);
  }

  /** Upstream: HandlePodCleanups in pkg/kubelet/kubelet_pods.go. */
  #clean(): void {
    const { runtime, claims } = this.#modules;
    this.#workers.forEach((worker, uid) => {
      if (worker.isFinished && !this.#pods.has(uid)) this.#forget(uid);
    });
    claims.retain((uid) => this.#workers.has(uid) || this.#pods.has(uid) || this.#isRunning(uid));
    const listing = askRuntime(() => runtime.listPods());
    if ('error' in listing) {
      this.#housekeeping.request();
      return;
    }
    for (const pod of listing.value) {
      if (!this.#workers.has(pod.uid) && !this.#pods.has(pod.uid)) this.#killOrphan(pod);
    }
  }

  /** Ends a pod that runs since before this agent started, and that is not wanted any more. */
  #killOrphan({ uid, containers, sandboxes }: RuntimePod): void {
    if ([...containers, ...sandboxes].every(({ state }) => state === 'exited')) {
      this.#forget(uid);
      return;
    }
    const pod: Pod = { metadata: { uid, name: uid } };
    const worker = new PodWorker(pod, this.#workerModules);
    this.#workers.set(uid, worker);
    worker.update(pod, 'kill');
  }

  #forget(uid: string): void {
    this.#workers.delete(uid);
    this.#ticker.forget(uid);
    this.#statuses.forget(uid);
    this.#syncer.forget(uid);
    this.#modules.runtime.removePod(uid);
  }
}
