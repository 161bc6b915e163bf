import { CodedError } from '../lib/errors.ts';

/** A thread has died in the middle of a run, which therefore can be repeated. */
export class WorkerDied extends CodedError<'WorkerDied'> {
  constructor(reason: string) {
    super('WorkerDied', reason);
  }
}

export interface SweepModules {
  /** Simulates run `index` and returns its line, without the line feed; called for several runs at a time. */
  readonly simulate: (index: number) => Promise<string>;
  /** Writes whole lines; resolves when they are on the disk. */
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** How many runs may be under way, or be done and wait for an earlier one; at least the number of threads. */
  readonly windowRuns: number;
  readonly signal: AbortSignal;
  /** Receives the number of written lines. */
  readonly onWritten?: (count: number) => void;
}

export interface SweepOutcome {
  /** The number of lines in the file, including earlier ones. */
  readonly written: number;
  /** The number of runs that were repeated because their worker died. */
  readonly repeated: number;
  readonly isInterrupted: boolean;
}

/** A run is not tried more often: if every thread that tries it dies, it will not succeed later. */
const ATTEMPTS_MAX = 3;

/**
 * Runs the simulations from `first` on and writes their lines in order, whatever order they end in:
 *
 *   0 ........ written ........ next ........ count
 *     in the file  │ under way, or  │ not begun
 *                  │ held back      │
 *                  └─ windowRuns ───┘
 *
 * So a file that was cut off anywhere is the beginning of the complete one. An error of a run or of writing ends the
 * sweep; lines that are complete and in order by then are written.
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
    await modules.append(lines);
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

/** Removes and returns the lines from `from` on that are available without a gap. */
function takeInOrder(done: Map<number, string>, from: number): string[] {
  const lines: string[] = [];
  for (let line = done.get(from); line !== undefined; line = done.get(from + lines.length)) {
    done.delete(from + lines.length);
    lines.push(line);
  }
  return lines;
}
