import { RealClock } from '../../lib/clock.ts';
import type { Terminal } from './terminal.ts';

/** Shows the progress: `done` of the total. */
export type ShowProgress = (done: number, what?: string) => void;

/** Does the work with a bar on standard error if that is a terminal, and otherwise with a line from time to time. */
export async function withProgress<T>(
  terminal: Terminal,
  total: number,
  what: string,
  work: (show: ShowProgress) => T | Promise<T>,
): Promise<T> {
  if (total <= 0) return work(() => {});
  if (!terminal.drawsProgress) return work(lineProgress(terminal, total, what));
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage}% {what}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    stream: process.stderr,
    clearOnComplete: true,
    // Ctrl-C may end the process at once, and a hidden cursor would stay hidden.
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

function lineProgress({ log, progressLineMillis }: Terminal, total: number, what: string): ShowProgress {
  const clock = new RealClock();
  const start = clock.nowMillis();
  let next = start + progressLineMillis;
  return (done, label = what) => {
    const now = clock.nowMillis();
    if (now < next) return;
    next = now + progressLineMillis;
    log(`${Math.floor((done / total) * 100)}% ${label} (${Math.round((now - start) / 1000)} s)`);
  };
}
