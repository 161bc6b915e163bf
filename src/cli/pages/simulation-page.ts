import type { Fact, LineRun, LinesSection, Mark, ReportPage, Section } from '../../report/sections.ts';
import type { ClusterStatistics, SeriesByName } from '../../simulation/cluster-statistics.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import { simulationRows } from '../output/simulation-table.ts';

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

/** The page of one simulation, or of several side by side. */
export function simulationPage(simulations: readonly ReportedSimulation[], facts: readonly Fact[]): ReportPage {
  const lines = (title: string, unit: 'count' | 'share', seriesOf: (each: ReportedSimulation) => SeriesByName) =>
    overTime(title, unit, simulations, seriesOf);
  const hasLost = simulations.some(({ summary }) => Object.keys(summary.capacity).length > 0);
  return {
    title: 'Berth simulation',
    facts,
    sections: [
      lines('Pods by phase', 'count', (each) => each.podsByPhase),
      lines('Requested of what ready nodes offer', 'share', (each) => each.usageByResource),
      ...(hasLost ? [lines('Resources of ready nodes, of all', 'share', (each) => each.capacityByResource)] : []),
      figureTable(simulations),
    ],
  };
}

const NO_MARKS: readonly Mark[] = [];

function overTime(
  title: string,
  unit: 'count' | 'share',
  simulations: readonly ReportedSimulation[],
  seriesOf: (each: ReportedSimulation) => SeriesByName,
): LinesSection {
  const runs = simulations.map((each): LineRun => {
    const { names, points } = seriesOf(each);
    return {
      name: each.title,
      xs: points.map(({ atMillis }) => (atMillis - each.startMillis) / 1000),
      lines: names.map((name, i) => ({ name, values: points.map(({ values }) => rounded(values[i] ?? 0)) })),
    };
  });
  return {
    ...{ kind: 'lines', group: 'Over time', title, isStepped: true, syncKey: 'time', marks: NO_MARKS, runs },
    x: { name: 'After', unit: 'seconds' },
    y: { name: title, unit },
  };
}

function figureTable(simulations: readonly ReportedSimulation[]): Section {
  const columns = simulations.map(({ summary }) => new Map(simulationRows(summary)));
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  return {
    ...{ kind: 'table', title: 'Figures' },
    columns: [{ title: 'Figure' }, ...simulations.map(({ title }) => ({ title: title === '' ? 'Value' : title }))],
    rows: names.map((name) => [name, ...columns.map((column) => column.get(name) ?? null)]),
  };
}

/** Shares need no more digits than a plot can show. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
