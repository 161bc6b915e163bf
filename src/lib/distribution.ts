import { getOrMake } from './get-or-make.ts';
import { parseDuration } from './go-duration.ts';
import { LruMap } from './lru-map.ts';
import type { Prng } from './prng.ts';

/** A random length of time. */
export interface Distribution {
  /** Draws a time in whole milliseconds; Infinity stands for no end. */
  drawMillis(prng: Prng): number;
}

/** The text is not a distribution. */
export class DistributionError extends Error {}

type Parameter = 'duration' | 'number';

interface Family {
  readonly parameters: readonly Parameter[];
  readonly check?: (values: readonly number[]) => string | undefined;
  readonly draw: (values: readonly number[], prng: Prng) => number;
}

/** Longer draws are cut to this: practically without end, but still a valid time. */
const LONGEST_MILLIS = 1000 * 365.25 * 24 * 3_600_000;

const FAMILIES: Readonly<Record<string, Family>> = {
  fixed: { parameters: ['duration'], draw: ([millis = 0]) => millis },
  uniform: {
    parameters: ['duration', 'duration'],
    check: ([low = 0, high = 0]) => (low > high ? 'the first bound is above the second' : undefined),
    draw: ([low = 0, high = 0], prng) => low + (high - low) * unit(prng),
  },
  exponential: { parameters: ['duration'], draw: ([mean = 0], prng) => -mean * Math.log(unit(prng)) },
  lognormal: {
    parameters: ['duration', 'number'],
    draw: ([median = 0, sigma = 0], prng) => median * Math.exp(sigma * normal(prng)),
  },
  pareto: {
    parameters: ['duration', 'number'],
    check: ([, alpha = 0]) => (alpha > 0 ? undefined : 'the exponent is not positive'),
    draw: ([least = 0, alpha = 1], prng) => least * unit(prng) ** (-1 / alpha),
  },
};

const FOREVER: Distribution = { drawMillis: () => Number.POSITIVE_INFINITY };
const CALL = /^([a-z]+)\(([^()]*)\)$/;

/** Parsed distributions by their text; the same few texts are on thousands of pods. */
const known = new LruMap<string, Distribution>(1024);

/**
 * Parses `30s`, `fixed(30s)`, `uniform(10s, 20s)`, `exponential(MEAN)`, `lognormal(MEDIAN, SIGMA)`, `pareto(LEAST,
 * ALPHA)` or `forever`; durations as Go writes them.
 *
 * @throws DistributionError
 */
export function parseDistribution(text: string): Distribution {
  return getOrMake(known, text, () => parse(text.trim()));
}

function parse(text: string): Distribution {
  if (text === 'forever') return FOREVER;
  const [, name = 'fixed', list = text] = CALL.exec(text) ?? [];
  const family = Object.hasOwn(FAMILIES, name) ? FAMILIES[name] : undefined;
  if (family === undefined) {
    const names = Object.keys(FAMILIES).join(', ');
    throw new DistributionError(`unknown distribution ${JSON.stringify(name)} (known: ${names}, forever)`);
  }
  const texts = list.split(',').map((part) => part.trim());
  const { parameters } = family;
  if (texts.length !== parameters.length) {
    throw new DistributionError(`${name} takes ${parameters.length} parameters, not ${texts.length}`);
  }
  const values = texts.map((part, i) => (parameters[i] === 'duration' ? millisOf(part) : numberOf(part)));
  const problem = family.check?.(values);
  if (problem !== undefined) throw new DistributionError(`${text}: ${problem}`);
  return { drawMillis: (prng) => Math.round(Math.min(Math.max(family.draw(values, prng), 0), LONGEST_MILLIS)) };
}

function millisOf(text: string): number {
  const nanos = parseDuration(text);
  if (typeof nanos !== 'bigint') throw new DistributionError(nanos.error);
  if (nanos < 0n) throw new DistributionError(`a duration is not negative: ${text}`);
  return Number(nanos) / 1e6;
}

function numberOf(text: string): number {
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) throw new DistributionError(`${JSON.stringify(text)} is not a number`);
  return Number(text);
}

/** Draws a number in (0, 1), so that it has a logarithm. */
function unit(prng: Prng): number {
  return (prng.next() + 0.5) / 2 ** 32;
}

/** Draws from the standard normal distribution, by Box and Muller. */
function normal(prng: Prng): number {
  return Math.sqrt(-2 * Math.log(unit(prng))) * Math.cos(2 * Math.PI * unit(prng));
}
