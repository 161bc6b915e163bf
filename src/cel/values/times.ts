import { parseDuration as parseGoDuration } from '../../lib/go-duration.ts';
import { Duration, isInt, Timestamp } from './scalars.ts';
import { CelError } from './value.ts';

const SECOND = 1_000_000_000n;
/** Go takes an hour of one digit, too. */
const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;
const YEAR_ONE = -62_135_596_800n * SECOND;
const YEAR_TEN_THOUSAND = 253_402_300_800n * SECOND;

/** Reads what Go's time.ParseDuration reads: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): Duration | CelError {
  const nanoseconds = parseGoDuration(text);
  return typeof nanoseconds === 'bigint' ? new Duration(nanoseconds) : notConverted('Duration');
}

function notConverted(type: string): CelError {
  return new CelError(`type conversion error from 'string' to 'google.protobuf.${type}'`);
}

export function durationOf(nanoseconds: bigint): Duration | CelError {
  return isInt(nanoseconds) ? new Duration(nanoseconds) : new CelError('duration overflow');
}

/** Reads a time of RFC 3339. */
export function parseTimestamp(text: string): Timestamp | CelError {
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = TIMESTAMP.exec(text) ?? [];
  const failure = notConverted('Timestamp');
  if (year === undefined) return failure;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!isReal || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return failure;
  const [zoneHours = 0, zoneMinutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number);
  // Go's limits of a zone include their ends.
  if (zoneHours > 24 || zoneMinutes > 60) return failure;
  const offsetSeconds = BigInt((zone.startsWith('-') ? -1 : 1) * (zoneHours * 3600 + zoneMinutes * 60));
  const nanoseconds = BigInt(fraction.padEnd(9, '0').slice(0, 9));
  return timestampOf((BigInt(date.getTime() / 1000) - offsetSeconds) * SECOND + nanoseconds);
}

export function timestampOf(nanoseconds: bigint): Timestamp | CelError {
  const fits = nanoseconds >= YEAR_ONE && nanoseconds < YEAR_TEN_THOUSAND;
  return fits ? new Timestamp(nanoseconds) : new CelError('timestamp overflow');
}

/** The text of a duration, as `string(duration)` gives it: its seconds as a double, without an exponent. */
export function durationText({ nanoseconds }: Duration): string {
  const seconds = Number(nanoseconds / SECOND) + Number(nanoseconds % SECOND) / 1e9;
  const text = String(seconds);
  return `${text.includes('e') ? seconds.toFixed(9).replace(/0+$/, '') : text}s`;
}

export function timestampText({ nanoseconds }: Timestamp): string {
  const seconds = floorDivide(nanoseconds, SECOND);
  const rest = nanoseconds - seconds * SECOND;
  const whole = new Date(Number(seconds) * 1000).toISOString().replace('.000Z', '');
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole}${fraction}Z`;
}

export function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
