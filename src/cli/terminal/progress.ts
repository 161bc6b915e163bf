import cliProgress from 'cli-progress';
import type { Terminal } from './terminal.ts';

/** Shows the progress: `done` of the total. */
export type ShowProgress = (done: number, what?: string) => void;

/** Does the work with a bar on standard error, which is drawn only if that is a terminal. */
export async function withProgress<T>(
  terminal: Terminal,
  total: number,
  what: string,
  work: (show: ShowProgress) => T | Promise<T>,
): Promise<T> {
  if (!terminal.drawsProgress || total <= 0) return work(() => {});
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
  try {
    return await work((done, label = what) => bar.update(done, { what: label }));
  } finally {
    bar.stop();
  }
}
