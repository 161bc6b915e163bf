import { CodedError } from '../lib/errors.ts';

/** A thread has gone in the middle of a run; the run says nothing of it and can be repeated. */
export class WorkerDied extends CodedError<'WorkerDied'> {
  constructor(reason: string) {
    super('WorkerDied', reason);
  }
}

export interface SweepModules {
  /** The line of run `index`, without its end; called for several at a time. */
  readonly simulate: (index: number) => Promise<string>;
  /** Writes whole lines; resolves when they are on the disk. */
  readonly append: (lines: string) => Promise<void>;
  /** Runs that are under way, or done and waiting for an earlier one; at least the number of threads. */
  readonly windowRuns: number;
  readonly signal: AbortSignal;
  /** How many lines are written. */
  readonly onWritten?: (count: number) => void;
}

export interface SweepOutcome {
  /** Lines in the file, those from before included. */
  readonly written: number;
  /** Runs that were started once more because their worker died. */
  readonly repeated: number;
  readonly isInterrupted: boolean;
}

/** A run that brings down every thread that tries it will not do better the next time. */
const ATTEMPTS_MAX = 3;

/**
 * Runs the simulations from `first` on and writes their lines in order, whichever ends first:
 *
 *   0 ........ written ........ next ........ count
 *     in the file  │ under way, or  │ not begun
 *                  │ held back      │
 *                  └─ windowRuns ───┘
 *
 * so that a file that was cut off anywhere is the beginning of the whole one. Errors of a run and of writing end it;
 * what is in order by then is written.
 */
export async function runSweep(first: number, count: number, modules: SweepModules): Promise<SweepOutcome> {
  const { windowRuns, signal } = modules;
  const done = new Map<number, string>();
  const state = { written: first, next: first, repeated: 0, failure: undefined as unknown };
  let wake = () => {};
  const start = (index: number) => {
    simulateRepeatedly(index, modules, () => state.repeated++)
      .then(
        (line) => done.set(index, line),
        (error) => {
          state.failure ??= error;
        },
      )
      .finally(() => wake());
  };
  const write = async (lines: readonly string[]) => {
    await modules.append(lines.map((line) => `${line}\n`).join(''));
    state.written += lines.length;
    modules.onWritten?.(state.written);
  };
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (state.written < count && !signal.aborted && state.failure === undefined) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      while (state.next < count && state.next - state.written < windowRuns) start(state.next++);
      const lines = takeInOrder(done, state.written);
      if (lines.length > 0) await write(lines);
      else await changed;
    }
    const rest = takeInOrder(done, state.written);
    if (rest.length > 0) await write(rest);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  const { written, repeated, failure } = state;
  if (failure !== undefined && !signal.aborted) throw failure;
  return { written, repeated, isInterrupted: written < count };
}

async function simulateRepeatedly(index: number, { simulate, signal }: SweepModules, onRepeat: () => void) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await simulate(index);
    } catch (error) {
      if (!(error instanceof WorkerDied) || signal.aborted) throw error;
      if (attempt === ATTEMPTS_MAX) {
        const reason = `its worker died ${ATTEMPTS_MAX} times: ${error.message}`;
        throw new CodedError('SimulationFailed', `run ${index + 1}: ${reason}`);
      }
      onRepeat();
    }
  }
}

/** The lines from `from` on that have come without a gap. */
function takeInOrder(done: Map<number, string>, from: number): string[] {
  const lines: string[] = [];
  for (let line = done.get(from); line !== undefined; line = done.get(from + lines.length)) {
    done.delete(from + lines.length);
    lines.push(line);
  }
  return lines;
}
