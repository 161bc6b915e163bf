import type { BenchReport, BenchResult, Figure, Machine } from '../../benchmark/result.ts';
import { variantName } from '../../benchmark/variant.ts';
import type { PhaseReport } from '../../framework/tracing/phase-times.ts';
import { groupBy } from '../../lib/group-by.ts';
import { plural } from '../../lib/shown-count.ts';
import type { BarsSection, Fact, Highlight, ReportPage, Section } from '../../report/sections.ts';
import { formatValue } from '../../report/units.ts';
import { originFacts } from './origin-facts.ts';
import { throughputSections } from './throughput-sections.ts';

/** The page of a benchmark: machine, throughput and latency of each kind of cluster, figures, results. */
export function benchPage(report: BenchReport): ReportPage {
  const { machine, origin, results, figures = [], skipped = [] } = report;
  return {
    title: 'Berth benchmark',
    about: aboutOf(results),
    facts: [...(origin === undefined ? [] : runFacts(origin)), ...machineFacts(machine)],
    highlights: highlightsOf(results, figures),
    sections: [
      ...throughputSections([{ name: '', results }]),
      ...latency(results),
      ...(figures.length === 0 ? [] : [figureTable(figures)]),
      resultTable(results),
      ...results.flatMap(phaseTable),
      ...(skipped.length === 0 ? [] : [skippedTable(skipped)]),
    ],
  };
}

function runFacts(origin: NonNullable<BenchReport['origin']>): readonly Fact[] {
  return [...originFacts(origin), ['Seed', String(origin.seed)], ['Time', origin.time]];
}

function machineFacts({ cpu, cores, memoryBytes, node, platform }: Machine): readonly Fact[] {
  return [
    ['Processor', `${cpu}, ${cores} cores`],
    ['Memory', `${(memoryBytes / 2 ** 30).toFixed(0)} GiB`],
    ['Node.js', `${node}, ${platform}`],
  ];
}

function aboutOf(results: readonly BenchResult[]): string {
  const kinds = new Set(results.map(({ kind }) => kind)).size;
  const variants = new Set(results.map(variantName)).size;
  const what = `${plural(kinds, 'kind')} of cluster, ${plural(variants, 'variant')} of the scheduler`;
  return `How fast pods are placed: ${what}.`;
}

function highlightsOf(results: readonly BenchResult[], figures: readonly Figure[]): readonly Highlight[] {
  const judged = figures.filter(({ isMet }) => isMet !== null);
  const met = judged.filter(({ isMet }) => isMet === true).length;
  const fastest = [...groupBy(results, ({ kind }) => kind).values()].map((ofKind) =>
    ofKind.reduce((best, each) => (each.podsPerSecond > best.podsPerSecond ? each : best)),
  );
  return [
    ...(judged.length === 0
      ? []
      : [{ name: 'Figures met', value: `${met} of ${judged.length}`, isBad: met < judged.length }]),
    ...fastest.map((result) => ({
      name: result.kind,
      value: formatValue('perSecond', result.podsPerSecond).replace('/s', ' pods/s'),
      note: `${variantName(result)}, ${formatValue('count', result.nodes)} nodes`,
    })),
  ];
}

function latency(results: readonly BenchResult[]): readonly Section[] {
  const measured = results.filter(({ latencyMicros }) => latencyMicros.samples > 0);
  return [...groupBy(measured, ({ kind }) => kind)].map(([kind, ofKind]): BarsSection => {
    const hasSizes = new Set(ofKind.map(({ nodes }) => nodes)).size > 1;
    // The reference engine is a hundred times slower, and would make the others invisible.
    const fast = ofKind.filter(({ engine }) => engine !== 'reference');
    const shown = fast.length > 0 ? fast : ofKind;
    return {
      ...{ kind: 'bars', group: 'Latency of single pods', title: kind, isNarrow: true, unit: 'micros' },
      categories: shown.map((each) => {
        return `${variantName(each)}${hasSizes ? `, ${formatValue('count', each.nodes)} nodes` : ''}`;
      }),
      series: (['p50', 'p90', 'p99'] as const).map((name) => ({
        name,
        values: shown.map(({ latencyMicros }) => latencyMicros[name]),
      })),
    };
  });
}

