import cliProgress from 'cli-progress';
import type { Terminal } from './terminal.ts';

/** A bar on standard error, drawn only if that is a terminal. */
export interface Progress {
  /** Sets the progress: `done` of the initial total. */
  update(done: number, what?: string): void;
  stop(): void;
}

const SILENT: Progress = { update: () => {}, stop: () => {} };

export function startProgress(terminal: Terminal, total: number, what: string): Progress {
  if (!terminal.drawsProgress || total <= 0) return SILENT;
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage}% {what}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    stream: process.stderr,
    clearOnComplete: true,
    // Ctrl-C ends the process at once, and a hidden cursor would stay hidden.
    hideCursor: false,
    // The work is synchronous, so timers would never fire.
    forceRedraw: true,
    noTTYOutput: false,
  });
  bar.start(total, 0, { what });
  return {
    update: (done, label = what) => bar.update(done, { what: label }),
    stop: () => bar.stop(),
  };
}
