/** What part of the map is seen: cells are `size` pixels wide, and the map begins at this pixel of the canvas. */
export interface View {
  readonly size: number;
  readonly left: number;
  readonly top: number;
}

export interface Extent {
  readonly width: number;
  readonly height: number;
}

const SIZE_MAX = 160;
/** Cells of few nodes are not larger before anybody zooms. */
export const CELL_MAX = 40;

/** The view that shows the whole map. */
export function wholeView(columns: number, rows: number, { width, height }: Extent): View {
  const size = Math.max(0.5, Math.min(width / Math.max(columns, 1), height / Math.max(rows, 1), CELL_MAX));
  return { size, left: 0, top: 0 };
}

/** The view after a zoom about a point of the canvas, never smaller than the whole map. */
export function zoomedView(view: View, whole: View, factor: number, x: number, y: number): View {
  const size = Math.max(whole.size, Math.min(SIZE_MAX, view.size * factor));
  if (size === whole.size) return whole;
  const ratio = size / view.size;
  return { size, left: x - (x - view.left) * ratio, top: y - (y - view.top) * ratio };
}

/** The view moved, so that the map still covers the canvas as far as it can. */
export function movedView(
  { size, left, top }: View,
  by: readonly [x: number, y: number],
  cells: readonly [columns: number, rows: number],
  { width, height }: Extent,
): View {
  const within = (start: number, length: number, room: number): number =>
    Math.min(0, Math.max(Math.min(0, room - length), start));
  return {
    size,
    left: within(left + by[0], cells[0] * size, width),
    top: within(top + by[1], cells[1] * size, height),
  };
}
