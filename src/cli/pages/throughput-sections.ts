import type { BenchResult } from '../../benchmark/result.ts';
import { type Variant, variantName } from '../../benchmark/variant.ts';
import { groupBy } from '../../lib/group-by.ts';
import type { BarsSection, Line, LineRun, LinesSection, Section } from '../../report/sections.ts';
import { formatValue } from '../../report/units.ts';

/** The results of one report. */
export interface BenchRun {
  /** Empty if there is only one. */
  readonly name: string;
  readonly results: readonly BenchResult[];
}

const ENGINE_COLOURS: Readonly<Record<Variant['engine'], number>> = { simd: 0, scalar: 1, reference: 7 };

/** A plot for each kind of cluster, of one report or of several overlaid; bars where clusters have one size only. */
export function throughputSections(runs: readonly BenchRun[]): readonly Section[] {
  const shown = runs.map(({ name, results }) => ({ name, results: results.filter(isWhole) }));
  const kinds = [...new Set(shown.flatMap(({ results }) => results.map(({ kind }) => kind)))];
  return kinds.map((kind) => {
    const ofKind = shown.map(({ name, results }) => ({ name, results: results.filter((each) => each.kind === kind) }));
    const sizes = new Set(ofKind.flatMap(({ results }) => results.map(({ nodes }) => nodes)));
    return sizes.size < 2 ? throughputBars(kind, ofKind) : throughputLines(kind, ofKind);
  });
}

/** Whether all nodes were scored; others cannot be compared with it. */
function isWhole({ percentageOfNodesScored, podsPerSecond }: BenchResult): boolean {
  return percentageOfNodesScored === 100 && podsPerSecond > 0;
}

function throughputBars(kind: string, runs: readonly BenchRun[]): BarsSection {
  const nodes = runs.flatMap(({ results }) => results)[0]?.nodes ?? 0;
  const variants = [...new Set(runs.flatMap(({ results }) => results.map(variantName)))].sort();
  return {
    ...{ kind: 'bars', group: 'Throughput', title: kind, isNarrow: true, unit: 'perSecond' },
    note: `Pods per second, ${formatValue('count', nodes)} nodes.`,
    categories: variants,
    series: runs.map(({ name, results }) => ({
      name: name === '' ? 'pods per second' : name,
      values: variants.map((variant) => results.find((each) => variantName(each) === variant)?.podsPerSecond ?? null),
    })),
  };
}

function throughputLines(kind: string, runs: readonly BenchRun[]): LinesSection {
  return {
    ...{ kind: 'lines', group: 'Throughput', title: kind, isNarrow: true, hasPoints: true },
    note: 'Pods per second against nodes.',
    x: { name: 'Nodes', unit: 'count', scale: 'log' },
    y: { name: 'Pods per second', unit: 'count', scale: 'log' },
    runs: runs.map(throughputRun),
  };
}

function throughputRun({ name, results }: BenchRun): LineRun {
  const xs = [...new Set(results.map(({ nodes }) => nodes))].sort((a, b) => a - b);
  const byVariant = [...groupBy(results, variantName)].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = byVariant.map(([variant, [first, ...rest]]): Line => {
    const { engine, index } = first as BenchResult;
    const byNodes = new Map([first as BenchResult, ...rest].map(({ nodes, podsPerSecond }) => [nodes, podsPerSecond]));
    const isDashed = !index && engine !== 'reference';
    const values = xs.map((nodes) => byNodes.get(nodes) ?? null);
    return { name: variant, values, colour: ENGINE_COLOURS[engine], isDashed };
  });
  return { name, xs, lines };
}
