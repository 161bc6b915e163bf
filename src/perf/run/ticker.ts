import type { EventLoop, Timer } from '../../lib/event-loop.ts';

/** Calls at equal distances, the first time after one of them, until it is stopped or `tick` says that it is over. */
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

  /** Throws what a tick has thrown, which was the last one then. */
  get isOver(): boolean {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#timer === undefined;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Ticks that are late do not move those that follow. */
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
