import { workerData } from 'node:worker_threads';
import { RealClock } from '../lib/clock.ts';
import type { Executor } from './executor.ts';
import type { RunResult } from './rows.ts';
import { filesIn, Simulator } from './simulator.ts';
import type { SweepPlan, SweepRun } from './sweep-plan.ts';

/** What a thread is given when it starts; the bytes of files are shared by all threads. */
export interface SimulationSpec {
  readonly plan: SweepPlan;
  readonly executor: Executor;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The answer of a thread. An error is an answer, too: only a thread that dies gives none. */
export type SimulationAnswer =
  | { readonly ok: true; readonly result: RunResult; readonly seconds: number }
  | { readonly ok: false; readonly message: string };

const { plan, files, executor } = workerData as SimulationSpec;
const simulator = new Simulator(plan, filesIn(files), executor);
const clock = new RealClock();

/** The entry point of a thread of simulation-pool.ts; one task is one run. */
export default async function simulateRun(run: SweepRun): Promise<SimulationAnswer> {
  const start = clock.nowMillis();
  try {
    const result = await simulator.run(run);
    return { ok: true, result, seconds: (clock.nowMillis() - start) / 1000 };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
