import type { Fact, Highlight, LineRun, LinesSection, Mark, ReportPage, Section, Unit } from '../../report/sections.ts';
import { durationText, formatValue } from '../../report/units.ts';
import type { SeriesByName } from '../../simulation/statistics/cluster-statistics.ts';
import { openCount } from '../../simulation/statistics/open-pods.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import { simulationRows } from '../output/simulation-table.ts';
import { nodeSections } from './node-sections.ts';
import { reasonSections } from './reason-sections.ts';
import type { ReportedSimulation } from './reported-simulation.ts';
import { latencySections, workloadSections } from './workload-sections.ts';

/** The page of one simulation, or of several side by side. */
export function simulationPage(simulations: readonly ReportedSimulation[], origin: readonly Fact[]): ReportPage {
  const seeds = [...new Set(simulations.map(({ summary }) => summary.seed))];
  const compared = simulations.map(({ title }) => title).filter((title) => title !== '');
  return {
    title: 'Berth simulation',
    about: aboutOf(simulations),
    facts: [
      ...origin,
      ['Seed', seeds.join(', ')],
      ...(compared.length === 0 ? [] : [['Compared', compared.join(', ')] as const]),
    ],
    highlights: simulations.length === 1 ? highlightsOf((simulations[0] as ReportedSimulation).summary) : [],
    sections: [
      ...overTime(simulations),
      ...simulations.flatMap(reasonSections),
      ...simulations.flatMap(nodeSections),
      ...latencySections(simulations),
      ...simulations.flatMap(workloadSections),
      ...simulations.flatMap(faultTable),
      ...simulations.flatMap(errorTable),
      figureTable(simulations),
    ],
  };
}

/** How the runs ended; said once if they ended alike. */
function aboutOf(simulations: readonly ReportedSimulation[]): string {
  const outcomes = simulations.map(({ summary }) => outcomeOf(summary));
  if (new Set(outcomes).size === 1) return outcomes[0] ?? '';
  return outcomes.map((outcome, i) => `${simulations[i]?.title}: ${outcome}`).join(' ');
}

