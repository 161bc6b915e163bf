import type { Time } from './meta.ts';

/** Milliseconds since the Unix epoch. */
export function millisOfTime(time: Time): number {
  if (typeof time !== 'string') return time.getTime();
  if (time !== lastParsed) {
    lastParsedMillis = millisOfKeptDay(time) ?? Date.parse(time);
    lastParsed = time;
  }
  return lastParsedMillis;
}

/** The last text that was read: consecutive objects often have the same times. */
let lastParsed = '';
let lastParsedMillis = Number.NaN;

/** The same; 0 for a time that is not known. */
export function millisOrZero(time: Time | undefined): number {
  return time === undefined ? 0 : millisOfTime(time);
}

/**
 * The milliseconds of a duration that the API gives in seconds. Go counts durations in nanoseconds of 64 bits, so that
 * those above 292 years wrap round.
 */
export function millisOfSeconds(seconds: number): number {
  return Math.abs(seconds) < 9e9 ? seconds * 1000 : Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n)) / 1e6;
}

/** How many texts of seconds are kept; a power of two. Objects of one second share its text. */
const KEPT_TEXTS = 1 << 8;
const keptSeconds: number[] = new Array(KEPT_TEXTS).fill(Number.NaN);
const keptTexts: (string | undefined)[] = new Array(KEPT_TEXTS).fill(undefined);

/** The time as the API server writes it (metav1.Time): RFC 3339, UTC, in whole seconds, rounded down. */
export function timeAtMillis(millis: number): string {
  const second = Math.floor(millis / 1000);
  const place = second & (KEPT_TEXTS - 1);
  const kept = keptTexts[place];
  if (kept !== undefined && keptSeconds[place] === second) return kept;
  const day = Math.floor(second / DAY_SECONDS);
  if (day !== keptDay) {
    keptDayText = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, -'00:00:00.000Z'.length);
    keptDay = day;
  }
  const rest = second - day * DAY_SECONDS;
  const minutes = Math.floor(rest / 60);
  const clock = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(rest % 60)}Z`;
  const text = keptDayText + clock;
  keptTexts[place] = text;
  keptSeconds[place] = second;
  return text;
}

const DAY_SECONDS = 86_400;
/** The last day that was written, since the epoch, and its text up to the `T`: making a date costs more. */
let keptDay = Number.NaN;
let keptDayText = 'none';

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

/** Milliseconds since the epoch for a text that `timeAtMillis` might have written on the kept day; else undefined. */
function millisOfKeptDay(text: string): number | undefined {
  const start = keptDayText.length;
  if (text.length !== start + '00:00:00Z'.length || !text.startsWith(keptDayText)) return undefined;
  const hours = numberAt(text, start);
  const minutes = numberAt(text, start + 3);
  const seconds = numberAt(text, start + 6);
  const isClock = hours < 24 && minutes < 60 && seconds < 60;
  if (!isClock || text[start + 2] !== ':' || text[start + 5] !== ':' || !text.endsWith('Z')) return undefined;
  return (keptDay * DAY_SECONDS + hours * 3600 + minutes * 60 + seconds) * 1000;
}

/** The two digits at this place; NaN for anything else. */
function numberAt(text: string, place: number): number {
  const tens = text.charCodeAt(place) - DIGIT_ZERO;
  const ones = text.charCodeAt(place + 1) - DIGIT_ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}

const DIGIT_ZERO = '0'.charCodeAt(0);
