import { LineLogger, type LogLevel } from '../../src/lib/logger.ts';

/** A logger, and the lines that it has written. */
export function logLines(level: LogLevel = 'info') {
  const lines: string[] = [];
  return { lines, logger: new LineLogger({ level, write: (line) => lines.push(line) }) };
}
