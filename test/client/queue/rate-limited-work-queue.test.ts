import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
} from '../../../src/client/queue/rate-limiter.ts';
import { RateLimitedWorkQueue } from '../../../src/client/queue/work-queues.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

function delays(limiter: RateLimiter<string>, key: string, count: number): number[] {
  return Array.from({ length: count }, () => limiter.delayMillis(key));
}

describe('ItemExponentialFailureRateLimiter', () => {
  it('doubles for each key by itself, up to the most, until the key is forgotten', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>(1000, 60_000);
    expect(delays(limiter, 'a', 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect([limiter.delayMillis('b'), limiter.numRequeues('a'), limiter.numRequeues('c')]).toEqual([1000, 8, 0]);
    limiter.forget('a');
    expect([limiter.numRequeues('a'), limiter.delayMillis('a')]).toEqual([0, 1000]);
  });

  it('stays at the most however often a key fails', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>(5, 1000);
    expect(delays(limiter, 'a', 2000).at(-1)).toBe(1000);
  });
});

describe('BucketRateLimiter', () => {
  it('lets a burst pass, then makes each wait for its own token', () => {
    const clock = new FakeClock();
    const limiter = new BucketRateLimiter<string>(100, 3, clock);
    expect([...delays(limiter, 'a', 3), ...delays(limiter, 'b', 3)]).toEqual([0, 0, 0, 100, 200, 300]);
    clock.advance(450);
    expect(delays(limiter, 'c', 3)).toEqual([0, 50, 150]);
  });

  it('never lets more pass in any time than the burst and one a token', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 50 }), (pauses) => {
        const clock = new FakeClock();
        const limiter = new BucketRateLimiter<string>(100, 3, clock);
        const passes = pauses.map((pause) => {
          clock.advance(pause);
          return clock.nowMillis() + limiter.delayMillis('a');
        });
        for (const [i, start] of passes.entries()) {
          for (let j = i + 3; j < passes.length; j++)
            expect(passes[j]! - start).toBeGreaterThanOrEqual((j - i - 2) * 100);
        }
      }),
    );
  });
});

describe('MaxOfRateLimiter', () => {
  it('asks all and takes the longest delay', () => {
    const limiter = new MaxOfRateLimiter<string>([
      new ItemExponentialFailureRateLimiter(10, 1000),
      new BucketRateLimiter(100, 1, new FakeClock()),
    ]);
    expect(delays(limiter, 'a', 6)).toEqual([10, 100, 200, 300, 400, 500]);
    expect(limiter.numRequeues('a')).toBe(6);
    limiter.forget('a');
    expect(limiter.numRequeues('a')).toBe(0);
  });

  it('by default starts at 5 ms, and lets all keys together pass ten times a second after a hundred', () => {
    const limiter = defaultControllerRateLimiter<string>(new FakeClock());
    expect(delays(limiter, 'a', 3)).toEqual([5, 10, 20]);
    for (let i = 3; i < 100; i++) limiter.delayMillis(`key-${i}`);
    expect(limiter.delayMillis('b')).toBe(100);
  });
});

describe('RateLimitedWorkQueue', () => {
  it('lets a key that fails again wait longer, and starts over after forget', () => {
    const loop = new VirtualEventLoop(0);
    const queue = new RateLimitedWorkQueue<string>(loop, new ItemExponentialFailureRateLimiter(1000, 60_000));
    const readyAt: number[] = [];
    for (let failure = 0; failure < 4; failure++) {
      if (failure === 3) queue.forget('a');
      queue.addRateLimited('a');
      loop.runUntilIdle();
      readyAt.push(loop.nowMillis());
      expect(queue.get()).toBe('a');
      queue.done('a');
    }
    expect(readyAt).toEqual([1000, 3000, 7000, 8000]);
    expect(queue.numRequeues('a')).toBe(1);
  });

  it('asked twice for one key, keeps the first and counts both', () => {
    const loop = new VirtualEventLoop(0);
    const queue = new RateLimitedWorkQueue<string>(loop, new ItemExponentialFailureRateLimiter(1000, 60_000));
    queue.addRateLimited('a');
    queue.addRateLimited('a');
    expect([queue.dueMillisOf('a'), queue.numRequeues('a')]).toEqual([1000, 2]);
  });
});
