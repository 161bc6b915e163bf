import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeAffinityScores } from '../../../src/plugins/inter-pod-affinity/scoring.ts';

describe('normalizeAffinityScores', () => {
  test('stretches the range to 0..100', () => {
    expect(normalizeAffinityScores([-19, 40, -59, 40, 0])).toEqual([40, 100, 0, 100, 59]);
  });

  test('rounds as floating point does: the quotient first', () => {
    // 29/100 * 100 is 28.999999999999996.
    expect(normalizeAffinityScores([0, 29, 100])).toEqual([0, 28, 100]);
  });

  test('equal scores become 0', () => {
    expect(normalizeAffinityScores([7, 7])).toEqual([0, 0]);
  });

  test('keeps the order and reaches both ends', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 2 }), (raw) => {
        const scores = normalizeAffinityScores(raw);
        if (new Set(raw).size === 1) return;
        expect([Math.min(...scores), Math.max(...scores)]).toEqual([0, 100]);
        raw.forEach((value, i) => {
          if (i > 0 && value >= (raw[i - 1] ?? 0)) expect(scores[i]).toBeGreaterThanOrEqual(scores[i - 1] ?? 0);
        });
      }),
    );
  });
});
