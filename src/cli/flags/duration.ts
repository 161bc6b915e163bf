import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../lib/go-duration.ts';

/** Reads a duration such as `90s`; returns milliseconds. */
export function durationArgument(text: string): number {
  const parsed = parseDuration(text);
  if (typeof parsed === 'bigint' && parsed > 0n) return Number(parsed) / 1e6;
  throw new InvalidArgumentError('Expected a duration such as 90s or 24h.');
}
