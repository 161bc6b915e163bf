import type { ClusterStatistics } from '../../simulation/cluster-statistics.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import type { Markup } from '../plot/markup.ts';
import { timePlot } from '../plot/time-plot.ts';
import { whole } from '../text/numbers.ts';
import { formatPage, heading, table, wide } from './page.ts';
import { simulationRows } from './simulation-table.ts';

/** The parts of a simulation that a page shows. */
export interface ReportedSimulation {
  /** The title; empty if there is only one simulation. */
  readonly title: string;
  readonly summary: SimulationSummary;
  readonly podsByPhase: ReturnType<ClusterStatistics['podsByPhase']>;
  readonly usageByResource: ReturnType<ClusterStatistics['usageByResource']>;
  readonly capacityByResource: ReturnType<ClusterStatistics['capacityByResource']>;
  readonly startMillis: number;
}

/** A self-contained page with the figures and plots of simulations. */
export function formatSimulationReport(simulations: readonly ReportedSimulation[]): string {
  return formatPage('Berth simulation', ...simulations.flatMap(sectionOf));
}

function sectionOf({ title, summary, startMillis, ...series }: ReportedSimulation): Markup[] {
  const phases = timePlot({ title: 'Pods by phase', series: series.podsByPhase, startMillis, formatValue: whole });
  const shares = { startMillis, formatValue: (share: number) => `${Number((share * 100).toPrecision(3))}%` };
  const usage = timePlot({ title: 'Requested of what ready nodes offer', series: series.usageByResource, ...shares });
  const hasLost = Object.keys(summary.capacity).length > 0;
  const capacityTitle = 'Resources of ready nodes, of all';
  const capacity = hasLost ? timePlot({ title: capacityTitle, series: series.capacityByResource, ...shares }) : null;
  const plots = [phases, usage, capacity].filter((plot) => plot !== null);
  return [
    ...(title === '' ? [] : [heading(title)]),
    ...plots.map(wide),
    table({ titles: ['Figure', 'Value'], aligns: ['left', 'left'], rows: simulationRows(summary) }),
  ];
}
