import type { BenchResult } from '../../benchmark/result.ts';
import { type Variant, variantName } from '../../benchmark/variant.ts';
import { groupBy } from '../../lib/group-by.ts';
import { short, whole } from '../text/numbers.ts';
import { type LogAxis, logAxis } from './log-axis.ts';
import { element, gridLine, label, type Markup, svg, text, title } from './markup.ts';

/** The results of one kind and variant, small clusters first. */
interface Series {
  readonly variant: Variant;
  readonly results: readonly BenchResult[];
}

const COLUMNS = 3;
const PANEL = { width: 340, height: 240 } as const;
/** The space around a panel's drawing area, for titles and tick labels. */
const MARGIN = { left: 52, right: 14, top: 30, bottom: 40 } as const;
const LEGEND_ROW = 20;
const MARKER = 3.5;

const COLOURS: Readonly<Record<Variant['engine'], string>> = {
  simd: '#0f62ac',
  scalar: '#c4590a',
  reference: '#6b7280',
};

/**
 * Plots throughput against nodes, both logarithmic: one panel for each kind, all with the same axes. A panel has a line
 * for each engine (colour), with its index (solid) and without (dashed, hollow), with one worker (dots) and with more
 * (squares). Runs that scored only a part of the nodes are not shown. null when nothing is left.
 */
export function throughputPlot(all: readonly BenchResult[]): Markup | null {
  const results = all.filter(
    ({ percentageOfNodesScored, podsPerSecond }) => percentageOfNodesScored === 100 && podsPerSecond > 0,
  );
  if (results.length === 0) return null;
  const x = logAxis(
    results.map(({ nodes }) => nodes),
    MARGIN.left,
    PANEL.width - MARGIN.right,
  );
  const y = logAxis(
    results.map(({ podsPerSecond }) => podsPerSecond),
    PANEL.height - MARGIN.bottom,
    MARGIN.top,
  );
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const columns = Math.min(kinds.length, COLUMNS);
  const panels = kinds.map((kind, i) => {
    const [left, top] = [(i % columns) * PANEL.width, Math.floor(i / columns) * PANEL.height];
    const ofKind = results.filter((result) => result.kind === kind);
    return element('g', { transform: `translate(${left} ${top})` }, ...panel(kind, ofKind, x, y));
  });
  const variants = seriesOf(results).map(({ variant }) => variant);
  const panelsHeight = Math.ceil(kinds.length / columns) * PANEL.height;
  const width = columns * PANEL.width;
  const legendRows = Math.ceil(variants.length / columns);
  const height = panelsHeight + legendRows * LEGEND_ROW;
  const legend = variants.map((variant, i) => {
    const [left, top] = [Math.floor(i / legendRows) * PANEL.width, (i % legendRows) * LEGEND_ROW];
    return element('g', { transform: `translate(${left} ${top})` }, ...legendEntry(variant));
  });
  return svg(
    width,
    height,
    'Pods per second against nodes',
    ...panels,
    element('g', { transform: `translate(${MARGIN.left} ${panelsHeight})` }, ...legend),
  );
}

function panel(kind: string, results: readonly BenchResult[], x: LogAxis, y: LogAxis): Markup[] {
  const [left, right] = [MARGIN.left, PANEL.width - MARGIN.right];
  const [top, bottom] = [MARGIN.top, PANEL.height - MARGIN.bottom];
  const vertical = x.ticks.flatMap((tick) => [
    gridLine(x.pixel(tick), top, x.pixel(tick), bottom),
    label(x.pixel(tick), bottom + 16, 'middle', short(tick)),
  ]);
  const horizontal = y.ticks.flatMap((tick) => [
    gridLine(left, y.pixel(tick), right, y.pixel(tick)),
    label(left - 6, y.pixel(tick) + 4, 'end', short(tick)),
  ]);
  return [
    ...vertical,
    ...horizontal,
    title(left, top - 12, kind),
    label(right, top - 12, 'end', 'pods/s'),
    label(right, bottom + 32, 'end', 'nodes'),
    ...seriesOf(results).flatMap((series) => line(series, x, y)),
  ];
}

function line({ variant, results }: Series, x: LogAxis, y: LogAxis): Markup[] {
  const points = results.map(({ nodes, podsPerSecond }) => ({ at: [x.pixel(nodes), y.pixel(podsPerSecond)] as const }));
  const path = points.map(({ at: [px, py] }, i) => `${i === 0 ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`);
  return [
    element('path', { d: path.join(''), fill: 'none', ...stroke(variant) }),
    ...points.map(({ at: [px, py] }, i) => {
      const { kind, nodes, podsPerSecond } = results[i] as BenchResult;
      const about = `${kind}, ${variantName(variant)}: ${whole(podsPerSecond)} pods/s on ${whole(nodes)} nodes`;
      return marker(variant, px, py, element('title', {}, text(about)));
    }),
  ];
}

function marker(variant: Variant, x: number, y: number, ...inside: readonly Markup[]): Markup {
  const colour = COLOURS[variant.engine];
  const look = { fill: isDashed(variant) ? '#fff' : colour, stroke: colour, 'stroke-width': 1.5 };
  if (variant.workers === 1)
    return element('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: MARKER, ...look }, ...inside);
  const [left, top] = [(x - MARKER).toFixed(1), (y - MARKER).toFixed(1)];
  return element('rect', { x: left, y: top, width: 2 * MARKER, height: 2 * MARKER, ...look }, ...inside);
}

function legendEntry(variant: Variant): Markup[] {
  const y = LEGEND_ROW / 2;
  return [
    element('line', { x1: 0, x2: 36, y1: y, y2: y, ...stroke(variant) }),
    marker(variant, 18, y),
    label(44, y + 4, 'start', variantName(variant)),
  ];
}

function stroke(variant: Variant) {
  const dash = isDashed(variant) ? { 'stroke-dasharray': '5 4' } : {};
  return { stroke: COLOURS[variant.engine], 'stroke-width': 1.5, ...dash };
}

/** Whether the line is dashed, for an engine without its index. The reference engine has no index to leave out. */
function isDashed({ engine, index }: Variant): boolean {
  return !index && engine !== 'reference';
}

/** One series for each variant, sorted by name. */
function seriesOf(results: readonly BenchResult[]): Series[] {
  const byVariant = groupBy(results, variantName);
  return [...byVariant.keys()].sort().map((name) => {
    const series = byVariant.get(name) as BenchResult[];
    return { variant: series[0] as BenchResult, results: series.sort((a, b) => a.nodes - b.nodes) };
  });
}