function figureTable(figures: readonly Figure[]): Section {
  return {
    ...{ kind: 'table', title: 'Figures' },
    columns: [
      { title: 'Figure' },
      { title: 'Wanted' },
      { title: 'Measured', unit: 'number' },
      { title: 'Unit' },
      { title: 'Result' },
    ],
    rows: figures.map(({ name, unit, bound, wanted, measured, isMet }) => [
      name,
      wanted === null ? '' : `${bound === 'atLeast' ? '≥' : '≤'} ${formatValue('number', wanted)}`,
      measured ?? 'not measured',
      unit,
      isMet === null ? '' : isMet ? 'met' : 'missed',
    ]),
  };
}

function resultTable(results: readonly BenchResult[]): Section {
  return {
    ...{ kind: 'table', title: 'Results' },
    note: 'Variants with the same decisions on the same cluster have the same hash.',
    columns: [
      ...[{ title: 'Kind' }, { title: 'Nodes', unit: 'count' as const }, { title: 'Pods', unit: 'count' as const }],
      ...[{ title: 'Variant' }, { title: 'Scored', unit: 'share' as const }],
      ...['Placed', 'Pods/s'].map((title) => ({ title, unit: 'count' as const })),
      { title: 'Times the reference', unit: 'number' },
      ...['p50', 'p90', 'p99'].map((title) => ({ title, unit: 'micros' as const })),
      { title: 'Evaluations', unit: 'perSecond' },
      ...['Per node', 'Per pod'].map((title) => ({ title, unit: 'bytes' as const })),
      { title: 'Decisions' },
    ],
    rows: results.map((result) => {
      const { kind, nodes, pods, scheduled, podsPerSecond, latencyMicros, decisionHash } = result;
      return [
        ...[kind, nodes, pods, variantName(result), result.percentageOfNodesScored / 100],
        ...[scheduled, Math.round(podsPerSecond), timesReference(result, results)],
        ...[latencyMicros.p50, latencyMicros.p90, latencyMicros.p99, result.nodeEvaluationsPerSecond],
        ...[result.bytesPerNode, result.bytesPerPod, decisionHash.slice(0, 12)],
      ];
    }),
  };
}

function timesReference(result: BenchResult, results: readonly BenchResult[]): number | null {
  const reference = results.find(
    ({ engine, kind, nodes, percentageOfNodesScored }) =>
      engine === 'reference' &&
      kind === result.kind &&
      nodes === result.nodes &&
      percentageOfNodesScored === result.percentageOfNodesScored,
  );
  return reference === undefined || reference.podsPerSecond === 0
    ? null
    : result.podsPerSecond / reference.podsPerSecond;
}

/** Where the time of a result went. */
function phaseTable(result: BenchResult): readonly Section[] {
  const { phases, kind, nodes } = result;
  if (phases === undefined || phases.times.length === 0) return [];
  const title = `${kind}, ${formatValue('count', nodes)} nodes, ${variantName(result)}`;
  return [{ kind: 'table', group: 'Where the time went', title, columns: PHASE_COLUMNS, rows: phaseRows(phases) }];
}

const PHASE_COLUMNS = [
  { title: 'Phase' },
  { title: 'Calls', unit: 'count' },
  { title: 'Total', unit: 'seconds' },
  { title: 'Mean', unit: 'micros' },
  { title: 'Share', unit: 'share' },
] as const;

function phaseRows({ times }: PhaseReport) {
  return times.map(({ path, point, calls, totalMillis, meanMicros, share }) => {
    const name = path.length === 1 ? (path[0] ?? '') : path.slice(1).join(' › ');
    const where = point === null || point === path.at(-2) ? '' : ` (${point})`;
    return [name + where, calls, totalMillis / 1000, meanMicros, share];
  });
}

function skippedTable(skipped: NonNullable<BenchReport['skipped']>): Section {
  return {
    ...{ kind: 'table', title: 'Not measured' },
    columns: ['Cluster', 'Variant', 'Reason'].map((title) => ({ title })),
    rows: skipped.map(({ cluster, variant, reason }) => [cluster, variant, reason]),
  };
}
