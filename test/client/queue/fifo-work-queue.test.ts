import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FifoWorkQueue } from '../../../src/client/queue/work-queues.ts';

const KEYS = ['a', 'b', 'c', 'd'];

/** A queue as a list and a set, each call written down as what it means. */
class QueueModel {
  ready: string[] = [];
  processing = new Set<string>();
  again = new Set<string>();
  isShuttingDown = false;

  add(key: string): void {
    if (this.isShuttingDown || this.ready.includes(key)) return;
    if (this.processing.has(key)) this.again.add(key);
    else this.ready.push(key);
  }

  get(): string | undefined {
    const key = this.ready.shift();
    if (key !== undefined) this.processing.add(key);
    return key;
  }

  done(key: string): void {
    this.processing.delete(key);
    if (this.again.delete(key)) this.ready.push(key);
  }
}

describe('FifoWorkQueue', () => {
  it('hands out keys in the order of adding, each once', () => {
    const queue = new FifoWorkQueue();
    for (const key of ['b', 'a', 'b', 'c', 'a']) queue.add(key);
    expect(queue.length).toBe(3);
    expect([queue.get(), queue.get(), queue.get(), queue.get()]).toEqual(['b', 'a', 'c', undefined]);
  });

  it('keeps a key that is added while being processed until it is done', () => {
    const queue = new FifoWorkQueue();
    queue.add('a');
    queue.get();
    queue.add('a');
    queue.add('a');
    expect([queue.length, queue.get()]).toEqual([0, undefined]);
    queue.done('a');
    expect([queue.length, queue.get()]).toEqual([1, 'a']);
    queue.done('a');
    expect(queue.length).toBe(0);
  });

  it('wakes its consumer for every key that becomes ready', () => {
    const queue = new FifoWorkQueue();
    const lengths: number[] = [];
    queue.onReady(() => lengths.push(queue.length));
    for (const key of ['a', 'a', 'b']) queue.add(key);
    queue.get();
    queue.add('a');
    queue.done('a');
    expect(lengths).toEqual([1, 2, 2]);
  });

  it('takes nothing after it was shut down, and still hands out what was ready', () => {
    const queue = new FifoWorkQueue();
    queue.add('a');
    queue.shutDown();
    queue.add('b');
    expect([queue.isShuttingDown, queue.get(), queue.get()]).toEqual([true, 'a', undefined]);
  });

  it('is drained when nothing is ready and nothing is processed', () => {
    const queue = new FifoWorkQueue();
    queue.add('a');
    queue.add('b');
    queue.get();
    queue.add('a');
    let drained = 0;
    queue.shutDownWithDrain(() => drained++);
    queue.done('a');
    queue.get();
    queue.done('b');
    expect(drained).toBe(0);
    queue.get();
    queue.done('a');
    expect(drained).toBe(1);

    const empty = new FifoWorkQueue();
    empty.shutDownWithDrain(() => drained++);
    expect(drained).toBe(2);
  });

  it('refuses a done without a get', () => {
    expect(() => new FifoWorkQueue().done('a')).toThrow('a is done but was not being processed');
  });

  it('behaves as the model, for any calls', () => {
    const key = fc.constantFrom(...KEYS);
    const call = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), key }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('get' as const), key }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('done' as const), key }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('shutDown' as const), key }) },
    );
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const queue = new FifoWorkQueue();
        const model = new QueueModel();
        for (const { do: what, key } of calls) {
          if (what === 'add') {
            queue.add(key);
            model.add(key);
          } else if (what === 'get') {
            expect(queue.get()).toBe(model.get());
          } else if (what === 'shutDown') {
            queue.shutDown();
            model.isShuttingDown = true;
          } else if (model.processing.has(key)) {
            queue.done(key);
            model.done(key);
          }
          expect(queue.length).toBe(model.ready.length);
        }
      }),
    );
  });
});
