import type { EventLoop, Timer } from '../../lib/event-loop.ts';

/** Calls `tick` at regular intervals, first after one interval, until it is stopped or `tick` returns `over`. */
export class Ticker {
  readonly #loop: EventLoop;
  readonly #intervalMillis: number;
  readonly #tick: () => 'again' | 'over';
  #nextMillis: number;
  #timer: Timer | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(loop: EventLoop, intervalMillis: number, tick: () => 'again' | 'over') {
    this.#loop = loop;
    this.#intervalMillis = intervalMillis;
    this.#tick = tick;
    this.#nextMillis = loop.nowMillis();
    this.#schedule();
  }

  /** Whether it has ended. Throws the error of a tick, which ends the ticker. */
  get isOver(): boolean {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#timer === undefined;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Schedules the next tick. A late tick does not delay the following ones. */
  #schedule(): void {
    this.#nextMillis += this.#intervalMillis;
    this.#timer = this.#loop.after(this.#nextMillis - this.#loop.nowMillis(), () => {
      try {
        if (this.#tick() === 'over') this.#timer = undefined;
        else this.#schedule();
      } catch (error) {
        this.#failure = { error };
        this.#timer = undefined;
      }
    });
  }
}
