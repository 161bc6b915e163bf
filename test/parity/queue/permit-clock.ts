import type { EventLoop, Timer, VirtualEventLoop } from '../../../src/lib/event-loop.ts';

interface Waiting {
  readonly delayMillis: number;
  readonly task: () => void;
}

/**
 * The waits of the recorded Permit plugins ran on the machine's own clock, beside the recorded one: they end when the
 * recording says so.
 */
export class PermitClock implements EventLoop {
  readonly #loop: VirtualEventLoop;
  readonly #waiting = new Set<Waiting>();

  constructor(loop: VirtualEventLoop) {
    this.#loop = loop;
  }

  nowMillis(): number {
    return this.#loop.nowMillis();
  }

  soon(task: () => void): void {
    this.#loop.soon(task);
  }

  after(delayMillis: number, task: () => void): Timer {
    const waiting = { delayMillis, task };
    this.#waiting.add(waiting);
    return { cancel: () => this.#waiting.delete(waiting) };
  }

  /** The shortest wait is over. */
  endNext(): void {
    const [next] = [...this.#waiting].sort((a, b) => a.delayMillis - b.delayMillis);
    if (next === undefined) return;
    this.#waiting.delete(next);
    next.task();
  }
}
