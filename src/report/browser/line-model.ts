import type { LineRun, LinesSection } from '../sections.ts';

/** A line as it is drawn. */
export interface DrawnLine {
  readonly name: string;
  /** The name of its run; empty if there is only one, and for differences. */
  readonly run: string;
  /** The values that are shown to people. */
  readonly values: readonly (number | null)[];
  readonly colour: number;
  /** Which pattern of dashes it has; 0: none. */
  readonly dash: number;
}

/** Lines over one list of x. */
export interface LineModel {
  readonly xs: readonly number[];
  readonly lines: readonly DrawnLine[];
}

/** All lines of all runs over the values of x of any of them. */
export function overlaid({ runs, isStepped = false }: LinesSection): LineModel {
  const xs = unionOf(runs);
  const names = namesOf(runs);
  const lines = runs.flatMap((run, i) => {
    return run.lines.map(({ name, values, colour, isDashed = false }) => ({
      ...{ name, run: run.name },
      values: valuesAt(xs, run.xs, values, isStepped),
      colour: colour ?? names.indexOf(name),
      dash: i > 0 ? i : Number(isDashed),
    }));
  });
  return { xs, lines };
}

/** The second run minus the first, for every line that both have. */
export function differences({ runs, isStepped = false }: LinesSection): LineModel {
  const [a, b] = runs;
  const xs = unionOf(runs);
  if (a === undefined || b === undefined) return { xs, lines: [] };
  const names = namesOf(runs);
  const lines = a.lines.flatMap((line) => {
    const other = b.lines.find(({ name }) => name === line.name);
    if (other === undefined) return [];
    const [before, after] = [valuesAt(xs, a.xs, line.values, isStepped), valuesAt(xs, b.xs, other.values, isStepped)];
    const values = xs.map((_, i) => {
      const [from, to] = [before[i] ?? null, after[i] ?? null];
      return from === null || to === null ? null : to - from;
    });
    return [{ name: line.name, run: '', values, colour: line.colour ?? names.indexOf(line.name), dash: 0 }];
  });
  return { xs, lines };
}

/** What is drawn of lines on top of each other: each one's value and those of the visible lines before it. */
export function stacked(
  lines: readonly DrawnLine[],
  isVisible: (index: number) => boolean,
): readonly (readonly (number | null)[])[] {
  const sums: number[] = [];
  return lines.map(({ values }, index) => {
    if (!isVisible(index)) return values.map(() => null);
    return values.map((value, i) => {
      sums[i] = (sums[i] ?? 0) + (value ?? 0);
      return sums[i] as number;
    });
  });
}

function namesOf(runs: readonly LineRun[]): readonly string[] {
  return [...new Set(runs.flatMap(({ lines }) => lines.map(({ name }) => name)))];
}

function unionOf(runs: readonly LineRun[]): readonly number[] {
  const [only, ...others] = runs;
  if (only !== undefined && others.length === 0) return only.xs;
  return [...new Set(runs.flatMap(({ xs }) => xs))].sort((a, b) => a - b);
}

/** The values of a run at these places: held, or on the straight line between neighbours; null outside of the run. */
function valuesAt(
  wanted: readonly number[],
  xs: readonly number[],
  values: readonly (number | null)[],
  isStepped: boolean,
): readonly (number | null)[] {
  if (wanted === xs) return values;
  let next = 0;
  return wanted.map((x) => {
    while (next < xs.length && (xs[next] as number) <= x) next++;
    const before = xs[next - 1];
    const value = values[next - 1] ?? null;
    if (before === undefined || value === null) return null;
    if (before === x) return value;
    const after = xs[next];
    const then = values[next] ?? null;
    if (after === undefined) return null;
    if (isStepped) return value;
    return then === null ? null : value + ((then - value) * (x - before)) / (after - before);
  });
}
