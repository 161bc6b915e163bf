import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ItemExponentialFailureRateLimiter } from '../../src/client/queue/rate-limiter.ts';
import { RateLimitedWorkQueue } from '../../src/client/queue/work-queues.ts';
import { WorkerPool } from '../../src/client/worker-pool.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';

let loop: VirtualEventLoop;
let queue: RateLimitedWorkQueue<string>;
let synced: string[];
let reports: string[];

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  queue = new RateLimitedWorkQueue(loop, new ItemExponentialFailureRateLimiter(1000, 60_000));
  synced = [];
  reports = [];
});

interface PoolSetup {
  readonly sync?: (key: string) => void;
  readonly workers?: number;
  readonly busyMillis?: (key: string) => number;
}

/** Syncs are written down as `1000 a`: when, and which key. */
function startPool({ sync, workers = 1, busyMillis }: PoolSetup = {}): WorkerPool<string> {
  const reportError = (error: unknown, activity: string): unknown => reports.push(`${activity}: ${error}`);
  const pool = new WorkerPool<string>(
    {
      loop,
      queue,
      reportError,
      sync: (key) => {
        synced.push(`${loop.nowMillis()} ${key}`);
        sync?.(key);
      },
    },
    { name: 'thing', workers, busyMillis },
  );
  pool.start();
  return pool;
}

describe('WorkerPool', () => {
  it('syncs what is in the queue, and what comes', () => {
    queue.add('a');
    startPool();
    queue.add('b');
    queue.addAfter('c', 500);
    expect(synced).toEqual([]);
    loop.runUntilIdle();
    expect(synced).toEqual(['0 a', '0 b', '500 c']);
    expect(reports).toEqual([]);
  });

  it('lets other tasks run between two syncs', () => {
    for (const key of ['a', 'b', 'c']) queue.add(key);
    startPool({ sync: (key) => loop.soon(() => synced.push(`after ${key}`)) });
    loop.runUntilIdle();
    expect(synced).toEqual(['0 a', 'after a', '0 b', 'after b', '0 c', 'after c']);
  });

  it('reports what fails, tries it again later each time, and forgets the failures at a success', () => {
    let failures = 3;
    queue.add('a');
    startPool({
      sync: () => {
        if (failures-- > 0) throw new Error('no');
      },
    });
    loop.runUntilIdle();
    expect(synced).toEqual(['0 a', '1000 a', '3000 a', '7000 a']);
    expect(reports).toEqual(Array(3).fill('sync thing a: Error: no'));
    expect(queue.numRequeues('a')).toBe(0);
  });

  it('goes on after a failure', () => {
    for (const key of ['a', 'b']) queue.add(key);
    startPool({
      sync: (key) => {
        if (key === 'a' && loop.nowMillis() === 0) throw new Error('no');
      },
    });
    loop.runUntilIdle();
    expect(synced).toEqual(['0 a', '0 b', '1000 a']);
  });

  it('has at most its workers busy, and never two with one key', () => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key);
    startPool({ workers: 2, busyMillis: (key) => (key === 'a' ? 100 : 30) });
    loop.after(10, () => {
      queue.add('a');
      queue.add('a');
    });
    loop.runUntilIdle();
    expect(synced).toEqual(['0 a', '0 b', '30 c', '60 d', '90 e', '100 a']);
  });

  it('stops taking keys, finishes the one in work, and can be started again', () => {
    for (const key of ['a', 'b']) queue.add(key);
    const pool = startPool({ busyMillis: () => 10 });
    loop.step();
    pool.stop();
    queue.add('c');
    loop.runUntilIdle();
    expect([synced, queue.length]).toEqual([['0 a'], 2]);
    pool.start();
    pool.stop();
    loop.runUntilIdle();
    expect(synced).toEqual(['0 a']);
    pool.start();
    loop.runUntilIdle();
    expect(synced).toEqual(['0 a', '10 b', '20 c']);
  });

  it('drains', () => {
    for (const key of ['a', 'b']) queue.add(key);
    startPool({ busyMillis: () => 10 });
    queue.shutDownWithDrain(() => synced.push(`${loop.nowMillis()} drained`));
    loop.runUntilIdle();
    expect(synced).toEqual(['0 a', '10 b', '20 drained']);
  });

  it('loses no key: each add is followed by a sync that begins after it', () => {
    const add = fc.record({ atMillis: fc.nat(50), key: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() });
    fc.assert(
      fc.property(fc.array(add), fc.integer({ min: 1, max: 3 }), fc.nat(20), (adds, workers, busyMillis) => {
        loop = new VirtualEventLoop(0);
        queue = new RateLimitedWorkQueue(loop, new ItemExponentialFailureRateLimiter(1000, 60_000));
        synced = [];
        const toFail = new Set<string>();
        const busy = new Set<string>();
        const doubled: string[] = [];
        startPool({
          workers,
          busyMillis: () => busyMillis,
          sync: (key) => {
            if (busy.has(key) || busy.size >= workers) doubled.push(key);
            if (busyMillis > 0) {
              busy.add(key);
              // Scheduled before the pool's own timer, so that the key is free when that runs.
              loop.after(busyMillis, () => busy.delete(key));
            }
            if (toFail.delete(key)) throw new Error('no');
          },
        });
        for (const { atMillis, key, fails } of adds) {
          loop.after(atMillis, () => {
            if (fails) toFail.add(key);
            queue.add(key);
          });
        }
        loop.runUntilIdle();
        for (const { atMillis, key } of adds) {
          const last = synced.findLast((line) => line.endsWith(` ${key}`)) ?? '-1';
          expect(Number(last.split(' ')[0])).toBeGreaterThanOrEqual(atMillis);
        }
        expect([queue.length, toFail.size, busy.size, doubled]).toEqual([0, 0, 0, []]);
      }),
    );
  });
});
