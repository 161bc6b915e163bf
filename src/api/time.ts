import type { Time } from './meta.ts';

/** Milliseconds since the Unix epoch. */
export function millisOfTime(time: Time): number {
  if (typeof time !== 'string') return time.getTime();
  if (time !== lastParsed) {
    lastParsedMillis = Date.parse(time);
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
  const text = `${new Date(second * 1000).toISOString().slice(0, -'.000Z'.length)}Z`;
  keptTexts[place] = text;
  keptSeconds[place] = second;
  return text;
}
