import type { BenchResult } from '../../benchmark/result.ts';
import { type Variant, variantName } from '../../benchmark/variant.ts';
import { short, whole } from '../text/numbers.ts';
import { type LogAxis, logAxis } from './log-axis.ts';
import { element, type Markup, text } from './markup.ts';

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
  const label = 'Pods per second against nodes';
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, role: 'img', 'aria-label': label },
    ...panels,
    element('g', { transform: `translate(${MARGIN.left} ${panelsHeight})` }, ...legend),
  );
}

function panel(kind: string, results: readonly BenchResult[], x: LogAxis, y: LogAxis): Markup[] {
  const [left, right] = [MARGIN.left, PANEL.width - MARGIN.right];
  const [top, bottom] = [MARGIN.top, PANEL.height - MARGIN.bottom];
  const grid = { stroke: '#d4d7dd', 'stroke-width': 1 };
  const vertical = x.ticks.flatMap((tick) => [
    element('line', { x1: x.pixel(tick), x2: x.pixel(tick), y1: top, y2: bottom, ...grid }),
    label(x.pixel(tick), bottom + 16, 'middle', short(tick)),
  ]);
  const horizontal = y.ticks.flatMap((tick) => [
    element('line', { x1: left, x2: right, y1: y.pixel(tick), y2: y.pixel(tick), ...grid }),
    label(left - 6, y.pixel(tick) + 4, 'end', short(tick)),
  ]);
  return [
    ...vertical,
    ...horizontal,
    element('text', { x: left, y: top - 12, 'font-size': 13, 'font-weight': 600 }, text(kind)),
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

function label(x: number, y: number, anchor: 'start' | 'middle' | 'end', content: string): Markup {
  return element('text', { x, y, 'text-anchor': anchor, 'font-size': 11, fill: '#4b5563' }, text(content));
}

/** One series for each variant, sorted by name. */
function seriesOf(results: readonly BenchResult[]): Series[] {
  const byVariant = new Map<string, BenchResult[]>();
  for (const result of results) {
    const name = variantName(result);
    const series = byVariant.get(name);
    if (series === undefined) byVariant.set(name, [result]);
    else series.push(result);
  }
  const names = [...byVariant.keys()].sort();
  return names
    .map((name) => byVariant.get(name) as BenchResult[])
    .map((series) => ({
      variant: series[0] as BenchResult,
      results: series.sort((a, b) => a.nodes - b.nodes),
    }));
}
