import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelayedWorkQueue } from '../../../src/client/queue/work-queues.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

function newQueue(): { loop: VirtualEventLoop; queue: DelayedWorkQueue<string>; taken: () => string[] } {
  const loop = new VirtualEventLoop(0);
  const queue = new DelayedWorkQueue<string>(loop);
  const taken = (): string[] => {
    const keys: string[] = [];
    for (let key = queue.get(); key !== undefined; key = queue.get()) {
      keys.push(key);
      queue.done(key);
    }
    return keys;
  };
  return { loop, queue, taken };
}

describe('DelayedWorkQueue', () => {
  it('adds a key exactly when its delay is over', () => {
    const { loop, queue, taken } = newQueue();
    queue.addAfter('a', 1000);
    loop.runUntil(999);
    expect(taken()).toEqual([]);
    loop.runUntil(1000);
    expect(taken()).toEqual(['a']);
  });

  it('adds at once when there is no delay', () => {
    const { queue, taken } = newQueue();
    queue.addAfter('a', 0);
    queue.addAfter('b', -5);
    expect(taken()).toEqual(['a', 'b']);
  });

  it('keeps the earlier of two times', () => {
    const { loop, queue, taken } = newQueue();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 3000);
    queue.addAfter('b', 3000);
    queue.addAfter('b', 1000);
    expect([queue.dueMillisOf('a'), queue.dueMillisOf('b'), [...queue.waitingKeys()]]).toEqual([
      1000,
      1000,
      ['a', 'b'],
    ]);
    loop.runUntil(1000);
    expect(taken()).toEqual(['a', 'b']);
    loop.runUntilIdle();
    expect(taken()).toEqual([]);
  });

  it('adds keys by time, and those of the same time by name', () => {
    const { loop, queue, taken } = newQueue();
    for (const [key, delay] of Object.entries({ c: 20, b: 20, d: 10, a: 30 })) queue.addAfter(key, delay);
    loop.runUntil(100);
    expect(taken()).toEqual(['d', 'b', 'c', 'a']);
  });

  it('lets a key wait and be ready at the same time', () => {
    const { loop, queue, taken } = newQueue();
    queue.addAfter('a', 10);
    queue.add('a');
    expect(taken()).toEqual(['a']);
    loop.runUntil(10);
    expect(taken()).toEqual(['a']);
  });

  it('forgets what waits when it is shut down', () => {
    const { loop, queue, taken } = newQueue();
    queue.addAfter('a', 10);
    queue.shutDown();
    queue.addAfter('b', 10);
    expect([loop.pending, queue.dueMillisOf('a'), queue.dueMillisOf('b')]).toEqual([0, undefined, undefined]);
    loop.runUntilIdle();
    expect(taken()).toEqual([]);
  });

  it('behaves as a list of times, for any delays', () => {
    const step = fc.oneof(
      fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), delay: fc.integer({ min: -1, max: 8 }) }),
      fc.record({ advance: fc.integer({ min: 1, max: 4 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { loop, queue, taken } = newQueue();
        const waiting = new Map<string, number>();
        let ready: string[] = [];
        const makeReady = (key: string): void => {
          if (!ready.includes(key)) ready.push(key);
        };
        for (const step of steps) {
          if ('key' in step) {
            queue.addAfter(step.key, step.delay);
            const due = loop.nowMillis() + step.delay;
            if (step.delay <= 0) makeReady(step.key);
            else waiting.set(step.key, Math.min(due, waiting.get(step.key) ?? due));
            continue;
          }
          loop.runUntil(loop.nowMillis() + step.advance);
          const due = [...waiting].filter(([, time]) => time <= loop.nowMillis());
          for (const [key] of due.sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))) {
            waiting.delete(key);
            makeReady(key);
          }
          expect(taken()).toEqual(ready);
          ready = [];
          expect(new Map([...queue.waitingKeys()].map((key) => [key, queue.dueMillisOf(key)]))).toEqual(waiting);
        }
      }),
    );
  });
});
