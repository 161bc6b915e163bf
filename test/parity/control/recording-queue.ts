import { ItemExponentialFailureRateLimiter } from '../../../src/client/queue/rate-limiter.ts';
import { RateLimitedWorkQueue } from '../../../src/client/queue/work-queues.ts';
import type { EventLoop } from '../../../src/lib/event-loop.ts';

export interface QueueCall {
  readonly queue: 'job' | 'orphan';
  readonly call: 'add' | 'addAfter' | 'addRateLimited';
  readonly key: string;
  readonly delayMillis: number;
}

/** The Job controller's queue, which records every call from outside. */
export class RecordingQueue<K extends string> extends RateLimitedWorkQueue<K> {
  readonly #name: QueueCall['queue'];
  readonly #record: (call: QueueCall) => void;
  #isInside = false;

  constructor(name: QueueCall['queue'], loop: EventLoop, record: (call: QueueCall) => void) {
    super(loop, new ItemExponentialFailureRateLimiter(1000, 60_000));
    this.#name = name;
    this.#record = record;
  }

  override add(key: K): void {
    this.#from('add', key, 0, () => super.add(key));
  }

  override addAfter(key: K, delayMillis: number): void {
    this.#from('addAfter', key, delayMillis, () => super.addAfter(key, delayMillis));
  }

  override addRateLimited(key: K): void {
    const delayMillis = Math.min(1000 * 2 ** this.numRequeues(key), 60_000);
    this.#from('addRateLimited', key, delayMillis, () => super.addRateLimited(key));
  }

  /** The key is first in the ready list, wherever it was. */
  putFirst(key: K): void {
    const others: K[] = [];
    for (let other = this.get(); other !== undefined; other = this.get()) others.push(other);
    super.add(key);
    // Keys that are being processed become ready again when they are done: behind the key.
    if (others.includes(key)) this.done(key);
    for (const other of others) {
      if (other === key) continue;
      super.add(other);
      this.done(other);
    }
  }

  /** When the first waiting key is due; undefined when none waits. */
  nextDueMillis(): number | undefined {
    let next: number | undefined;
    for (const key of this.waitingKeys()) {
      const due = this.dueMillisOf(key) as number;
      if (next === undefined || due < next) next = due;
    }
    return next;
  }

  /** One turn of a worker; whether there was a key. */
  work(sync: (key: K) => unknown): boolean {
    const key = this.get();
    if (key === undefined) return false;
    const error = sync(key);
    if (error === undefined) this.forget(key);
    else this.addRateLimited(key);
    this.done(key);
    return true;
  }

  #from(call: QueueCall['call'], key: K, delayMillis: number, run: () => void): void {
    if (!this.#isInside) this.#record({ queue: this.#name, call, key, delayMillis });
    this.#inside(run);
  }

  #inside(run: () => void): void {
    const wasInside = this.#isInside;
    this.#isInside = true;
    try {
      run();
    } finally {
      this.#isInside = wasInside;
    }
  }
}

/** Equal calls as one, in the order in which they first came, those of the job queue first. */
export function foldedCalls(calls: readonly QueueCall[]): object[] {
  const folded = new Map<string, { queue: string; call: string; key: string; delay: number; times: number }>();
  for (const { queue, call, key, delayMillis } of calls.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const id = `${queue} ${call} ${key} ${delayMillis}`;
    const known = folded.get(id);
    if (known === undefined) folded.set(id, { queue, call, key, delay: delayMillis / 1000, times: 1 });
    else known.times++;
  }
  return [...folded.values()];
}

function rankOf({ queue }: QueueCall): number {
  return queue === 'job' ? 0 : 1;
}
