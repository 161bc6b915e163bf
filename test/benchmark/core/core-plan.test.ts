import { describe, expect, it } from 'vitest';
import { type PlannedCase, planCore, plannedName } from '../../../src/benchmark/core/core-plan.ts';
import { BENCH_KINDS } from '../../../src/benchmark/suite.ts';

const nameOf = (planned: PlannedCase) => Object.values(plannedName(planned)).join(', ');

describe('planCore', () => {
  it('has every kind, size and variant once, and the sampled cases', () => {
    const plan = planCore({});
    const names = plan.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    expect([...new Set(plan.map(({ nodes }) => nodes))].sort((a, b) => a - b)).toEqual([
      ...[1000, 5000, 50_000, 100_000, 1_000_000],
    ]);
    // Two engines with and without index, with one worker and two; and the reference.
    expect(plan).toHaveLength(BENCH_KINDS.length * 5 * 9 + 2);
    const variants = plan
      .filter(({ kind, nodes }) => kind === 'spread' && nodes === 1000)
      .map((c) => plannedName(c).variant);
    expect(variants).toEqual([
      'simd',
      'simd 2 workers',
      'simd index off',
      'simd index off 2 workers',
      'scalar',
      'scalar 2 workers',
      'scalar index off',
      'scalar index off 2 workers',
      'reference',
    ]);
  });

  it('begins with what figures need', () => {
    const names = planCore({}).map(nameOf);
    expect(names.slice(0, 6)).toEqual([
      'basic, 5000 nodes, simd',
      'basic, 5000 nodes, simd index off',
      'hetero, 5000 nodes, simd',
      'hetero, 5000 nodes, simd index off',
      'hetero, 5000 nodes, reference',
      'hetero, 5000 nodes, simd index off percentageOfNodesToScore 0',
    ]);
    expect(names.indexOf('hetero, 1000000 nodes, simd index off')).toBeLessThan(
      names.indexOf('basic, 1000 nodes, simd'),
    );
  });

  it('can be restricted; neither index nor workers say anything of the reference', () => {
    const names = (selection: Parameters<typeof planCore>[0]) => planCore(selection).map(nameOf);
    expect(names({ kind: 'basic', nodes: [30], index: false, workers: 3 })).toEqual([
      'basic, 30 nodes, simd index off 3 workers',
      'basic, 30 nodes, scalar index off 3 workers',
      'basic, 30 nodes, reference',
    ]);
    expect(names({ engine: 'reference', nodes: [5000] })).toHaveLength(BENCH_KINDS.length);
    expect(names({ kind: 'affinity', engine: 'simd', workers: 'auto', nodes: [7] })).toEqual([
      'affinity, 7 nodes, simd auto workers',
      'affinity, 7 nodes, simd index off auto workers',
    ]);
  });
});
