import uPlot from 'uplot';
import type { Axis, LinesSection, Mark } from '../sections.ts';
import { durationText, formatTick } from '../units.ts';
import { durationTicks, logTicks } from './axis-ticks.ts';
import type { DrawnLine } from './line-model.ts';
import { colour, lineColour } from './make.ts';

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const TICK_PIXELS = 84;
/** Plots below each other begin at one place, unless their labels are long. */
const Y_AXIS_PIXELS = 56;
const MARK_COLOUR = 'mark';

export interface PlotParts {
  readonly section: LinesSection;
  readonly lines: readonly DrawnLine[];
  readonly isDifference: boolean;
  readonly width: number;
  readonly height: number;
  readonly hooks: uPlot.Hooks.Arrays;
}

/** What uPlot is told to draw, in the colours of the page. */
export function plotOptions({ section, lines, isDifference, width, height, hooks }: PlotParts): uPlot.Options {
  const { x, y, marks = [], isStacked = false } = section;
  const isStackDrawn = isStacked && !isDifference;
  return {
    width,
    height,
    padding: [12, 14, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false, dist: 4 } },
    scales: {
      x: { time: false, distr: x.scale === 'log' ? 3 : 1, range: (_, least, most) => xRange(x, least, most) },
      y: {
        distr: y.scale === 'log' && !isDifference ? 3 : 1,
        range: (_, least, most) => yRange(y, isDifference, least, most),
      },
    },
    axes: [
      { ...axisLook(), ...xTicks(x) },
      { ...axisLook(), ...yTicks(y) },
    ],
    series: [{}, ...lines.map((line) => seriesLook(line, section, isStackDrawn))],
    hooks: { ...hooks, draw: [(plot) => drawMarks(plot, marks), ...(hooks.draw ?? [])] },
  };
}

const DASHES = [
  [6, 4],
  [2, 3],
  [10, 3, 2, 3],
];

function seriesLook(line: DrawnLine, section: LinesSection, isStacked: boolean): uPlot.Series {
  const stroke = lineColour(line.colour);
  return {
    label: line.name,
    stroke,
    width: 1.75,
    spanGaps: section.isStacked !== true,
    ...(line.dash > 0 && { dash: DASHES[(line.dash - 1) % DASHES.length] as number[] }),
    ...(isStacked && { fill: mixed(stroke) }),
    ...(section.isStepped && { paths: uPlot.paths.stepped?.({ align: 1 }) as uPlot.Series.PathBuilder }),
    points: { show: section.hasPoints === true, size: 6, fill: line.dash > 0 ? colour('panel') : stroke },
  };
}

/** A light form of the colour that hides what is drawn below. */
function mixed(stroke: string): string {
  return `color-mix(in srgb, ${stroke} 38%, ${colour('panel')})`;
}

function axisLook(): uPlot.Axis {
  const line = { stroke: colour('grid'), width: 1 };
  return { stroke: colour('soft'), font: FONT, grid: line, ticks: { ...line, size: 4 }, gap: 6 };
}

function xTicks({ unit, scale }: Axis): uPlot.Axis {
  const values = (_: uPlot, splits: (number | null)[]): string[] =>
    splits.map((split) => (split === null ? '' : unit === 'seconds' ? durationText(split) : formatTick(unit, split)));
  // uPlot names decades only, of which a short axis may have none.
  if (scale === 'log')
    return { values, splits: (_, __, from, to) => logTicks(from, to), filter: (_, all) => all, size: 36 };
  if (unit !== 'seconds') return { values, space: 60, size: 36 };
  const splits = (plot: uPlot, _: number, from: number, to: number): number[] =>
    durationTicks(from, to, Math.max(2, Math.floor(plot.bbox.width / devicePixelRatio / TICK_PIXELS)));
  return { values, splits, size: 36 };
}

const COUNT_STEPS = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

function yTicks({ unit, scale }: Axis): uPlot.Axis {
  const values = (_: uPlot, splits: (number | null)[]): string[] =>
    splits.map((split) => (split === null ? '' : formatTick(unit, split)));
  return {
    values,
    space: 36,
    // There is no half of a pod.
    ...(unit === 'count' && scale !== 'log' && { incrs: COUNT_STEPS }),
    size: (plot, labels) => {
      if (labels === null || labels.length === 0) return Y_AXIS_PIXELS;
      plot.ctx.save();
      plot.ctx.font = FONT;
      const widest = Math.max(...labels.map((label) => plot.ctx.measureText(label ?? '').width));
      plot.ctx.restore();
      return Math.max(Y_AXIS_PIXELS, Math.ceil(widest) + 16);
    },
  };
}

function xRange({ scale }: Axis, least: number | null, most: number | null): [number, number] {
  if (least === null || most === null) return scale === 'log' ? [1, 10] : [0, 1];
  if (scale === 'log') return [least / 1.25, most * 1.25];
  return least === most ? [least - 0.5, most + 0.5] : [least, most];
}

function yRange(axis: Axis, isDifference: boolean, least: number | null, most: number | null): [number, number] {
  if (least === null || most === null) return axis.scale === 'log' && !isDifference ? [1, 10] : [0, 1];
  if (axis.scale === 'log' && !isDifference)
    return [10 ** Math.floor(Math.log10(least)), 10 ** Math.ceil(Math.log10(most) + 1e-9)];
  const bottom = Math.min(0, least);
  const top = Math.max(0, most);
  if (bottom === top) return [0, 1];
  if (axis.unit === 'share' && !isDifference && top > 0.6 && top <= 1) return [bottom, 1];
  return [bottom * 1.08, top * 1.08];
}

/** A thin line for each moment at which something happened; many that fall on one pixel are one. */
function drawMarks(plot: uPlot, marks: readonly Mark[]): void {
  if (marks.length === 0) return;
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour(MARK_COLOUR);
  ctx.fillStyle = ctx.strokeStyle;
  ctx.globalAlpha = 0.75;
  ctx.lineWidth = scale;
  ctx.setLineDash([3 * scale, 3 * scale]);
  let last = Number.NEGATIVE_INFINITY;
  ctx.beginPath();
  for (const { x } of marks) {
    const at = Math.round(plot.valToPos(x, 'x', true));
    if (at < bbox.left || at > bbox.left + bbox.width || at - last < 2 * scale) continue;
    last = at;
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.moveTo(at, bbox.top);
  }
  ctx.stroke();
  ctx.restore();
}
