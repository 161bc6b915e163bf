import { setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { CodedError } from '../lib/errors.ts';
import { latePackage } from '../lib/host-modules.ts';
import type { RunResult } from './rows.ts';
import { WorkerDied } from './run-sweep.ts';
import type { SimulationAnswer, SimulationSpec } from './simulation-worker.ts';
import type { SweepRun } from './sweep-plan.ts';

/** The figures of a run, and how long it took. */
export interface TimedResult {
  readonly result: RunResult;
  readonly seconds: number;
}

/** The file of the worker, next to this one, either built or, in tests, as source. */
const IS_BUILT = import.meta.url.endsWith('.js');
const WORKER = fileURLToPath(
  IS_BUILT ? new URL('./simulation-worker.js', import.meta.url) : new URL('./simulation-worker.ts', import.meta.url),
);

/** Threads that run simulations in parallel, one at a time each. */
export class SimulationPool {
  readonly #pool: Piscina<SweepRun, SimulationAnswer>;
  /** Aborted when no thread is left. */
  readonly #deserted = new AbortController();
  #lastError = 'they ended at once';

  constructor(spec: SimulationSpec, workers: number) {
    this.#pool = new (latePackage('piscina').Piscina)({
      filename: WORKER,
      workerData: shared(spec),
      minThreads: workers,
      maxThreads: workers,
      idleTimeout: Number.POSITIVE_INFINITY,
      recordTiming: false,
      ...(!IS_BUILT && { execArgv: ['--import', 'tsx'] }),
    });
    // Each queued run listens to the signal, so there is no limit of listeners.
    setMaxListeners(0, this.#deserted.signal);
    // This is the error of a thread that dies without a task; without a listener it would end the process.
    this.#pool.on('error', (error: Error) => {
      this.#lastError = error.message;
    });
    // Threads are replaced, except for those that die while they start: then queued runs would wait for ever.
    this.#pool.on('workerDestroy', () =>
      queueMicrotask(() => {
        if (this.#pool.threads.length === 0) this.#deserted.abort();
      }),
    );
  }

  get threads(): readonly Worker[] {
    return this.#pool.threads;
  }

  /**
   * Runs a simulation. Rejects with `WorkerDied` when the thread ended before it answered, `SimulationFailed` when the
   * simulation threw, `NoWorkers` when no thread is left.
   */
  async run(run: SweepRun): Promise<TimedResult> {
    let answer: SimulationAnswer;
    try {
      answer = await this.#pool.run(run, { signal: this.#deserted.signal });
    } catch (error) {
      if (this.#deserted.signal.aborted) {
        throw new CodedError('NoWorkers', `no worker can be started: ${this.#lastError}`);
      }
      throw new WorkerDied(error instanceof Error ? error.message : String(error));
    }
    if (!answer.ok) throw new CodedError('SimulationFailed', `run ${run.run} (seed ${run.seed}): ${answer.message}`);
    return answer;
  }

  /** Ends all threads, whatever they are doing. */
  async end(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** The bytes of files are copied once, and not once more for each thread. */
function shared(spec: SimulationSpec): SimulationSpec {
  const files = [...spec.files].map(([name, bytes]): [string, Uint8Array] => {
    const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
    copy.set(bytes);
    return [name, copy];
  });
  return { ...spec, files: new Map(files) };
}
