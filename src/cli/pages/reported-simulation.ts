import type { ClusterStatistics } from '../../simulation/cluster-statistics.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import type { ObservedRun } from './observed-run.ts';

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

/** The title of a section, with that of its simulation if there are several. */
export function titleOfRun(run: string, title: string): string {
  return run === '' ? title : `${title}, ${run}`;
}
