import { type FunctionDeclaration, functionOf, member, type Overload } from '../check/declarations.ts';
import type { Duration, Timestamp } from '../values/scalars.ts';
import { floorDivide } from '../values/times.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../values/types.ts';
import { CelError, type Outcome, type Value } from '../values/value.ts';

const MILLI = 1_000_000n;
const SECOND = 1_000_000_000n;
const DAY_MILLIS = 86_400_000;
const OFFSET = /^([+-]?)(\d\d):(\d\d)$/;

/** The date as the clocks of a time zone show it, as if they were UTC's. */
function localDate(timestamp: Value, zone?: Value): Date | CelError {
  const millis = Number(floorDivide((timestamp as Timestamp).nanoseconds, MILLI));
  if (zone === undefined) return new Date(millis);
  const [, sign, hours, minutes] = OFFSET.exec(zone as string) ?? [];
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return new Date(millis + (sign === '-' ? -offset : offset));
  }
  try {
    return zonedDate(millis, zone as string);
  } catch {
    return new CelError(`unknown time zone ${zone as string}`);
  }
}

function zonedDate(millis: number, timeZone: string): Date {
  const numeric = 'numeric';
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: numeric, month: numeric, day: numeric },
    ...{ hour: numeric, minute: numeric, second: numeric },
  });
  const parts = new Map(format.formatToParts(millis).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const rest = ((millis % 1000) + 1000) % 1000;
  const seconds = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return new Date(seconds + rest);
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MILLIS);
}

function ofDate(id: string, read: (date: Date) => number): Overload[] {
  const run = (timestamp: Value, zone?: Value): Outcome => {
    const date = localDate(timestamp, zone);
    return date instanceof CelError ? date : BigInt(read(date));
  };
  return [member(id, [TIMESTAMP], INT, run), member(`${id}_with_tz`, [TIMESTAMP, STRING], INT, run)];
}

function ofDuration(id: string, unit: bigint): Overload {
  return member(id, [DURATION], INT, (duration) => (duration as Duration).nanoseconds / unit);
}

/** The parts of times and durations; days and months count from 0 where the language says so. */
export const timeFunctions: readonly FunctionDeclaration[] = [
  functionOf('getFullYear', ...ofDate('timestamp_to_year', (date) => date.getUTCFullYear())),
  functionOf('getMonth', ...ofDate('timestamp_to_month', (date) => date.getUTCMonth())),
  functionOf('getDayOfYear', ...ofDate('timestamp_to_day_of_year', dayOfYear)),
  functionOf('getDayOfMonth', ...ofDate('timestamp_to_day_of_month', (date) => date.getUTCDate() - 1)),
  functionOf('getDate', ...ofDate('timestamp_to_day_of_month_1_based', (date) => date.getUTCDate())),
  functionOf('getDayOfWeek', ...ofDate('timestamp_to_day_of_week', (date) => date.getUTCDay())),
  functionOf(
    'getHours',
    ...ofDate('timestamp_to_hours', (date) => date.getUTCHours()),
    ofDuration('duration_to_hours', 3600n * SECOND),
  ),
  functionOf(
    'getMinutes',
    ...ofDate('timestamp_to_minutes', (date) => date.getUTCMinutes()),
    ofDuration('duration_to_minutes', 60n * SECOND),
  ),
  functionOf(
    'getSeconds',
    ...ofDate('timestamp_to_seconds', (date) => date.getUTCSeconds()),
    ofDuration('duration_to_seconds', SECOND),
  ),
  functionOf(
    'getMilliseconds',
    ...ofDate('timestamp_to_milliseconds', (date) => date.getUTCMilliseconds()),
    ofDuration('duration_to_milliseconds', MILLI),
  ),
];
