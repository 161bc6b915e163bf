import { describe, expect, it } from 'vitest';
import { CaseCosts, planRepetitions } from '../../../src/benchmark/core/case-cost.ts';
import { planCore } from '../../../src/benchmark/core/core-plan.ts';
import type { Rehearsal } from '../../../src/benchmark/rehearse.ts';

/** 1000 pods a second; the first 100 took 0.6 s, of which 0.5 s were for their signatures. */
const REHEARSAL: Rehearsal = {
  loadSeconds: 0.1,
  firstPods: { count: 100, seconds: 0.6 },
  podsPerSecond: 1000,
  latencyMicros: { p50: 1, p90: 1, p99: 1, samples: 100 },
};

const plan = (rehearsal: Partial<Rehearsal>, pending = 1e6, secondsLeft = 1000, pinned = {}) =>
  planRepetitions(1, { ...REHEARSAL, ...rehearsal }, pending, pinned, secondsLeft);

describe('planRepetitions', () => {
  it('fills the seconds of the case, with fewer repetitions where a load takes long', () => {
    expect(plan({})).toMatchObject({ podCount: 200, repeat: 5 });
    expect(plan({ loadSeconds: 0.3 })).toMatchObject({ podCount: 200, repeat: 3 });
    expect(plan({ loadSeconds: 3 })).toMatchObject({ podCount: 1000, repeat: 1 });
    expect(plan({ podsPerSecond: 2 })).toMatchObject({ podCount: 1 });
  });

  it('takes what the first pods took beyond others for set-up', () => {
    // Load and 20 pods: the first pods took less than as many of the others.
    expect(plan({ podsPerSecond: 100 })?.secondsEach).toBeCloseTo(0.3);
  });

  it('places all pods when they fit, and what was asked for in any case', () => {
    expect(plan({}, 123)).toMatchObject({ podCount: 123 });
    expect(plan({ podsPerSecond: Number.POSITIVE_INFINITY }, 123)).toMatchObject({ podCount: 123, repeat: 5 });
    expect(plan({}, 1e6, 1000, { pods: 30, repeat: 2 })).toMatchObject({ podCount: 30, repeat: 2 });
  });

  it('repeats less often in the time that is left, or not at all', () => {
    // Load, set-up, and 200 pods: 0.8 s, and the same once more for weighing.
    expect(plan({})?.secondsEach).toBeCloseTo(0.8);
    expect(plan({}, 1e6, 3.3)).toMatchObject({ repeat: 3 });
    expect(plan({}, 1e6, 1.7)).toMatchObject({ repeat: 1 });
    expect(plan({}, 1e6, 1.5)).toMatchObject({ repeat: 0 });
    expect(plan({}, 1e6, 3.3, { repeat: 4 })).toMatchObject({ repeat: 0 });
  });
});

it('costs are predicted from what smaller clusters took', () => {
  const [small, large] = [5000, 50_000].map(
    (nodes) => planCore({ kind: 'hetero', nodes: [nodes], engine: 'simd' })[0]!,
  );
  const costs = new CaseCosts();
  const before = costs.predict(large!);
  costs.learn(small!, REHEARSAL);
  // Ten times the nodes: three loads of 1 s, three set-ups of 5 s.
  expect(costs.predict(large!)).toBeGreaterThan(before + 15);
  expect(costs.predict(large!)).toBeGreaterThan(18);
  costs.learn(large!, { ...REHEARSAL, loadSeconds: 0.1, firstPods: { count: 100, seconds: 0.1 } });
  expect(costs.predict(large!)).toBeLessThan(5);
});
