import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plural, whole } from '../../src/lib/shown-count.ts';

describe('whole', () => {
  it('writes numbers as toLocaleString does', () => {
    const written = (value: number): void => {
      // No count is a negative zero.
      fc.pre(!Object.is(Math.round(value), -0));
      expect(whole(value)).toBe(Math.round(value).toLocaleString('en-US'));
    };
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.maxSafeInteger(), fc.integer({ min: -10_000, max: 10_000 })), written),
    );
  });

  it('separates thousands', () => {
    expect([0, 999, 1000, 12_345.6, 1_234_567, -4321].map(whole)).toEqual([
      ...['0', '999', '1,000', '12,346', '1,234,567', '-4,321'],
    ]);
  });
});

it('counts things', () => {
  expect([plural(1, 'node'), plural(1200, 'node')]).toEqual(['1 node', '1,200 nodes']);
});
