import type { EventLoop } from '../lib/event-loop.ts';
import { Fifo } from '../lib/fifo.ts';
import type { IdleLife } from './kubelet-options.ts';
import type { GenericPleg } from './pleg/generic-pleg.ts';
import type { PodCache } from './pleg/pod-cache.ts';
import { type Grid, type TickWheel, tickAfter, tickBefore } from './tick-wheel.ts';

/** The parts of a node agent that relist pods. */
export interface GridRelistsModules {
  readonly pleg: GenericPleg;
  readonly cache: PodCache;
  readonly loop: EventLoop;
  readonly wheel: TickWheel;
}

/** When the pods of a node are relisted. */
export interface GridRelistsOptions {
  readonly rank: number;
  readonly grid: Grid;
  /** Relists every period, even when nothing can have changed. */
  readonly isEager: boolean;
  /** How long the runtime takes to list its pods now. */
  readonly listMillis: () => number;
  /** Called when a relist has failed or takes time. */
  readonly onTrouble: () => void;
}

const NOBODY: readonly string[] = [];

/** Upstream: the channel of on-demand relists. */
const REQUEST_CAPACITY = 200;
const REQUEST_MILLIS = 1;

/**
 * Makes the relists of an agent, one a period, and skips those that would find nothing. A relist that takes time lists
 * the pods at its end; the next begins a period later.
 */
export class GridRelists {
  //   runtime unchanged since the last good relist, nobody waits for a newer status, no pod to be reinspected
  //     ─▶ a relist would list the same pods, send no event, and raise the cache's global time
  //
  // A skipped relist only raises the global time, to the last tick before somebody reads it (`catchUp`). A failing or
  // slow runtime counts as changed.

  readonly #modules: GridRelistsModules;
  readonly #options: GridRelistsOptions;
  #isRunning = false;
  /** Uids of pods whose listing may differ from the last relist, each once. Mostly there is one, or none. */
  #changedPods: readonly string[] = NOBODY;
  /** Whether any pod's listing may differ. */
  #hasChanged = true;
  readonly #requests = new Fifo<{ readonly uid: string; readonly requestedAtMillis: number }>();
  /** The tick that is scheduled; Infinity when none is. */
  #dueMillis = Number.POSITIVE_INFINITY;
  #isTroubled = false;
  /** The time of the last relist, whether made or skipped; earlier ticks no longer count. */
  #lastMillis = Number.NEGATIVE_INFINITY;

  constructor(modules: GridRelistsModules, options: GridRelistsOptions) {
    this.#modules = modules;
    this.#options = options;
  }

  start(): void {
    this.#isRunning = true;
    this.#hasChanged = true;
    this.#lastMillis = this.#modules.loop.nowMillis();
    this.#schedule();
  }

  /** Goes on where the relists of an idle kubelet have got to; nothing was listed until now. @internal */
  resume({ sinceMillis, relistMillis }: IdleLife): void {
    this.#isRunning = true;
    this.#lastMillis = relistMillis ?? sinceMillis;
    this.#hasChanged = relistMillis === undefined;
    if (relistMillis === undefined) this.#tickAfter(sinceMillis);
    else this.#modules.pleg.skipRelist(relistMillis);
  }

  stop(): void {
    this.#isRunning = false;
  }

  /** Whether the last relist failed or took time. */
  get isTroubled(): boolean {
    return this.#isTroubled;
  }

  /** Records that the listing of this pod may have changed; undefined stands for any pod. */
  runtimeChanged(uid: string | undefined): void {
    this.#catchUpIfUnchanged();
    const changed = this.#changedPods;
    if (uid === undefined) this.#hasChanged = true;
    else if (changed.length === 0) this.#changedPods = [uid];
    else if (!changed.includes(uid)) this.#changedPods = changed.concat(uid);
    this.#schedule();
  }

  /**
   * Brings the global time up to date. The caller calls it before it reads times of the cache or the health, and after
   * a pod worker began to wait.
   */
  catchUp(): void {
    this.#catchUpIfUnchanged();
    this.#schedule();
  }

