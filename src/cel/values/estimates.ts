/** The smallest and largest number of elements, characters or bytes that a value may have. */
export interface SizeEstimate {
  readonly min: bigint;
  readonly max: bigint;
}

/** The smallest and largest cost of an expression, in units of about 50 ns. */
export type CostEstimate = SizeEstimate;

/** The sizes of the elements of a list, or of the keys and values of a map. */
export interface EntrySize {
  readonly isMap: boolean;
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

const MOST = 2n ** 64n - 1n;
const TWO_TO_64 = 2 ** 64;

export const UNKNOWN: SizeEstimate = { min: 0n, max: MOST };

/** What a unit of size costs where text is walked, and where it is a regular expression. */
export const TRAVERSAL_FACTOR = 0.1;
export const REGEX_FACTOR = 0.25;

export function fixed(amount: number | bigint): SizeEstimate {
  return { min: BigInt(amount), max: BigInt(amount) };
}

export function plus(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: capped(a.min + b.min), max: capped(a.max + b.max) };
}

export function times(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

export function union(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max };
}

/** Multiplies in doubles and rounds up, as upstream does. */
export function scaled({ min, max }: SizeEstimate, factor: number): CostEstimate {
  return { min: scaledAmount(min, factor), max: scaledAmount(max, factor) };
}

function scaledAmount(amount: bigint, factor: number): bigint {
  const product = Math.ceil(Number(amount) * factor);
  return product >= TWO_TO_64 ? MOST : BigInt(product);
}

function capped(amount: bigint): bigint {
  return amount > MOST ? MOST : amount;
}
