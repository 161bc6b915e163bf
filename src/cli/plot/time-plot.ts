import type { SeriesByName } from '../../simulation/cluster-statistics.ts';
import { element, gridLine, label, type Markup, svg, title } from './markup.ts';

export interface TimePlotOptions {
  readonly title: string;
  readonly series: SeriesByName;
  /** The time at which the axis begins. */
  readonly startMillis: number;
  readonly formatValue: (value: number) => string;
}

const SIZE = { width: 1000, height: 300 } as const;
/** The space around the drawing area, for titles and tick labels. */
const MARGIN = { left: 64, right: 16, top: 30, bottom: 56 } as const;
const TICKS = 5;
const COLOURS = ['#c4590a', '#0f62ac', '#2f7d32', '#b3261e', '#6b4ca5', '#6b7280'] as const;

const STEPS = [1, 2, 2.5, 5, 10] as const;
/** The units of time of an axis, with their names. */
const UNITS = [
  { millis: 86_400_000, name: 'd' },
  { millis: 3_600_000, name: 'h' },
  { millis: 60_000, name: 'min' },
  { millis: 1000, name: 's' },
] as const;

/** Plots lines over simulated time: each value holds until the next. null when there is nothing to show. */
export function timePlot({
  title: about,
  series: { names, points },
  startMillis,
  formatValue,
}: TimePlotOptions): Markup | null {
  const endMillis = points.at(-1)?.atMillis ?? startMillis;
  const top = points.reduce((most, { values }) => Math.max(most, ...values), 0);
  if (endMillis <= startMillis || top <= 0) return null;
  const unit = UNITS.find(({ millis }) => (endMillis - startMillis) / millis >= 2) ?? UNITS[3];
  const xTicks = ticks((endMillis - startMillis) / unit.millis);
  const yTicks = ticks(top);
  const x = (millis: number): number =>
    MARGIN.left + ((millis - startMillis) / (endMillis - startMillis)) * (SIZE.width - MARGIN.left - MARGIN.right);
  const bottom = SIZE.height - MARGIN.bottom;
  const yTop = Math.max(top, yTicks.at(-1) ?? top);
  const y = (value: number): number => bottom - (value / yTop) * (bottom - MARGIN.top);
  const right = SIZE.width - MARGIN.right;
  return svg(
    SIZE.width,
    SIZE.height,
    about,
    title(MARGIN.left, MARGIN.top - 12, about),
    ...yTicks.flatMap((value) => [
      gridLine(MARGIN.left, y(value), right, y(value)),
      label(MARGIN.left - 6, y(value) + 4, 'end', formatValue(value)),
    ]),
    ...xTicks.map((value) =>
      label(x(startMillis + value * unit.millis), bottom + 16, 'middle', `${round(value)} ${unit.name}`),
    ),
    ...names.map((_, i) =>
      line(
        points.map(({ atMillis, values }) => [x(atMillis), y(values[i] ?? 0)]),
        colourOf(i),
      ),
    ),
    ...names.flatMap((name, i) => legend(name, i)),
  );
}

/** A step line: horizontal until the next point, then vertical. */
function line(points: readonly (readonly [number, number] | number[])[], stroke: string): Markup {
  const path = points.map(([px = 0, py = 0], i) => {
    return i === 0 ? `M${px.toFixed(1)} ${py.toFixed(1)}` : `H${px.toFixed(1)}V${py.toFixed(1)}`;
  });
  return element('path', { d: path.join(''), fill: 'none', stroke, 'stroke-width': 1.5 });
}

function legend(name: string, i: number): Markup[] {
  const x = MARGIN.left + i * 160;
  const y = SIZE.height - 14;
  const stroke = { stroke: colourOf(i), 'stroke-width': 3 };
  return [element('line', { x1: x, x2: x + 22, y1: y - 4, y2: y - 4, ...stroke }), label(x + 28, y, 'start', name)];
}

function colourOf(i: number): string {
  return COLOURS[i % COLOURS.length] as string;
}

/** Round numbers from 0 up to `most`. */
function ticks(most: number): number[] {
  const raw = most / TICKS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = (STEPS.find((factor) => factor * power >= raw) ?? 10) * power;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}
