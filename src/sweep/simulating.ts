import { assert } from '../lib/assert.ts';
import { Simulation, type SimulationInput } from '../simulation/simulation.ts';
import type { SimulationSummary } from '../simulation/summary.ts';
import type { Executor } from './executor.ts';
import type { RunResult } from './rows.ts';

/** How many tasks are run between two looks at whether the simulation has ended. */
const TASKS_PER_TURN = 4096;

/** Runs a whole cluster to its end. The seed is used for everything that is random in it. */
export function simulate(input: SimulationInput, seed: number, { engine, index }: Executor): RunResult {
  const scheduler = { ...input.scheduler, engine, index, workers: 1 };
  const simulation = new Simulation({ ...input, seed, scheduler });
  simulation.start();
  while (simulation.end === undefined) simulation.run(TASKS_PER_TURN);
  return resultOf(simulation.summary());
}

function resultOf({ end, pods, jobs, faults, reportedErrors, ...summary }: SimulationSummary): RunResult {
  assert(end !== 'interrupted', 'a simulation of a sweep is not ended from outside');
  const { schedulingLatencySeconds: latency, utilisation } = summary;
  const shareOf = (resource: string): number | null => utilisation[resource]?.average ?? null;
  return {
    ...{ end, scheduled: pods.scheduled, unschedulable: pods.pending, evicted: pods.evicted },
    ...{ succeeded: pods.succeeded, failed: pods.failed, nodesInUse: null },
    ...{ utilisationCpu: shareOf('cpu'), utilisationMemory: shareOf('memory'), utilisationPods: shareOf('pods') },
    ...{ latencyP50: latency?.p50 ?? null, latencyP90: latency?.p90 ?? null, latencyP99: latency?.p99 ?? null },
    latencyMax: latency?.max ?? null,
    ...{ jobsComplete: jobs.complete, jobsFailed: jobs.failed },
    simulatedSeconds: summary.simulatedSeconds,
    faultCount: Object.values(faults).reduce((sum, count) => sum + count, 0),
    errorCount: reportedErrors,
    hash: summary.log.sha256,
  };
}
