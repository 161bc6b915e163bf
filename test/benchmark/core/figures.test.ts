import { describe, expect, it } from 'vitest';
import { planCore } from '../../../src/benchmark/core/core-plan.ts';
import { figuresOf } from '../../../src/benchmark/core/figures.ts';
import { benchResult } from '../../builders/make-bench-result.ts';

/** A result for every case of the suite on its first pods; the faster, the smaller the cluster. */
const ALL = planCore({}).map(({ kind, nodes, engine, index, workers, percentageOfNodesToScore }) =>
  benchResult({
    ...{ kind, nodes, engine, index, workers },
    percentageOfNodesScored: percentageOfNodesToScore === 0 ? 10 : 100,
    pods: 1000,
    seconds: (nodes / 5e6) * (engine === 'reference' ? 200 : index ? 1 : 4) * (workers === 2 ? 0.5 : 1),
    bytesPerNode: 400,
    classBytesPerNode: null,
  }),
);

const byName = (figures: ReturnType<typeof figuresOf>) => new Map(figures.map((figure) => [figure.name, figure]));

describe('figuresOf', () => {
  it('finds each figure among the results of the whole suite', () => {
    const figures = byName(figuresOf(ALL, { nodes: 5000, podsPerSecond: 5_000_000 }, 0));
    const measured = Object.fromEntries([...figures].map(([name, figure]) => [name, figure.measured]));
    expect(measured).toEqual({
      'basic, 5,000 nodes, in the kernel': 5_000_000,
      'basic, 5,000 nodes': 1_000_000,
      'hetero, 5,000 nodes': 1_000_000,
      'hetero, 5,000 nodes: over the reference': 200,
      'hetero, 100,000 nodes': 50_000,
      'spread, 5,000 nodes': 1_000_000,
      'antiaffinity, 5,000 nodes': 1_000_000,
      'affinity, 5,000 nodes': 1_000_000,
      'spread, 50,000 nodes': 100_000,
      'antiaffinity, 50,000 nodes': 100_000,
      'affinity, 50,000 nodes': 100_000,
      'dra, 5,000 nodes': 1_000_000,
      'gang, 5,000 nodes': 1_000_000,
      'hetero, 5,000 nodes, index off: full scan': expect.closeTo(0.8, 6),
      'hetero, 50,000 nodes, index off: two workers over one': 2,
      'hetero, 1,000,000 nodes': 5000,
      'hetero, 1,000,000 nodes: kept of a node': 400,
      'hetero, 1,000,000 nodes: kept of a node by all classes': null,
      'hetero, 1,000,000 nodes: kept of a pod': 180,
      'hetero, 5,000 nodes, index off: adaptive sampling over every node': 1,
      'hetero, 50,000 nodes, index off: adaptive sampling over every node': 1,
      'variants that decided differently': 0,
    });
  });

  it('judges them, at the limit as met', () => {
    const figures = byName(figuresOf(ALL, undefined, 1));
    expect(figures.get('basic, 5,000 nodes')).toMatchObject({ bound: 'atLeast', wanted: 1_500_000, isMet: false });
    expect(figures.get('hetero, 5,000 nodes')).toMatchObject({ wanted: 1_000_000, isMet: true });
    expect(figures.get('hetero, 1,000,000 nodes: kept of a node')).toMatchObject({ bound: 'atMost', isMet: true });
    expect(figures.get('hetero, 1,000,000 nodes: kept of a pod')).toMatchObject({ wanted: null, isMet: null });
    expect(figures.get('variants that decided differently')).toMatchObject({ measured: 1, isMet: false });
    expect(figures.get('basic, 5,000 nodes, in the kernel')).toMatchObject({ measured: null, isMet: null });
  });

  it('has no opinion on what was not run', () => {
    const figures = figuresOf([benchResult({ kind: 'basic', nodes: 5000, engine: 'scalar' })], undefined, 0);
    expect(figures.every(({ measured, isMet }) => measured === null && isMet === null)).toBe(true);
  });
});
