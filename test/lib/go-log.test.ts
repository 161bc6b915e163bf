import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goLog } from '../../src/lib/go-log.ts';

const view = new DataView(new ArrayBuffer(8));

function bitsOf(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}

const hex = (x: number): string => bitsOf(x).toString(16).padStart(16, '0');

describe('goLog', () => {
  // Arguments for which a common JavaScript engine differs in the last place, as recorded from kube-scheduler.
  test.each([
    [14, '40051cca16d7bba8'],
    [176, '4014ae935b3cb89e'],
    [680, '401a169f7e9678c3'],
    [4498, '4020d2a1771e43f6'],
  ])('of %i is what Go says to the last bit', (x, bits) => {
    expect(hex(goLog(x))).toBe(bits);
  });

  test('has the recorded bits for every number from 2 to 5002', () => {
    const table = Array.from({ length: 5001 }, (_, i) => hex(goLog(i + 2))).join('\n');
    const digest = createHash('sha256').update(table).digest('hex');
    expect(digest).toBe('844a94da387270152e87853fc9ed0aec35dab117b80a69dc9007ed311f49ae5f');
  });

  test.each([
    [1, 0],
    [0, Number.NEGATIVE_INFINITY],
    [-0, Number.NEGATIVE_INFINITY],
    [-1, Number.NaN],
    [Number.NaN, Number.NaN],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY, Number.NaN],
  ])('of %d is %d', (x, expected) => {
    expect(goLog(x)).toBe(expected);
  });

  test('is within one unit in the last place of Math.log, subnormal numbers included', () => {
    const positive = fc.double({ min: Number.MIN_VALUE, max: Number.MAX_VALUE, noNaN: true });
    fc.assert(
      fc.property(positive, (x) => {
        const distance = bitsOf(Math.abs(goLog(x))) - bitsOf(Math.abs(Math.log(x)));
        expect(distance >= -1n && distance <= 1n).toBe(true);
      }),
    );
  });
});
