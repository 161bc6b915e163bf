import { assert } from '../../lib/assert.ts';

/** A logarithmic axis over whole decades, drawn from pixel `from` (the least value) to pixel `to`. */
export interface LogAxis {
  /** One tick for each decade, including both ends. */
  readonly ticks: readonly number[];
  pixel(value: number): number;
}

/** The axis for these values, which must be positive. */
export function logAxis(values: readonly number[], from: number, to: number): LogAxis {
  assert(values.length > 0, 'an axis shows a value');
  const logs = values.map(Math.log10);
  const first = Math.floor(logs.reduce((a, b) => Math.min(a, b)));
  const last = Math.max(Math.ceil(logs.reduce((a, b) => Math.max(a, b))), first + 1);
  return {
    ticks: Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i)),
    pixel: (value) => from + ((Math.log10(value) - first) / (last - first)) * (to - from),
  };
}
