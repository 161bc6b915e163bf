import { cutTo } from '../text/visible.ts';

/** The content of a table. */
export interface Cells {
  readonly titles: readonly string[];
  readonly aligns: readonly ('left' | 'right')[];
  readonly rows: readonly (readonly string[])[];
  /** The titles of columns that a narrow terminal can do without, the most dispensable first. */
  readonly dispensable?: readonly string[] | undefined;
}

export interface FittedCells extends Cells {
  /** The titles of the columns that were left out. */
  readonly leftOut: readonly string[];
}

/** A cell has a space on both sides, and a line to its right. */
const FRAME = 3;
/** A text is not cut further than to this; then whole columns are left out. */
const TEXT_MIN = 16;

/**
 * The table in a width: texts are cut, and if this is not enough, columns are left out; never the first one. Numbers
 * are shown in full, or not at all.
 */
export function fitCells(cells: Cells, width: number | undefined): FittedCells {
  const leftOut: string[] = [];
  if (width === undefined) return { ...cells, leftOut };
  let fitted = cells;
  for (;;) {
    const widths = widthsOf(fitted);
    const excess = widths.reduce((sum, each) => sum + each + FRAME, 1) - width;
    if (excess <= 0) return { ...fitted, leftOut };
    const widest = widestText(fitted, widths);
    if (widest !== undefined && slackOf(fitted, widths) >= excess) {
      fitted = cutColumn(fitted, widest, Math.max(TEXT_MIN, (widths[widest] as number) - excess));
      continue;
    }
    const next = nextToDrop(fitted);
    if (next === undefined)
      return { ...(widest === undefined ? fitted : cutColumn(fitted, widest, TEXT_MIN)), leftOut };
    leftOut.push(fitted.titles[next] as string);
    fitted = withoutColumn(fitted, next);
  }
}

function widthsOf({ titles, rows }: Cells): number[] {
  return titles.map((title, i) => Math.max(title.length, ...rows.map((row) => [...(row[i] ?? '')].length)));
}

/** The widest column of texts that can still be cut. */
function widestText({ aligns }: Cells, widths: readonly number[]): number | undefined {
  const texts = widths.map((_, i) => i).filter((i) => aligns[i] === 'left' && (widths[i] as number) > TEXT_MIN);
  return texts.sort((a, b) => (widths[b] as number) - (widths[a] as number))[0];
}

/** How many characters could be cut from texts. */
function slackOf({ aligns }: Cells, widths: readonly number[]): number {
  return widths.reduce((sum, each, i) => sum + (aligns[i] === 'left' ? Math.max(0, each - TEXT_MIN) : 0), 0);
}

function cutColumn(cells: Cells, column: number, width: number): Cells {
  const rows = cells.rows.map((row) => row.map((cell, i) => (i === column ? cutTo(cell, width) : cell)));
  return { ...cells, rows };
}

function nextToDrop({ titles, dispensable = [] }: Cells): number | undefined {
  const named = dispensable.map((title) => titles.indexOf(title)).find((i) => i > 0);
  if (named !== undefined) return named;
  return titles.length > 1 ? titles.length - 1 : undefined;
}

function withoutColumn(cells: Cells, column: number): Cells {
  const without = <T>(list: readonly T[]): T[] => list.filter((_, i) => i !== column);
  return { ...cells, titles: without(cells.titles), aligns: without(cells.aligns), rows: cells.rows.map(without) };
}