function outcomeOf({ end, reason, simulatedSeconds, nodes }: SimulationSummary): string {
  const cluster = `${formatValue('count', nodes)} nodes for ${durationText(simulatedSeconds)}`;
  return `${cluster}. ${end === 'settled' ? 'Everything that could end has ended' : capital(reason)}.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function highlightsOf({ pods, jobs, schedulingLatencySeconds: latency, ...summary }: SimulationSummary): Highlight[] {
  const open = openCount(summary.open);
  const cpu = summary.utilisation['cpu'];
  return [
    {
      name: 'Pods scheduled',
      value: formatValue('count', pods.scheduled),
      note: `of ${formatValue('count', pods.created)}`,
    },
    { name: 'Do not run at the end', value: formatValue('count', open), note: 'pods', isBad: open > 0 },
    ...(latency === null
      ? []
      : [
          {
            name: 'Scheduling latency, p99',
            value: durationText(latency.p99),
            note: `p50 ${durationText(latency.p50)}`,
          },
        ]),
    ...(jobs.created === 0
      ? []
      : [
          {
            name: 'Jobs complete',
            value: formatValue('count', jobs.complete),
            note:
              jobs.makespanSeconds === null ? `of ${jobs.created}` : `all after ${durationText(jobs.makespanSeconds)}`,
            isBad: jobs.failed > 0,
          },
        ]),
    ...(cpu === undefined
      ? []
      : [
          {
            name: 'cpu requested',
            value: formatValue('share', cpu.average),
            note: `${formatValue('share', cpu.peak)} at most`,
          },
        ]),
    ...(summary.nodesNotReady === 0
      ? []
      : [{ name: 'Nodes not ready', value: formatValue('count', summary.nodesNotReady), isBad: true }]),
  ];
}

/** Everything that has an axis of simulated time, one below the other. */
function overTime(simulations: readonly ReportedSimulation[]): readonly Section[] {
  const marks = marksOf(simulations);
  const plot = (title: string, unit: Unit, seriesOf: (each: ReportedSimulation) => SeriesByName | null, more = {}) => {
    const runs = simulations.flatMap((each) => runOf(each, seriesOf(each)));
    const isEmpty = runs.every(({ lines }) => lines.every(({ values }) => values.every((value) => value === 0)));
    return isEmpty ? [] : [timePlot(title, unit, runs, { marks, ...more })];
  };
  const hasLost = simulations.some(({ summary }) => Object.keys(summary.capacity).length > 0);
  const isOne = simulations.length === 1;
  return [
    ...throughput(simulations, marks),
    ...plot('Pods by phase', 'count', (each) => withValues(each.podsByPhase)),
    ...plot('Scheduling queue', 'count', ({ observed }) => (observed === null ? null : withValues(observed.queue)), {
      note: 'Pods in the queues of the scheduler: to be tried, backing off, waiting for something that helps, gated.',
    }),
    ...plot('Pending by reason', 'count', ({ observed }) => observed?.pendingByReason ?? null, {
      note: 'Pods without a node by what their condition says, without numbers of nodes.',
      isStacked: isOne,
    }),
    ...plot('Requested of what ready nodes offer', 'share', (each) => each.usageByResource),
    ...plot('Packing', 'share', ({ observed }) => observed?.packing ?? null, {
      note: 'How full the nodes are that have pods, and what share of all ready nodes these are.',
    }),
    ...plot('Fragmentation', 'share', ({ observed }) => observed?.fragmentation ?? null, {
      note: 'Free resources that pods like those seen cannot use where they are, since too little is left beside them.',
    }),
    ...plot('cpu requested by zone', 'share', ({ observed }) => observed?.zones ?? null),
    ...(hasLost ? plot('Resources of ready nodes, of all', 'share', (each) => each.capacityByResource) : []),
  ];
}

/** Lines that are never above zero say nothing. */
function withValues({ names, points }: SeriesByName): SeriesByName {
  const isUsed = names.map((_, i) => points.some(({ values }) => (values[i] ?? 0) !== 0));
  return {
    names: names.filter((_, i) => isUsed[i]),
    points: points.map(({ atMillis, values }) => ({ atMillis, values: values.filter((_, i) => isUsed[i] ?? true) })),
  };
}

const UNITS = [
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

function throughput(simulations: readonly ReportedSimulation[], marks: readonly Mark[]): readonly Section[] {
  const width = Math.max(0, ...simulations.map(({ observed }) => (observed?.events.widthMillis ?? 0) / 1000));
  const [unitSeconds, unitName] = UNITS.find(([seconds]) => width >= seconds) ?? UNITS[2];
  const runs = simulations.flatMap(({ observed, title, podsByPhase, startMillis }): LineRun[] => {
    if (observed === null) return [];
    const { names, widthMillis, counts } = observed.events;
    const binSeconds = widthMillis / 1000;
    const endSeconds = ((podsByPhase.points.at(-1)?.atMillis ?? startMillis) - startMillis) / 1000;
    const starts = counts.map((_, bin) => bin * binSeconds);
    const ends = counts.length * binSeconds;
    // Nothing happened between the last stretch that is counted and the end of the run.
    const after = endSeconds > ends ? [ends, endSeconds] : [];
    const lines = names.map((name, kind) => {
      const rates = counts.map((count) => rounded(((count[kind] ?? 0) * unitSeconds) / binSeconds));
      return { name, values: [...rates, ...after.map(() => 0)] };
    });
    return [{ name: title, xs: [...starts, ...after], lines }];
  });
  if (runs.length === 0) return [];
  const note = `Pods per ${unitName}, averaged over ${durationText(width)}.`;
  return [timePlot('Throughput', 'number', runs, { marks, note })];
}

/** A phase or queue has its colour in every report. */
const OWN_COLOURS: Readonly<Record<string, number>> = {
  ...{ Pending: 1, Running: 0, Succeeded: 2, Failed: 4, Unreachable: 3 },
  ...{ active: 0, backoff: 1, unschedulable: 4, gated: 3 },
};

function runOf({ title, startMillis }: ReportedSimulation, series: SeriesByName | null): LineRun[] {
  if (series === null) return [];
  const { names, points } = series;
  return [
    {
      name: title,
      xs: points.map(({ atMillis }) => (atMillis - startMillis) / 1000),
      lines: names.map((name, i) => {
        const colour = OWN_COLOURS[name];
        const values = points.map((point) => rounded(point.values[i] ?? 0));
        return { name, values, ...(colour !== undefined && { colour }) };
      }),
    },
  ];
}

function timePlot(title: string, unit: Unit, runs: readonly LineRun[], more: Partial<LinesSection>): LinesSection {
  return {
    ...{ kind: 'lines', group: 'Over time', title, isStepped: true, syncKey: 'time', runs },
    x: { name: 'After', unit: 'seconds' },
    y: { name: title, unit },
    ...more,
  };
}

/** More could not be told apart. */
const MARKS_MAX = 1000;

function marksOf(simulations: readonly ReportedSimulation[]): readonly Mark[] {
  return simulations
    .flatMap(({ observed, startMillis, title }) =>
      (observed?.faults ?? []).map(({ atMillis, text }): Mark => {
        return { x: (atMillis - startMillis) / 1000, text: title === '' ? text : `${title}: ${text}` };
      }),
    )
    .slice(0, MARKS_MAX);
}

function faultTable({ observed, startMillis, title }: ReportedSimulation): readonly Section[] {
  if (observed === null || observed.faults.length === 0) return [];
  return [
    {
      ...{ kind: 'table', group: 'Faults', title: title === '' ? 'Faults' : title },
      columns: [{ title: 'After', unit: 'seconds' }, { title: 'Fault' }],
      rows: observed.faults.map(({ atMillis, text }) => [(atMillis - startMillis) / 1000, text]),
    },
  ];
}

function errorTable({ summary, title }: ReportedSimulation): readonly Section[] {
  if (summary.errors.length === 0) return [];
  return [
    {
      ...{
        kind: 'table',
        group: 'Errors that stopped nothing',
        title: title === '' ? 'Errors that stopped nothing' : title,
      },
      columns: [{ title: 'Times', unit: 'count' }, { title: 'Activity' }, { title: 'Error' }],
      rows: summary.errors.map(({ count, activity, example }) => [count, activity, example]),
    },
  ];
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

/** A plot shows no more digits. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
