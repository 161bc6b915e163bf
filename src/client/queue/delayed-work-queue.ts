import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import { FifoWorkQueue } from './fifo-work-queue.ts';
import type { DelayingQueue } from './queues.ts';
import { WaitingKeys } from './waiting-keys.ts';

/**
 * A work queue to which keys can be added with a delay. It has one timer on the loop, for the key that is due first.
 */
export class DelayedWorkQueue<K extends string> extends FifoWorkQueue<K> implements DelayingQueue<K> {
  readonly #loop: EventLoop;
  readonly #waiting = new WaitingKeys<K>();
  #timer: Timer | undefined;
  #timerMillis = Number.POSITIVE_INFINITY;

  constructor(loop: EventLoop) {
    super();
    this.#loop = loop;
  }

  addAfter(key: K, delayMillis: number): void {
    if (this.isShuttingDown) return;
    if (delayMillis <= 0) {
      this.add(key);
      return;
    }
    this.#waiting.add(key, this.#loop.nowMillis() + delayMillis);
    this.#setTimer();
  }

  /** When the key will be added; undefined when it does not wait. */
  dueMillisOf(key: K): number | undefined {
    return this.#waiting.dueMillisOf(key);
  }

  /** Keys that wait for their time, in no particular order; ready keys are not among them. */
  waitingKeys(): Iterable<K> {
    return this.#waiting.keys();
  }

  /** Drops the waiting keys as well, since nothing may be added any more. */
  override shutDown(): void {
    super.shutDown();
    this.#waiting.clear();
    this.#setTimer();
  }

  #setTimer(): void {
    const dueMillis = this.#waiting.nextDueMillis ?? Number.POSITIVE_INFINITY;
    if (dueMillis === this.#timerMillis) return;
    this.#timer?.cancel();
    this.#timerMillis = dueMillis;
    if (dueMillis === Number.POSITIVE_INFINITY) this.#timer = undefined;
    else this.#timer = this.#loop.after(dueMillis - this.#loop.nowMillis(), () => this.#addDue());
  }

  #addDue(): void {
    this.#timerMillis = Number.POSITIVE_INFINITY;
    const nowMillis = this.#loop.nowMillis();
    for (;;) {
      const key = this.#waiting.takeDue(nowMillis);
      if (key === undefined) break;
      this.add(key);
    }
    this.#setTimer();
  }
}
