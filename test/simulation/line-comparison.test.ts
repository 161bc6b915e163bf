import { describe, expect, it } from 'vitest';
import { LineComparison } from '../../src/simulation/line-comparison.ts';

function compare(recorded: readonly string[], now: readonly string[], isWhole = true): LineComparison {
  const comparison = new LineComparison(recorded[Symbol.iterator](), isWhole);
  for (const line of now) comparison.line(line);
  comparison.end();
  return comparison;
}

describe('LineComparison', () => {
  it('finds nothing where all is the same', () => {
    expect(compare(['a', 'b'], ['a', 'b'])).toMatchObject({ difference: undefined, sameLines: 2 });
  });

  it.each([
    [['a', 'b'], ['a', 'c', 'd'], { line: 2, recorded: 'b', now: 'c' }],
    [['a'], ['a', 'b'], { line: 2, recorded: undefined, now: 'b' }],
    [['a', 'b'], ['a'], { line: 2, recorded: 'b', now: undefined }],
  ])('finds the first difference (%#)', (recorded, now, difference) => {
    const comparison = compare(recorded, now);
    expect(comparison.difference).toEqual(difference);
    expect(comparison.isOver).toBe(true);
  });

  it('is over where a recording was cut off', () => {
    for (const now of [['a'], ['a', 'b']]) {
      expect(compare(['a'], now, false)).toMatchObject({ difference: undefined, sameLines: 1, isOver: true });
    }
  });
});
