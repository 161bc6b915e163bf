import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDistribution } from '../../src/lib/distribution.ts';
import { Prng } from '../../src/lib/prng.ts';

function draws(text: string, count = 4000): number[] {
  const prng = new Prng(7);
  const distribution = parseDistribution(text);
  return Array.from({ length: count }, () => distribution.drawMillis(prng)).sort((a, b) => a - b);
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

describe('parseDistribution', () => {
  test('a duration alone is always the same', () => {
    expect(new Set(draws('90s', 10))).toEqual(new Set([90_000]));
    expect(new Set(draws(' fixed( 1m30s ) ', 10))).toEqual(new Set([90_000]));
    expect(new Set(draws('forever', 10))).toEqual(new Set([Number.POSITIVE_INFINITY]));
  });

  test('the others have their shapes', () => {
    const uniform = draws('uniform(10s, 20s)');
    expect([uniform[0]! >= 10_000, uniform.at(-1)! <= 20_000]).toEqual([true, true]);
    expect(mean(uniform)).toBeCloseTo(15_000, -3);
    expect(mean(draws('exponential(10s)')) / 10_000).toBeCloseTo(1, 1);
    expect(draws('lognormal(10s, 0.5)')[2000]! / 10_000).toBeCloseTo(1, 1);
    expect(draws('lognormal(10s, 0)', 3)).toEqual([10_000, 10_000, 10_000]);
    const pareto = draws('pareto(10s, 2)');
    expect(pareto[0]).toBeGreaterThanOrEqual(10_000);
    expect(pareto[2000]! / (10_000 * Math.SQRT2)).toBeCloseTo(1, 1);
  });

  test.each([
    ['sometimes', 'time: invalid duration "sometimes"'],
    ['30', 'time: missing unit in duration "30"'],
    ['-1s', 'a duration is not negative: -1s'],
    ['gamma(1s)', 'unknown distribution "gamma" (known: fixed, uniform, exponential, lognormal, pareto, forever)'],
    ['uniform(1s)', 'uniform takes 2 parameters, not 1'],
    ['uniform(2s, 1s)', 'uniform(2s, 1s): the first bound is above the second'],
    ['lognormal(1s, x)', '"x" is not a number'],
    ['pareto(1s, 0)', 'pareto(1s, 0): the exponent is not positive'],
  ])('%s: %s', (text, message) => {
    expect(() => parseDistribution(text)).toThrow(message);
  });

  test('draws whole milliseconds, never before now, and no more than a clock can represent', () => {
    const text = fc.constantFrom('exponential(1h)', 'lognormal(1h, 99)', 'pareto(1s, 0.01)', 'uniform(0s, 1ms)');
    fc.assert(
      fc.property(text, fc.nat(), (form, seed) => {
        const millis = parseDistribution(form).drawMillis(new Prng(seed));
        expect(Number.isSafeInteger(millis) && millis >= 0).toBe(true);
      }),
    );
  });

  test('accepts or refuses any text, and never breaks', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseDistribution(text);
        } catch (error) {
          expect((error as Error).constructor.name).toBe('DistributionError');
        }
      }),
    );
  });
});
