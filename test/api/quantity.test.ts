import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addQuantities, formatQuantity, maxQuantity, parseQuantity } from '../../src/api/quantity.ts';
import { int64 } from '../../src/lib/int64.ts';

const MAX_INT64 = 2n ** 63n - 1n;
const quantityOf = (nano: bigint) => parseQuantity(`${nano}n`);

describe('parseQuantity', () => {
  test.each<[string | number, bigint]>([
    ['0', 0n],
    ['1', 10n ** 9n],
    ['1n', 1n],
    ['1u', 1_000n],
    ['100m', 10n ** 8n],
    ['1k', 10n ** 12n],
    ['1M', 10n ** 15n],
    ['1G', 10n ** 18n],
    ['1T', 10n ** 21n],
    ['1P', 10n ** 24n],
    ['1E', 10n ** 27n],
    ['1Ki', 1024n * 10n ** 9n],
    ['1Mi', 2n ** 20n * 10n ** 9n],
    ['1Gi', 2n ** 30n * 10n ** 9n],
    ['1Ti', 2n ** 40n * 10n ** 9n],
    ['1Pi', 2n ** 50n * 10n ** 9n],
    ['1Ei', 2n ** 60n * 10n ** 9n],
    ['1e3', 10n ** 12n],
    ['1E3', 10n ** 12n],
    ['1e+3', 10n ** 12n],
    ['1e-3', 10n ** 6n],
    ['.5', 5n * 10n ** 8n],
    ['5.', 5n * 10n ** 9n],
    ['1.5Gi', 1536n * 2n ** 20n * 10n ** 9n],
    ['0.1Ki', 1024n * 10n ** 8n],
    ['+2', 2n * 10n ** 9n],
    ['-100m', -(10n ** 8n)],
    ['007', 7n * 10n ** 9n],
    ['9007199254740993', 9007199254740993n * 10n ** 9n],
    [2, 2n * 10n ** 9n],
    [1.5, 15n * 10n ** 8n],
    [1e21, MAX_INT64 * 10n ** 9n],
    [1e-7, 100n],
  ])('%s is exact', (text, nano) => {
    expect(parseQuantity(text).nano).toBe(nano);
  });

  test.each([
    ['0.1n', 1n],
    ['-0.1n', -1n],
    ['1.0000000001', 1_000_000_001n],
    ['1e-30', 1n],
    ['-1e-30', -1n],
    ['0e-30', 0n],
  ])('%s, finer than a billionth, is rounded away from zero', (text, nano) => {
    expect(parseQuantity(text).nano).toBe(nano);
  });

  test.each(['8Ei', '1e30', '1e999999999', '9223372036854775808', '99999E'])('%s is capped at 2^63-1', (text) => {
    expect(parseQuantity(text).value).toBe(MAX_INT64);
    expect(parseQuantity(`-${text}`).value).toBe(-MAX_INT64);
  });

  test('whole units and thousandths are rounded up', () => {
    expect(parseQuantity('100n')).toMatchObject({ value: 1, milliValue: 1 });
    expect(parseQuantity('1001u')).toMatchObject({ value: 1, milliValue: 2 });
    expect(parseQuantity('1500m')).toMatchObject({ value: 2, milliValue: 1500 });
    expect(parseQuantity('-1500m')).toMatchObject({ value: -2, milliValue: -1500 });
  });

  test('thousandths beyond 64 bits stay at the limit', () => {
    expect(parseQuantity('20Pi')).toMatchObject({ value: 20n * 2n ** 50n, milliValue: MAX_INT64 });
  });

  test.each([
    ['', 'it is empty'],
    ['10Gi i', 'white space is not allowed'],
    [' 1', 'white space is not allowed'],
    ['1 ', 'white space is not allowed'],
    ['Ki', 'it has no digits'],
    ['.', 'it has no digits'],
    ['-', 'it has no digits'],
    ['1gi', '"gi" is not a suffix'],
    ['1i', '"i" is not a suffix'],
    ['1K', '"K" is not a suffix'],
    ['1e', '"e" is not a suffix'],
    ['1e+', '"e+" is not a suffix'],
    ['0.1am', '"am" is not a suffix'],
    ['1Ki5', '"Ki5" is not a suffix'],
    ['1.1.M', 'it must be a number'],
    ['1+1.0M', 'it must be a number'],
    ['--1', 'it must be a number'],
    ['1e1.5', 'it must be a number'],
    ['0x10', '"x10" is not a suffix'],
  ])('%j is refused: %s', (text, reason) => {
    expect(() => parseQuantity(text)).toThrow(
      expect.objectContaining({
        code: 'InvalidQuantity',
        message: expect.stringContaining(`invalid quantity ${JSON.stringify(text)}: ${reason}`),
      }),
    );
  });

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [null], [true], [{}], [undefined]])(
    '%j is not a quantity',
    (input) => {
      expect(() => parseQuantity(input as unknown as string)).toThrow('must be a string or a finite number');
    },
  );

  test('a very long wrong text fails fast and is shown in part', () => {
    expect(() => parseQuantity(`${'1'.repeat(100_000)}!`)).toThrow(/^.{1,300}$/);
  });

  test('any integer with any suffix is exact', () => {
    const suffixes = {
      n: 1n,
      u: 1000n,
      m: 10n ** 6n,
      '': 10n ** 9n,
      k: 10n ** 12n,
      Ki: 1024n * 10n ** 9n,
      e3: 10n ** 12n,
    };
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.constantFrom(...(Object.keys(suffixes) as (keyof typeof suffixes)[])),
        (amount, suffix) => parseQuantity(`${amount}${suffix}`).nano === amount * suffixes[suffix],
      ),
    );
  });

  test('a fraction is the integer without the point, scaled', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.nat(10 ** 9 - 1), (whole, fraction) => {
        const digits = String(fraction).padStart(9, '0');
        return parseQuantity(`${whole}.${digits}`).nano === whole * 10n ** 9n + BigInt(fraction);
      }),
    );
  });

  test('rounding is the smallest integer that covers the amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (nano) => {
        const { value, milliValue } = quantityOf(nano);
        const units = BigInt(value) * 10n ** 9n;
        const milli = BigInt(milliValue) * 10n ** 6n;
        return units >= nano && units - nano < 10n ** 9n && milli >= nano && milli - nano < 10n ** 6n;
      }),
    );
  });

  test('never throws anything but its own error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.+-eEinumkKMGTP ') }), (text) => {
        try {
          return typeof parseQuantity(text).nano === 'bigint';
        } catch (error) {
          return (error as { code?: string }).code === 'InvalidQuantity';
        }
      }),
    );
  });
});

const amount = fc.bigInt({ min: -(10n ** 27n), max: 10n ** 27n }).map(quantityOf);

test('a formatted quantity parses back to itself', () => {
  fc.assert(fc.property(amount, (quantity) => parseQuantity(formatQuantity(quantity)).nano === quantity.nano));
  expect(formatQuantity(parseQuantity('1.5'))).toBe('1500m');
  expect(formatQuantity(parseQuantity('2Gi'))).toBe('2147483648');
});

test('sums and maxima are exact', () => {
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      expect(addQuantities(a, b).nano).toBe(a.nano + b.nano);
      expect([a, b]).toContain(maxQuantity(a, b));
      expect(maxQuantity(a, b).nano >= a.nano && maxQuantity(a, b).nano >= b.nano).toBe(true);
    }),
  );
  const large = addQuantities(parseQuantity('7Ei'), parseQuantity('7Ei'));
  expect(large.value).toBe(int64(MAX_INT64));
});
