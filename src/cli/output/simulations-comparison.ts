import { compareSamples, median } from '../../benchmark/compare/mann-whitney.ts';
import { meanInterval } from '../../benchmark/compare/mean-interval.ts';
import type { SimulationSummary } from '../../simulation/summary.ts';
import { formatColumns } from '../text/columns.ts';
import { percentChange, short } from '../text/numbers.ts';
import { durationText } from './simulation-table.ts';

/** The runs of one variant of a simulation, one for each seed. */
export interface VariantRuns {
  readonly title: string;
  readonly summaries: readonly SimulationSummary[];
}

/** One figure of one variant over all seeds. */
export interface ComparedFigure {
  readonly figure: string;
  readonly unit: 'seconds' | 'share' | 'count';
  readonly variant: string;
  readonly runs: number;
  readonly mean: number;
  /** Half of the 95 % interval of the mean; null for a single run. */
  readonly margin: number | null;
  readonly median: number;
  /** The difference of the median from that of the first variant, and how likely chance makes one as large. */
  readonly change: number | null;
  readonly p: number | null;
}

interface Figure {
  readonly name: string;
  readonly unit: ComparedFigure['unit'];
  readonly of: (summary: SimulationSummary) => number | null | undefined;
}

const FIGURES: readonly Figure[] = [
  { name: 'all jobs done after', unit: 'seconds', of: ({ jobs }) => jobs.makespanSeconds },
  { name: 'time of a job, p50', unit: 'seconds', of: ({ jobs }) => jobs.durationSeconds?.p50 },
  { name: 'time of a job, p99', unit: 'seconds', of: ({ jobs }) => jobs.durationSeconds?.p99 },
  { name: 'scheduling latency, p50', unit: 'seconds', of: ({ schedulingLatencySeconds: each }) => each?.p50 },
  { name: 'scheduling latency, p99', unit: 'seconds', of: ({ schedulingLatencySeconds: each }) => each?.p99 },
  { name: 'pods succeeded', unit: 'count', of: ({ pods }) => pods.succeeded },
  { name: 'pods failed', unit: 'count', of: ({ pods }) => pods.failed },
  { name: 'pods evicted', unit: 'count', of: ({ pods }) => pods.evicted },
  { name: 'pods pending at the end', unit: 'count', of: ({ pods }) => pods.pending },
  { name: 'simulated time', unit: 'seconds', of: ({ simulatedSeconds }) => simulatedSeconds },
];

/** The figures of all variants. A figure that some run does not have, or that is 0 in all, is left out. */
export function compareVariants(variants: readonly VariantRuns[]): readonly ComparedFigure[] {
  const resources = [
    ...new Set(variants.flatMap(({ summaries }) => summaries.flatMap(({ utilisation }) => Object.keys(utilisation)))),
  ];
  const shares = resources.map((name): Figure => {
    return { name: `${name} requested, average`, unit: 'share', of: ({ utilisation }) => utilisation[name]?.average };
  });
  return [...FIGURES, ...queueFigures(variants), ...shares].flatMap(({ name, unit, of }) => {
    const samples = variants.map(({ summaries }) => summaries.map(of).filter((value) => typeof value === 'number'));
    if (samples.some((each, i) => each.length < (variants[i]?.summaries.length ?? 0) || each.length === 0)) return [];
    if (samples.flat().every((value) => value === 0)) return [];
    const [first = []] = samples;
    return variants.map(({ title }, i): ComparedFigure => {
      const own = samples[i] as readonly number[];
      const middle = median(own);
      const isCompared = i > 0 && own.length > 1 && median(first) > 0;
      return {
        ...{ figure: name, unit, variant: title, runs: own.length, ...meanInterval(own), median: middle },
        change: i > 0 && median(first) > 0 ? middle / median(first) - 1 : null,
        p: isCompared ? compareSamples(first, own).p : null,
      };
    });
  });
}

/** The times of Jobs by queue, where there are several. */
function queueFigures(variants: readonly VariantRuns[]): readonly Figure[] {
  const all = variants.flatMap(({ summaries }) => summaries.flatMap(({ jobs }) => jobs.queues));
  const names = [...new Set(all.map(({ queue }) => queue))].sort();
  if (names.length < 2) return [];
  return names.flatMap((name) =>
    (['p50', 'p99'] as const).map((rank): Figure => {
      const of: Figure['of'] = ({ jobs }) => jobs.queues.find(({ queue }) => queue === name)?.durationSeconds?.[rank];
      return { name: `time of a job in ${name}, ${rank}`, unit: 'seconds', of };
    }),
  );
}

/** A row for each figure and variant. */
export function formatVariants(figures: readonly ComparedFigure[], width?: number): string {
  const rows = figures.map(({ figure, unit, variant, runs, mean, margin, change, p }) => {
    const amount = (value: number) => amountText(unit, value);
    return [
      figure,
      variant,
      String(runs),
      amount(mean),
      margin === null ? '-' : `${amount(mean - margin)} .. ${amount(mean + margin)}`,
      change === null ? '-' : percentChange(change + 1),
      p === null ? '-' : p.toPrecision(2),
    ];
  });
  const titles = ['FIGURE', 'VARIANT', 'RUNS', 'MEAN', '95 % INTERVAL', 'AGAINST THE FIRST', 'P'];
  return formatColumns(titles, rows, { width });
}

function amountText(unit: ComparedFigure['unit'], value: number): string {
  if (unit === 'share') return `${(value * 100).toFixed(1)}%`;
  if (unit === 'count') return short(value);
  return value < 0 ? `-${durationText(-value)}` : durationText(value);
}
