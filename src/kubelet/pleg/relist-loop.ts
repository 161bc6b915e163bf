import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { Fifo } from '../../lib/fifo.ts';
import type { GenericPleg } from './generic-pleg.ts';

export interface RelistLoopOptions {
  readonly pleg: GenericPleg;
  readonly loop: EventLoop;
  /** From the end of one full relist to the start of the next. */
  readonly relistPeriodMillis?: number;
  /** Requests for single pods that may wait; more are dropped. */
  readonly requestCapacity?: number;
}

interface RelistRequest {
  readonly uid: string;
  readonly requestedAtMillis: number;
}

/**
 * Runs the PLEG: full relists at a fixed period, and relists of single pods when somebody cannot wait for the next full
 * one. Full relists go first, and settle the requests that were made before them.
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

  /** The first full relist is due at once. */
  start(): void {
    if (this.#timer === undefined) this.#scheduleRelist(0);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#nextRelistMillis = Number.POSITIVE_INFINITY;
  }

  /** Asks for a look at one pod; false when too many others wait, so that the next full relist has to do. */
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
      // Unless it was stopped meanwhile.
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
