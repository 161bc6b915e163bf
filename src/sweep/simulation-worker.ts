import { workerData } from 'node:worker_threads';
import { type SimulationResult, type SimulationSpec, Simulator } from './simulator.ts';
import type { SweepRun } from './sweep-plan.ts';

/** The answer of a thread. An error is an answer, too: only a thread that dies gives none. */
export type SimulationAnswer =
  | { readonly ok: true; readonly result: SimulationResult }
  | { readonly ok: false; readonly message: string };

const simulator = new Simulator(workerData as SimulationSpec);

/** The entry point of a thread of simulation-pool.ts; one task is one simulation. */
export default function simulate(run: SweepRun): SimulationAnswer {
  try {
    return { ok: true, result: simulator.run(run) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
