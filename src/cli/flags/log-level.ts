import { Option } from 'commander';
import { LineLogger, LOG_LEVELS, type Logger, type LogLevel, NO_LOGGER } from '../../lib/logger.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Every command takes this flag, before its name or behind it. */
export interface LogFlags {
  readonly logLevel?: LogLevel;
}

export function logLevelOption(): Option {
  return new Option(
    '--log-level <level>',
    'also write what the scheduler does on its way to standard error, up to this level',
  ).choices(LOG_LEVELS);
}

/** Writes to standard error; without the flag nothing is written. */
export function loggerOf({ logLevel: level }: LogFlags, terminal: Pick<Terminal, 'log'>): Logger {
  return level === undefined ? NO_LOGGER : new LineLogger({ level, write: (line) => terminal.log(line) });
}
