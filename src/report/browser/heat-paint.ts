import type { HeatSection } from '../sections.ts';
import type { HeatLayout } from './heat-layout.ts';
import type { Extent, View } from './heat-view.ts';
import { colour, lineColour } from './make.ts';
import type { NodeMarks } from './state.ts';

export interface Look {
  readonly section: HeatSection;
  readonly layout: HeatLayout;
  readonly view: View;
  readonly extent: Extent;
  readonly percents: readonly number[];
  readonly lost: ReadonlySet<number>;
  readonly marks: NodeMarks | null;
  readonly found: ReadonlySet<number> | null;
  readonly focused: number;
  readonly hasFocus: boolean;
}

/** The size of a cell in pixels from which on there is room for a name. */
const NAME_PIXELS = 72;
const GAP_PIXELS = 5;
const STEPS = 100;
const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const TITLE_FONT = '600 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** Paints the part of the map that is seen. */
export function drawNodes(pen: CanvasRenderingContext2D, look: Look): void {
  const { layout, view, extent } = look;
  const { size, left, top } = view;
  pen.clearRect(0, 0, extent.width, extent.height);
  const ramp = colourRamp();
  const gap = size >= GAP_PIXELS ? 1 : 0;
  for (const place of layout.places) {
    const first = place.nodes[0] as number;
    const firstRow = layout.rowOf[first] as number;
    if (layout.places.length > 1) drawTitle(pen, look, place.group, top + firstRow * size);
    const from = Math.max(0, Math.floor(-top / size - firstRow)) * layout.columns;
    const to = Math.ceil((extent.height - top) / size - firstRow) * layout.columns;
    for (const node of place.nodes.slice(from, Math.max(from, to))) {
      const x = left + (layout.columnOf[node] as number) * size;
      if (x + size < 0 || x > extent.width) continue;
      drawNode(pen, look, ramp, node, x, top + (layout.rowOf[node] as number) * size, gap);
    }
  }
  drawFocus(pen, look);
}

function drawNode(
  pen: CanvasRenderingContext2D,
  { section, view: { size }, percents, lost, marks, found }: Look,
  ramp: readonly string[],
  ...[node, x, y, gap]: [number, number, number, number]
): void {
  const percent = Math.max(0, Math.min(STEPS, percents[node] ?? 0));
  const isDim = found !== null && !found.has(node);
  pen.globalAlpha = isDim ? 0.15 : 1;
  pen.fillStyle = ramp[percent] as string;
  pen.fillRect(x, y, size - gap, size - gap);
  if (lost.has(node)) drawCross(pen, x, y, size - gap);
  const verdict = marks?.ofNode[node] ?? -1;
  if (verdict >= 0) {
    pen.strokeStyle = lineColour(verdict + 1);
    pen.lineWidth = Math.max(1, Math.min(4, size / 6));
    const inset = pen.lineWidth / 2;
    pen.strokeRect(x + inset, y + inset, size - gap - pen.lineWidth, size - gap - pen.lineWidth);
  }
  if (size >= NAME_PIXELS) {
    pen.fillStyle = percent > 55 ? colour('on-full') : colour('on-empty');
    pen.font = FONT;
    pen.textBaseline = 'top';
    pen.fillText(fitting(pen, section.nodes[node] ?? '', size - 12), x + 6, y + 6);
    pen.fillText(`${percents[node] ?? 0}%`, x + 6, y + 22);
  }
  pen.globalAlpha = 1;
}

function drawCross(pen: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  pen.strokeStyle = colour('lost');
  pen.lineWidth = Math.max(1, size / 10);
  pen.beginPath();
  pen.moveTo(x + size * 0.2, y + size * 0.2);
  pen.lineTo(x + size * 0.8, y + size * 0.8);
  pen.moveTo(x + size * 0.8, y + size * 0.2);
  pen.lineTo(x + size * 0.2, y + size * 0.8);
  pen.stroke();
}

function drawTitle(pen: CanvasRenderingContext2D, { section, extent }: Look, group: number, bottom: number): void {
  if (bottom < 0 || bottom - 16 > extent.height) return;
  pen.fillStyle = colour('soft');
  pen.font = TITLE_FONT;
  pen.textBaseline = 'bottom';
  pen.fillText(fitting(pen, section.groups[group] || 'without a zone', extent.width), 1, bottom - 2);
}

function drawFocus(pen: CanvasRenderingContext2D, { layout, view, focused, hasFocus }: Look): void {
  if (focused < 0) return;
  const { size, left, top } = view;
  const [x, y] = [left + (layout.columnOf[focused] ?? 0) * size, top + (layout.rowOf[focused] ?? 0) * size];
  pen.strokeStyle = colour('ink');
  pen.lineWidth = hasFocus ? 2.5 : 1.5;
  pen.strokeRect(x - 1, y - 1, size + 1, size + 1);
}

/** The colours from nothing to everything, one for each percent. */
function colourRamp(): readonly string[] {
  const stops = [0, 1, 2, 3].map((i) => rgb(colour(`heat-${i}`)));
  return Array.from({ length: STEPS + 1 }, (_, percent) => {
    const at = (percent / STEPS) * (stops.length - 1);
    const index = Math.min(stops.length - 2, Math.floor(at));
    const [from, to] = [stops[index] ?? [0, 0, 0], stops[index + 1] ?? [0, 0, 0]];
    const mixed = from.map((channel, i) => Math.round(channel + ((to[i] ?? 0) - channel) * (at - index)));
    return `rgb(${mixed.join(' ')})`;
  });
}

/** The channels of a colour such as `#1e40af`. */
function rgb(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function fitting(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let length = Math.min(text.length, Math.ceil(width / 3));
  while (length > 1 && pen.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return `${text.slice(0, length)}…`;
}
