import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BenchContext, prepareCase } from '../../src/benchmark/bench-case.ts';
import type { Subject } from '../../src/benchmark/subject.ts';
import { basicCluster } from '../../src/benchmark/synthetic/basic.ts';
import { isSettled, warmUp } from '../../src/benchmark/warm-up.ts';
import { FakeClock } from '../../src/lib/clock.ts';

const memory: BenchContext['memory'] = { usedBytes: () => 0, heapLimitBytes: 0 };

/** Warms up schedulers of which the n-th takes so long for a pod; returns how many there were. */
function schedulersOf(millisOf: (round: number) => number, limits: Partial<BenchContext> = {}, pods = 600): number {
  const clock = new FakeClock();
  let schedulers = 0;
  const createSubject = (): Subject => {
    const millis = millisOf(schedulers++);
    const placed = { status: 'scheduled', node: 'n', score: 1, feasibleNodes: 1, ties: 1 } as const;
    return {
      ...{ setObject: () => {}, addNode: () => {}, addPod: () => {}, removePod: () => {}, sharedMemoryBytes: 0 },
      schedule: () => {
        clock.advance(millis);
        return placed;
      },
      scheduleBatch: ({ length }) => {
        clock.advance(millis * length);
        return { length, scheduledCount: length, nodeName: () => 'n', at: () => placed };
      },
    };
  };
  const context = { createSubject, clock, memory, warmUpRounds: 1000, ...limits };
  const cluster = basicCluster(3, pods);
  warmUp(prepareCase({ suite: 'core', kind: 'basic', cluster, engine: 'simd', options: {} }, context), context);
  return schedulers;
}

describe('warmUp', () => {
  it('goes on while rounds become faster, and ends soon after that', () => {
    const settledFrom = 100;
    const rounds = schedulersOf((round) => 0.02 * 0.98 ** Math.min(round, settledFrom), {}, 5000);
    expect(rounds).toBeGreaterThan(settledFrom);
    expect(rounds).toBeLessThan(settledFrom + 40);
  });

  it('is short where nothing is compiled any more', () => {
    expect(schedulersOf(() => 0.01)).toBe(48);
  });

  it('ends by its limits, the clock, and a clock that stands still', () => {
    const faster = (round: number) => 0.001 * 0.9 ** round;
    expect(schedulersOf(faster, { warmUpRounds: 3 })).toBe(3);
    expect(schedulersOf(() => 0)).toBe(48);
    // Rounds of 600 pods, and of 100, take 60 ms and 100 ms.
    expect(schedulersOf(() => 0.1)).toBe(10);
    expect(schedulersOf(() => 0.1, {}, 900)).toBe(15);
    expect(schedulersOf(() => 0.1, { warmUpSeconds: 0.3 })).toBe(5);
    expect(schedulersOf(() => 0.5, {}, 50)).toBe(2);
    expect(schedulersOf(() => 5, {}, 50_000)).toBe(4);
  });
});

describe('isSettled', () => {
  const times = fc.array(fc.double({ min: 0.1, max: 100, noNaN: true }), { maxLength: 80 });

  it('needs twice as many rounds as it compares, of which no later one is much faster', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 24 }), (rounds, last) => {
        const least = (part: readonly number[]) => part.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
        const isFlat = least(rounds.slice(rounds.length - last)) >= 0.97 * least(rounds.slice(0, -last));
        expect(isSettled(rounds, last)).toBe(rounds.length >= 2 * last && isFlat);
      }),
    );
  });
});
