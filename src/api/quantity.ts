import { CodedError } from '../lib/errors.ts';
import { type Int64, int64 } from '../lib/int64.ts';

/** Amounts by resource name, as YAML or JSON gives them: `"100m"`, `2`, `"1Gi"`. */
export type ResourceList = Readonly<Record<string, string | number>>;

/**
 * An exact, immutable amount in billionths of its unit, the finest step of the API. Rules as in
 * apimachinery/pkg/api/resource/quantity.go.
 */
export interface Quantity {
  readonly nano: bigint;
  /** The amount in whole units, rounded away from zero, within 64 bits. */
  readonly value: Int64;
  /** The amount in thousandths, rounded away from zero, within 64 bits. */
  readonly milliValue: Int64;
}

const NANO_PER_UNIT = 1_000_000_000n;
const NANO_PER_MILLI = 1_000_000n;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const MAX_NANO = MAX_INT64 * NANO_PER_UNIT;

/** Decimal digits that certainly exceed 64 bits of whole units; larger powers are never computed. */
const TOO_MANY_DIGITS = 40;

const NANO_BY_SUFFIX: ReadonlyMap<string, bigint> = new Map([
  ['', NANO_PER_UNIT],
  ['n', 1n],
  ['u', 1_000n],
  ['m', NANO_PER_MILLI],
  ['k', 10n ** 12n],
  ['M', 10n ** 15n],
  ['G', 10n ** 18n],
  ['T', 10n ** 21n],
  ['P', 10n ** 24n],
  ['E', 10n ** 27n],
  ['Ki', NANO_PER_UNIT << 10n],
  ['Mi', NANO_PER_UNIT << 20n],
  ['Gi', NANO_PER_UNIT << 30n],
  ['Ti', NANO_PER_UNIT << 40n],
  ['Pi', NANO_PER_UNIT << 50n],
  ['Ei', NANO_PER_UNIT << 60n],
]);

// The groups are sign, digits, fraction, letters, and the digits after the letters (a decimal exponent).
const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:([A-Za-z]+)([+-]?\d*))?$/;

// Clusters use few distinct texts. A full cache is cleared, so that hits need no bookkeeping.
const CACHE_LIMIT = 8192;
const cache = new Map<string | number, Quantity>();

/**
 * Reads what resource.ParseQuantity accepts: suffixes n u m k M G T P E and Ki to Ei, exponents (`1e3`, `1E-3`), a
 * sign, `.5`, `5.`, and finite JavaScript numbers. Finer than a billionth is rounded away from zero; a magnitude
 * beyond 2^63-1 becomes 2^63-1.
 *
 * @throws CodedError `InvalidQuantity`, quoting the text and saying what is wrong with it. A text without any digit
 * is among them, though upstream reads `"Ki"` as 0.
 */
export function parseQuantity(text: string | number): Quantity {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const quantity = quantityOf(parseNano(text));
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(text, quantity);
  return quantity;
}

function quantityOf(nano: bigint): Quantity {
  return {
    nano,
    value: saturate(divideAwayFromZero(nano, NANO_PER_UNIT)),
    milliValue: saturate(divideAwayFromZero(nano, NANO_PER_MILLI)),
  };
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  if (a.nano === 0n) return b;
  if (b.nano === 0n) return a;
  return quantityOf(a.nano + b.nano);
}

export function maxQuantity(a: Quantity, b: Quantity): Quantity {
  return b.nano > a.nano ? b : a;
}

/** Text that parses back to the same amount: whole units, or the coarsest of m, u and n that is exact. */
export function formatQuantity(quantity: Quantity): string {
  const { nano } = quantity;
  if (nano % NANO_PER_UNIT === 0n) return String(nano / NANO_PER_UNIT);
  if (nano % NANO_PER_MILLI === 0n) return `${nano / NANO_PER_MILLI}m`;
  if (nano % 1_000n === 0n) return `${nano / 1_000n}u`;
  return `${nano}n`;
}

function parseNano(input: string | number): bigint {
  // The value may come from decoded JSON, so its type is only assumed.
  if (typeof input !== 'string' && !(typeof input === 'number' && Number.isFinite(input))) {
    throw invalid(input, 'must be a string or a finite number');
  }
  const text = String(input);
  const match = FORM.exec(text);
  if (match === null) throw invalid(text, malformation(text));
  const [, sign, whole = '', fraction = '', letters = '', tail = ''] = match;
  if (whole === '' && fraction === '') throw invalid(text, text === '' ? 'it is empty' : 'it has no digits');

  const mantissa = BigInt(whole + fraction);
  const magnitude = scaleToNano(text, mantissa, fraction.length, letters, tail);
  const capped = magnitude > MAX_NANO ? MAX_NANO : magnitude;
  return sign === '-' ? -capped : capped;
}

function scaleToNano(text: string, mantissa: bigint, fractionDigits: number, letters: string, tail: string): bigint {
  const nanoPerSuffix = tail === '' ? NANO_BY_SUFFIX.get(letters) : undefined;
  if (nanoPerSuffix !== undefined) {
    return divideAwayFromZero(mantissa * nanoPerSuffix, 10n ** BigInt(fractionDigits));
  }
  if ((letters !== 'e' && letters !== 'E') || !/\d/.test(tail)) {
    throw invalid(text, `"${letters}${tail}" is not a suffix (use n, u, m, k, M, G, T, P, E, Ki to Ei, or e<number>)`);
  }
  if (mantissa === 0n) return 0n;
  const power = Number(tail) + 9 - fractionDigits;
  if (power >= TOO_MANY_DIGITS) return MAX_NANO;
  if (power >= 0) return mantissa * 10n ** BigInt(power);
  // Below the last digit of the mantissa, only rounding is left.
  if (-power > mantissa.toString().length) return 1n;
  return divideAwayFromZero(mantissa, 10n ** BigInt(-power));
}

function malformation(text: string): string {
  if (/\s/.test(text)) return 'white space is not allowed';
  return 'it must be a number with an optional suffix, such as "100m", "1.5" or "2Gi"';
}

function invalid(input: unknown, reason: string): CodedError<'InvalidQuantity'> {
  const text = typeof input === 'number' ? String(input) : (JSON.stringify(input) ?? String(input));
  return new CodedError(
    'InvalidQuantity',
    `invalid quantity ${text.length > 80 ? `${text.slice(0, 80)}…` : text}: ${reason}`,
  );
}

function divideAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  if (quotient * divisor === dividend) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}

function saturate(value: bigint): Int64 {
  if (value > MAX_INT64) return int64(MAX_INT64);
  return int64(value < MIN_INT64 ? MIN_INT64 : value);
}
