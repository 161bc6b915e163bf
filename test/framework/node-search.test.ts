import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NodeSearch, numFeasibleNodesToFind } from '../../src/framework/node-search.ts';

describe('numFeasibleNodesToFind', () => {
  test.each([
    // percentage, nodes, wanted
    [0, 99, 99],
    [1, 99, 99],
    [0, 100, 100],
    [0, 1000, 420],
    [0, 5000, 500],
    [0, 5624, 337],
    [0, 5625, 281],
    [0, 100_000, 5000],
    [5, 1000, 100],
    [50, 250, 125],
    [50, 251, 125],
    [100, 12_345, 12_345],
    [120, 500, 500],
  ])('%i %% of %i nodes: %i', (percentage, nodes, wanted) => {
    expect(numFeasibleNodesToFind(percentage, nodes)).toBe(wanted);
  });

  test('is never less than 100, unless there are fewer nodes, and never more than there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 1, max: 1_000_000 }), (percentage, nodes) => {
        const wanted = numFeasibleNodesToFind(percentage, nodes);
        expect(wanted).toBeLessThanOrEqual(nodes);
        expect(wanted).toBeGreaterThanOrEqual(Math.min(100, nodes));
      }),
    );
  });
});

describe('NodeSearch', () => {
  test('goes on where the last search ended, round and round', () => {
    const search = new NodeSearch();
    const starts = [3, 4, 5, 0].map((processed) => {
      const { start } = search.window(100, 10);
      search.advance(processed, 10);
      return start;
    });
    expect(starts).toEqual([0, 3, 7, 2]);
    expect(search.window(100, 10)).toEqual({ start: 2, wanted: 10 });
  });

  test('starts within the cluster when that has shrunk meanwhile', () => {
    const search = new NodeSearch();
    search.advance(9, 10);
    expect(search.window(100, 4).start).toBe(1);
    search.advance(2, 4);
    expect(search.window(100, 10).start).toBe(3);
  });
});
