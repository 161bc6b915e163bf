/**
 * The canonical text of quantities: `0.5` is `500m`, `1024Ki` is `1Mi` (CanonicalizeBytes in
 * apimachinery/pkg/api/resource/quantity.go).
 */
const FORM = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const PLAUSIBLE = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/;

const FORMAT_PROBLEM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_PROBLEM = "unable to parse quantity's suffix";
const NUMBER_PROBLEM = 'unable to parse numeric part of quantity';

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
/** The decimal suffixes by power of a thousand, from billionths on. */
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const NANO = 1_000_000_000n;
const MAX_UNITS = 2n ** 63n - 1n;

type Format = 'binary' | 'decimal' | 'exponent';

interface Amount {
  /** Billionths, rounded away from zero. */
  readonly nano: bigint;
  readonly format: Format;
}

/** @internal */
export class QuantityError extends Error {}

const CACHE_LIMIT = 4096;
const cache = new Map<string, string>();

/** @throws QuantityError with Go's words */
export function canonicalQuantity(text: string): string {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const result = write(read(text));
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(text, result);
  return result;
}

/** The same quantity, rounded up to thousandths of its unit. */
export function roundedToMilli(text: string): string {
  const { nano, format } = read(text);
  return write({ nano: roundedUp(nano, 1_000_000n) * 1_000_000n, format });
}

/** The text of a whole amount, with binary suffixes: 1536 is `1536`, 2048 is `2Ki`. */
export function formatBytes(units: bigint): string {
  return write({ nano: units * NANO, format: 'binary' });
}

/** The amount in billionths, for comparisons. */
export function quantityNano(text: string): bigint {
  return read(text).nano;
}

function read(text: string): Amount {
  const match = FORM.exec(text);
  if (match === null) throw new QuantityError(problemOf(text));
  const [, sign = '', digits = '', suffix = ''] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  const mantissa = BigInt(whole + fraction || '0');
  const format = suffix.endsWith('i') ? 'binary' : /^[eE]/.test(suffix) && suffix.length > 1 ? 'exponent' : 'decimal';
  const power = format === 'exponent' ? Number(suffix.slice(1)) : format === 'decimal' ? decimalPower(suffix) : 0;
  if (Math.abs(power) > 400) throw new QuantityError(SUFFIX_PROBLEM);
  const binary = format === 'binary' ? 1n << BigInt(10 * BINARY.indexOf(suffix)) : 1n;
  const exponent = 9 + power - fraction.length;
  const scaled = mantissa * binary;
  const nano = exponent >= 0 ? scaled * 10n ** BigInt(exponent) : roundedUp(scaled, 10n ** BigInt(-exponent));
  const capped = nano > MAX_UNITS * NANO ? MAX_UNITS * NANO : nano;
  return { nano: sign === '-' ? -capped : capped, format };
}

function problemOf(text: string): string {
  if (!PLAUSIBLE.test(text)) return FORMAT_PROBLEM;
  const [, number = '', suffix = ''] = PLAUSIBLE.exec(text) ?? [];
  return suffix !== '' || (number.match(/\./g)?.length ?? 0) > 1 ? SUFFIX_PROBLEM : NUMBER_PROBLEM;
}

function decimalPower(suffix: string): number {
  return 3 * (DECIMAL.indexOf(suffix) - 3);
}

function roundedUp(amount: bigint, step: bigint): bigint {
  const quotient = amount / step;
  if (quotient * step === amount) return quotient;
  return amount < 0n ? quotient - 1n : quotient + 1n;
}

function write({ nano, format }: Amount): string {
  if (nano === 0n) return '0';
  const units = nano / NANO;
  const isWhole = units * NANO === nano;
  const isSmall = units > -1024n && units < 1024n;
  if (format === 'binary' && isWhole && !isSmall) return writeBinary(units);
  return writeDecimal(nano, format === 'exponent');
}

function writeBinary(units: bigint): string {
  let amount = units;
  let power = 0;
  while (power < BINARY.length - 1 && amount % 1024n === 0n) {
    amount /= 1024n;
    power++;
  }
  return `${amount}${BINARY[power]}`;
}

function writeDecimal(nano: bigint, asExponent: boolean): string {
  let amount = nano;
  let power = 0;
  while (power < DECIMAL.length - 1 && amount % 1000n === 0n) {
    amount /= 1000n;
    power++;
  }
  const exponent = 3 * (power - 3);
  if (asExponent) return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${DECIMAL[power]}`;
}
