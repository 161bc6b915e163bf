import { assert } from './assert.ts';
import type { EventLoop, Timer } from './event-loop.ts';

/** Another loop's time, running faster or slower by a factor; both begin at the same time. */
export class ScaledEventLoop implements EventLoop {
  readonly #loop: EventLoop;
  readonly #factor: number;
  readonly #startMillis: number;

  constructor(loop: EventLoop, factor: number) {
    assert(factor > 0, 'time runs forward');
    this.#loop = loop;
    this.#factor = factor;
    this.#startMillis = loop.nowMillis();
  }

  nowMillis(): number {
    return this.#startMillis + (this.#loop.nowMillis() - this.#startMillis) * this.#factor;
  }

  after(delayMillis: number, task: () => void): Timer {
    return this.#loop.after(delayMillis / this.#factor, task);
  }

  soon(task: () => void): void {
    this.#loop.soon(task);
  }
}
