/** A number, or a percentage of another number such as `25%`. */
export type IntOrPercent = number | string;

const PERCENT = /^(\d{1,9})%$/;

/** The percentage of a text, such as 25; undefined for a number, and for a text that is no percentage. */
export function percentOf(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? PERCENT.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The number that is meant, with this total as 100 %; 0 for a malformed text. Upstream: GetScaledValueFromIntOrPercent
 * in apimachinery/pkg/util/intstr.
 */
export function scaledValue(value: IntOrPercent, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const exact = ((percentOf(value) ?? 0) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
