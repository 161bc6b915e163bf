import type { EventLoop } from '../lib/event-loop.ts';
import { Fifo } from '../lib/fifo.ts';
import type { GenericPleg } from './pleg/generic-pleg.ts';
import type { PodCache } from './pleg/pod-cache.ts';
import { type Grid, type TickWheel, tickAfter, tickBefore } from './tick-wheel.ts';

export interface GridRelistsModules {
  readonly pleg: GenericPleg;
  readonly cache: PodCache;
  readonly loop: EventLoop;
  readonly wheel: TickWheel;
}

export interface GridRelistsOptions {
  readonly rank: number;
  readonly grid: Grid;
  /** Also relists when nothing can have changed. */
  readonly isEager: boolean;
  /** How long the runtime takes to list its pods now. */
  readonly listMillis: () => number;
  /** A relist has failed, or takes time. */
  readonly onTrouble: () => void;
}

/** Upstream: the channel of on-demand relists. */
const REQUEST_CAPACITY = 200;
const REQUEST_MILLIS = 1;

/**
 * The relists of an agent, one a second, of which those that would find nothing are left out:
 *
 * ```
 *   runtime unchanged since the last good relist, nobody waits for a newer status, no pod to be inspected again
 *     ─▶ a relist would list the same pods, tell no event, and raise the cache's global time
 * ```
 *
 * Nothing but `catchUp` can tell the difference: it raises that time to the last tick before now, and is called before
 * anybody asks for it. A failing or slow runtime is one that changed, so that its relists are all made.
 *
 * A relist that is made looks at the pods that may have changed, unless it is not known which those are.
 *
 * A relist that takes time shows what there is at its end, and the next begins one period later.
 */
export class GridRelists {
  readonly #modules: GridRelistsModules;
  readonly #options: GridRelistsOptions;
  #isRunning = false;
  /** Pods that the runtime may show otherwise than at the last relist. */
  readonly #changedPods = new Set<string>();
  /** It may show anything. */
  #hasChanged = true;
  readonly #requests = new Fifo<{ readonly uid: string; readonly requestedAtMillis: number }>();
  /** The tick that was asked for last; Infinity when none is to come. */
  #dueMillis = Number.POSITIVE_INFINITY;
  #isTroubled = false;
  /** Of the last relist, made or left out; no tick before it counts. */
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

  stop(): void {
    this.#isRunning = false;
  }

  /** The last relist failed, or took time. */
  get isTroubled(): boolean {
    return this.#isTroubled;
  }

  /** The runtime may show this pod otherwise than before; undefined: it may show anything. */
  runtimeChanged(uid: string | undefined): void {
    this.#catchUpIfUnchanged();
    if (uid === undefined) this.#hasChanged = true;
    else this.#changedPods.add(uid);
    this.#schedule();
  }

  /** To be called before cache or health are asked for times, and after somebody began to wait. */
  catchUp(): void {
    this.#catchUpIfUnchanged();
    this.#schedule();
  }

  /**
   * Asks for a look at one pod, which comes a moment later, so that it is newer than what it is to show. False when too
   * many others wait: then the next full relist has to do.
   */
  requestRelist(uid: string): boolean {
    const { loop } = this.#modules;
    if (this.#requests.length >= REQUEST_CAPACITY) return false;
    const requestedAtMillis = loop.nowMillis();
    this.#requests.push({ uid, requestedAtMillis });
    loop.after(REQUEST_MILLIS, () => this.#serveRequest());
    return true;
  }

  /** A full relist settles the requests that are older. */
  #serveRequest(): void {
    const request = this.#requests.shift();
    if (request === undefined || !this.#isRunning) return;
    this.catchUp();
    const { pleg } = this.#modules;
    const { relistMillis } = pleg;
    if (relistMillis === undefined || request.requestedAtMillis < relistMillis) return;
    // Seen: for this pod no full relist is needed.
    if (pleg.relistPod(request.uid)) this.#changedPods.delete(request.uid);
    this.#schedule();
  }

  get #isNeeded(): boolean {
    const { pleg, cache } = this.#modules;
    if (this.#options.isEager || this.#hasChanged || this.#changedPods.size > 0) return true;
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
    const { loop, wheel } = this.#modules;
    const { grid, rank } = this.#options;
    const dueMillis = tickAfter(grid, Math.max(loop.nowMillis(), this.#lastMillis));
    this.#dueMillis = dueMillis;
    wheel.at(dueMillis, rank, () => {
      if (this.#dueMillis === dueMillis) this.#tick();
    });
  }

  #tick(): void {
    if (this.#isNeeded) this.#relist();
    else this.#dueMillis = Number.POSITIVE_INFINITY;
  }

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
    // What changes while it is told, as by its own events, is for the next.
    const changed = [...this.#changedPods];
    this.#changedPods.clear();
    this.#hasChanged = this.#options.listMillis() > 0;
    if (isPartial) pleg.relistChanged(changed);
    else pleg.relist();
    if (pleg.relistMillis !== this.#lastMillis) this.#hasChanged = true;
    this.#setTrouble(this.#hasChanged);
    this.#schedule();
  }

  #setTrouble(isTroubled: boolean): void {
    const wasTroubled = this.#isTroubled;
    this.#isTroubled = isTroubled;
    if (isTroubled && !wasTroubled) this.#options.onTrouble();
  }
}