  /**
   * Requests a relist of one pod, which comes a moment later, so that its listing is newer than the request. Returns
   * false when too many requests are waiting: the next full relist has to serve this one.
   */
  requestRelist(uid: string): boolean {
    const { loop } = this.#modules;
    if (this.#requests.length >= REQUEST_CAPACITY) return false;
    const requestedAtMillis = loop.nowMillis();
    this.#requests.push({ uid, requestedAtMillis });
    loop.after(REQUEST_MILLIS, this.#serveRequest);
    return true;
  }

  /** Relists the pod of the oldest request, unless a full relist has served it already. */
  readonly #serveRequest = (): void => {
    const request = this.#requests.shift();
    if (request === undefined || !this.#isRunning) return;
    this.catchUp();
    const { pleg } = this.#modules;
    const { relistMillis } = pleg;
    if (relistMillis === undefined || request.requestedAtMillis < relistMillis) return;
    // The pod was inspected, so it needs no full relist.
    if (pleg.relistPod(request.uid)) this.#changedPods = without(this.#changedPods, request.uid);
    this.#schedule();
  };

  get #isNeeded(): boolean {
    const { pleg, cache } = this.#modules;
    if (this.#options.isEager || this.#hasChanged || this.#changedPods.length > 0) return true;
    return cache.hasWaiters || pleg.podsToReinspect.size > 0;
  }

  #catchUpIfUnchanged(): void {
    if (!this.#isRunning || this.#isNeeded) return;
    const tickMillis = tickBefore(this.#options.grid, this.#modules.loop.nowMillis());
    if (tickMillis <= this.#lastMillis) return;
    this.#lastMillis = tickMillis;
    this.#modules.pleg.skipRelist(tickMillis);
  }

  #schedule(): void {
    if (!this.#isRunning || !this.#isNeeded || this.#dueMillis !== Number.POSITIVE_INFINITY) return;
    this.#tickAfter(Math.max(this.#modules.loop.nowMillis(), this.#lastMillis));
  }

  #tickAfter(millis: number): void {
    const { grid, rank } = this.#options;
    this.#dueMillis = tickAfter(grid, millis);
    this.#modules.wheel.at(this.#dueMillis, rank, this.#tick);
  }

  readonly #tick = (millis: number): void => {
    if (this.#dueMillis !== millis) return;
    if (this.#isNeeded) this.#relist();
    else this.#dueMillis = Number.POSITIVE_INFINITY;
  };

  #relist(): void {
    const listMillis = this.#options.listMillis();
    if (listMillis === 0 || !this.#isRunning) {
      this.#finishRelist();
      return;
    }
    this.#setTrouble(true);
    const { loop, wheel } = this.#modules;
    const dueMillis = tickAfter(this.#options.grid, loop.nowMillis() + Math.max(0, listMillis - 1));
    wheel.at(dueMillis, this.#options.rank, () => this.#finishRelist());
  }

  #finishRelist(): void {
    const { loop, pleg } = this.#modules;
    this.#dueMillis = Number.POSITIVE_INFINITY;
    if (!this.#isRunning) return;
    this.#lastMillis = loop.nowMillis();
    const isPartial = !this.#hasChanged && !this.#options.isEager && !this.#isTroubled;
    // Changes that happen during this relist, for example through its own events, are left for the next one.
    const changed = this.#changedPods;
    this.#changedPods = NOBODY;
    this.#hasChanged = this.#options.listMillis() > 0;
    try {
      if (isPartial) pleg.relistChanged(changed);
      else pleg.relist();
    } finally {
      if (pleg.relistMillis !== this.#lastMillis) this.#hasChanged = true;
      this.#setTrouble(this.#hasChanged);
      this.#schedule();
    }
  }

  #setTrouble(isTroubled: boolean): void {
    const wasTroubled = this.#isTroubled;
    this.#isTroubled = isTroubled;
    if (isTroubled && !wasTroubled) this.#options.onTrouble();
  }
}

function without(uids: readonly string[], uid: string): readonly string[] {
  if (uids.length === 1 && uids[0] === uid) return NOBODY;
  return uids.filter((other) => other !== uid);
}
