import type { RunObservation } from '../../simulation/observation/run-observation.ts';
import type { Simulation } from '../../simulation/simulation.ts';
import type { ClusterStatistics } from '../../simulation/statistics/cluster-statistics.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import { type ObservedRun, observedRun } from './observed-run.ts';

/** The parts of a simulation that a page shows. */
export interface ReportedSimulation {
  /** The title; empty if there is only one simulation. */
  readonly title: string;
  readonly summary: SimulationSummary;
  readonly podsByPhase: ReturnType<ClusterStatistics['podsByPhase']>;
  readonly usageByResource: ReturnType<ClusterStatistics['usageByResource']>;
  readonly capacityByResource: ReturnType<ClusterStatistics['capacityByResource']>;
  readonly startMillis: number;
  /** What only a page shows; null where none was asked for. */
  readonly observed: ObservedRun | null;
}

/**
 * What a page shows of a simulation that has ended.
 *
 * @param observation null when no page is wanted
 */
export function reportedSimulation(
  simulation: Simulation,
  title: string,
  observation: RunObservation | null,
): ReportedSimulation {
  const { statistics, startMillis } = simulation;
  return {
    ...{ title, startMillis },
    summary: simulation.summary(),
    podsByPhase: statistics.podsByPhase(),
    usageByResource: statistics.usageByResource(),
    capacityByResource: statistics.capacityByResource(),
    observed: observation === null ? null : observedRun(observation),
  };
}

/** The title of a section, with that of its simulation if there are several. */
export function titleOfRun(run: string, title: string): string {
  return run === '' ? title : `${title}, ${run}`;
}
