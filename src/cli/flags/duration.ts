import { InvalidArgumentError, Option } from 'commander';
import { LONGEST_DURATION, parseDuration } from '../../lib/go-duration.ts';

/** Reads a duration such as `90s`; returns milliseconds. */
export function durationArgument(text: string): number {
  const parsed = parseDuration(text);
  if (typeof parsed === 'bigint' && parsed > 0n) return Number(parsed) / 1e6;
  throw new InvalidArgumentError(expected('90s or 24h'));
}

/** A flag whose value is a duration, kept as it is written. `mayBeZero`: 0 is one, too. */
export function durationOption(flag: string, description: string, mayBeZero = false): Option {
  return new Option(`--${flag} <duration>`, description).argParser((text) => {
    const parsed = parseDuration(text);
    if (typeof parsed === 'bigint' && (parsed > 0n || (mayBeZero && parsed === 0n))) return text;
    throw new InvalidArgumentError(expected(mayBeZero ? '500us or 0s' : '90s or 24h'));
  });
}

function expected(examples: string): string {
  return `Expected a duration such as ${examples}, of at most ${LONGEST_DURATION}.`;
}
