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

let lastSecond = Number.NaN;
let lastText = '';

/** The time as the API server writes it (metav1.Time): RFC 3339, UTC, in whole seconds, rounded down. */
export function timeAtMillis(millis: number): string {
  const second = Math.floor(millis / 1000);
  // Many times are written within the same second, so the last text is kept.
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, -'.000Z'.length)}Z`;
    lastSecond = second;
  }
  return lastText;
}
