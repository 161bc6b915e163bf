import type { EventLoop } from '../../lib/event-loop.ts';
import { DelayedWorkQueue } from './delayed-work-queue.ts';
import type { RateLimitingQueue } from './queues.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A work queue for keys that are retried with growing delays. */
export class RateLimitedWorkQueue<K extends string> extends DelayedWorkQueue<K> implements RateLimitingQueue<K> {
  readonly #limiter: RateLimiter<K>;

  constructor(loop: EventLoop, limiter: RateLimiter<K>) {
    super(loop);
    this.#limiter = limiter;
  }

  addRateLimited(key: K): void {
    this.addAfter(key, this.#limiter.delayMillis(key));
  }

  forget(key: K): void {
    this.#limiter.forget(key);
  }

  numRequeues(key: K): number {
    return this.#limiter.numRequeues(key);
  }
}
