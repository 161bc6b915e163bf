import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { Fifo } from '../../lib/fifo.ts';
import type { GenericPleg } from './generic-pleg.ts';

export interface RelistLoopOptions {
  readonly pleg: GenericPleg;
  readonly loop: EventLoop;
  /** The time from the end of one full relist to the start of the next. */
  readonly relistPeriodMillis?: number;
  /** How many requests for single pods may wait; further ones are refused. */
  readonly requestCapacity?: number;
}

interface RelistRequest {
  readonly uid: string;
  readonly requestedAtMillis: number;
}

/**
 * Runs the PLEG: full relists at a fixed period, and relists of single pods when a caller cannot wait for the next full
 * one. A full relist goes first, and serves the requests that were made before it.
 */
export class RelistLoop {
  readonly #pleg: GenericPleg;
  readonly #loop: EventLoop;
  readonly #relistPeriodMillis: number;
  readonly #requestCapacity: number;
  readonly #requests = new Fifo<RelistRequest>();
  #timer: Timer | undefined;
  #nextRelistMillis = Number.POSITIVE_INFINITY;

  constructor({ pleg, loop, relistPeriodMillis = 1000, requestCapacity = 200 }: RelistLoopOptions) {
    this.#pleg = pleg;
    this.#loop = loop;
    this.#relistPeriodMillis = relistPeriodMillis;
    this.#requestCapacity = requestCapacity;
  }

  /** Starts the loop; the first full relist is due at once. */
  start(): void {
    if (this.#timer === undefined) this.#scheduleRelist(0);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#nextRelistMillis = Number.POSITIVE_INFINITY;
  }

  /**
   * Requests a relist of one pod. Returns false when too many requests wait, so that the next full relist has to serve
   * this one.
   */
  requestRelist(uid: string): boolean {
    if (this.#requests.length >= this.#requestCapacity) return false;
    this.#requests.push({ uid, requestedAtMillis: this.#loop.nowMillis() });
    this.#loop.soon(() => this.#serveRequest());
    return true;
  }

  #scheduleRelist(delayMillis: number): void {
    this.#nextRelistMillis = this.#loop.nowMillis() + delayMillis;
    this.#timer = this.#loop.after(delayMillis, () => this.#relist());
  }

  #relist(): void {
    try {
      this.#pleg.relist();
    } finally {
      // The loop may have been stopped during the relist.
      if (this.#timer !== undefined) this.#scheduleRelist(this.#relistPeriodMillis);
    }
  }

  #serveRequest(): void {
    if (this.#nextRelistMillis <= this.#loop.nowMillis()) {
      this.#timer?.cancel();
      this.#relist();
    }
    const request = this.#requests.shift();
    if (request === undefined) return;
    const { relistMillis } = this.#pleg;
    if (relistMillis === undefined || request.requestedAtMillis >= relistMillis) this.#pleg.relistPod(request.uid);
  }
}
