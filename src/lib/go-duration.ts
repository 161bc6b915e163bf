/** Durations as Go's time.Duration writes them (`1h30m`, `500ms`), in whole nanoseconds. */
const UNIT_NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const MAX_NANOSECONDS = 2n ** 63n - 1n;
/** The whole hours of the longest duration, which messages name. */
export const LONGEST_DURATION = '2562047h';
const PART = /(\d*)(?:\.(\d*))?([^\d.]*)/y;

/** The duration in nanoseconds, or Go's error message for an invalid text (time.ParseDuration). */
export function parseDuration(text: string): bigint | { readonly error: string } {
  const invalid = { error: `time: invalid duration ${JSON.stringify(text)}` };
  const isNegative = text.startsWith('-');
  const digits = text.replace(/^[-+]/, '');
  if (digits === '0') return 0n;
  if (digits === '') return invalid;
  let sum = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < digits.length) {
    const [, whole = '', fraction, unit = ''] = PART.exec(digits) ?? [];
    if (whole === '' && !fraction) return invalid;
    if (unit === '') return { error: `time: missing unit in duration ${JSON.stringify(text)}` };
    const scale = Object.hasOwn(UNIT_NANOSECONDS, unit) ? UNIT_NANOSECONDS[unit] : undefined;
    if (scale === undefined) {
      return { error: `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}` };
    }
    sum += BigInt(whole || '0') * scale + fractionOf(fraction ?? '', scale);
    // The range below zero holds one nanosecond more than the range above.
    if (sum > MAX_NANOSECONDS + (isNegative ? 1n : 0n)) return invalid;
  }
  return isNegative ? -sum : sum;
}

/** The nanoseconds of a decimal fraction; smaller parts are cut off. */
function fractionOf(digits: string, scale: bigint): bigint {
  return digits === '' ? 0n : (BigInt(digits) * scale) / 10n ** BigInt(digits.length);
}

/** The shortest form, as Go prints it: `1m30s`, `1.5s`, `100µs`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? '-' : '';
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (amount === 0n) return '0s';
  if (amount < 1_000n) return `${sign}${amount}ns`;
  if (amount < 1_000_000n) return `${sign}${decimal(amount, 3)}µs`;
  if (amount < 1_000_000_000n) return `${sign}${decimal(amount, 6)}ms`;
  const minutes = amount / 60_000_000_000n;
  const seconds = decimal(amount % 60_000_000_000n, 9);
  if (minutes === 0n) return `${sign}${seconds}s`;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}s` : `${sign}${hours}h${minutes % 60n}m${seconds}s`;
}

function decimal(value: bigint, decimals: number): string {
  const text = value.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(-decimals).replace(/0+$/, '');
  const whole = text.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
