import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuantity } from '../../src/api/quantity.ts';
import { canonicalQuantity, QuantityError, roundedToMilli } from '../../src/api/quantity-text.ts';

describe('canonicalQuantity', () => {
  it.each([
    ['0.5', '500m'],
    ['2000m', '2'],
    ['1024Ki', '1Mi'],
    ['1.5Gi', '1536Mi'],
    ['100000000000', '100G'],
    ['1073741824', '1073741824'],
    ['512Ki', '512Ki'],
    ['0.5Ki', '512'],
    ['1e3', '1e3'],
    ['-1', '-1'],
    ['0', '0'],
  ])('writes %s as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each(['', 'x', '1e3m', '10Gi i', '1.2.3'])('refuses %j', (text) => {
    expect(() => canonicalQuantity(text)).toThrow(QuantityError);
  });

  it('keeps the amount, and is the same when it is written again', () => {
    const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), suffix, (number, unit) => {
        const once = canonicalQuantity(`${number}${unit}`);
        expect(canonicalQuantity(once)).toBe(once);
        expect(parseQuantity(once).nano).toBe(parseQuantity(`${number}${unit}`).nano);
      }),
    );
  });

  it('rounds up to thousandths', () => {
    expect(roundedToMilli('0.0005')).toBe('1m');
  });
});
