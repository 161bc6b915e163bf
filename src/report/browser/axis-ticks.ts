const DAY = 86_400;
/** Steps between ticks that are round in minutes, hours and days, in seconds. */
const STEPS = [
  ...[1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600],
  ...[DAY, 2 * DAY, 5 * DAY, 7 * DAY, 10 * DAY, 14 * DAY, 28 * DAY, 50 * DAY, 100 * DAY, 200 * DAY, 500 * DAY],
  ...[1000 * DAY, 2000 * DAY, 5000 * DAY, 10_000 * DAY],
];

/** The ticks of an axis in seconds between two values, at most so many. */
export function durationTicks(from: number, to: number, most: number): number[] {
  const span = to - from;
  if (!(span > 0)) return [from];
  const step = STEPS.find((each) => span / each <= most) ?? span / most;
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  // Multiples instead of sums, which would gather errors of rounding.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
}

const LOG_TICKS_MAX = 8;

/** The ticks of a logarithmic axis: 1, 2 and 5 of each decade, or decades alone where there are many. */
export function logTicks(from: number, to: number): number[] {
  const first = Math.floor(Math.log10(from));
  const decades = Array.from(
    { length: Math.max(1, Math.ceil(Math.log10(to)) - first + 1) },
    (_, i) => 10 ** (first + i),
  );
  const all = decades
    .flatMap((decade) => [decade, 2 * decade, 5 * decade])
    .filter((tick) => tick >= from && tick <= to);
  return all.length <= LOG_TICKS_MAX ? all : decades.filter((tick) => tick >= from && tick <= to);
}
