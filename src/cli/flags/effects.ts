import type { Command } from 'commander';
import { CodedError } from '../../lib/errors.ts';

/** A flag that has an effect only in some cases. */
export interface Effect {
  /** The flag as users write it, without the dashes. */
  readonly flag: string;
  /** What it needs, in words: `--trace`. */
  readonly needs: string;
  readonly isMet: boolean;
}

/** Refuses flags of the command line that would have no effect. Throws the first one as a `Usage` error. */
export function refuseIdleFlags(command: Command, effects: readonly Effect[]): void {
  for (const { flag, needs, isMet } of effects) {
    if (isMet || !isGiven(command, flag)) continue;
    throw new CodedError('Usage', `--${flag} has no effect without ${needs}`);
  }
}

/** Whether the flag is on the command line, and not only a default. */
function isGiven(command: Command, flag: string): boolean {
  const name = flag.replace(/^no-/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return command.getOptionValueSource(name) === 'cli';
}
