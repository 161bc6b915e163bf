import type { EventLoop, Timer } from '../../../lib/event-loop.ts';

/** Calls at equal distances, the first time after one of them, until it is stopped or `tick` says that it is over. */
export class Ticker {
  readonly #loop: EventLoop;
  readonly #intervalMillis: number;
  readonly #tick: () => 'again' | 'over';
  #nextMillis: number;
  #timer: Timer | undefined;

  constructor(loop: EventLoop, intervalMillis: number, tick: () => 'again' | 'over') {
    this.#loop = loop;
    this.#intervalMillis = intervalMillis;
    this.#tick = tick;
    this.#nextMillis = loop.nowMillis();
    this.#schedule();
  }

  get isOver(): boolean {
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
      if (this.#tick() === 'over') this.#timer = undefined;
      else this.#schedule();
    });
  }
}
