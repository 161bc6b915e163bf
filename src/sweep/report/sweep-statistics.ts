import { CodedError } from '../../lib/errors.ts';
import { twoSidedQuantile, twoSidedTail } from '../../lib/student-t.ts';
import { mergeRows, type ShardFiles } from '../merge-shards.ts';
import { columnsOf } from '../rows.ts';
import { PARAMETER_NAMES } from '../settings.ts';
import type { SweepHeader } from '../sweep-header.ts';
import { Moments } from './moments.ts';
import { type Variant, Variants } from './variants.ts';

export interface ReportOptions {
  /** The parameters whose values are compared; absent: all that vary. */
  readonly by?: readonly string[] | undefined;
  /** The figures that are wanted; absent: all that are not 0 everywhere. */
  readonly figures?: readonly string[] | undefined;
  /** The number of the variant that others are compared with, from 1. */
  readonly baseline: number;
  /** How sure intervals are, between 0 and 1. */
  readonly confidence: number;
}

/** One figure of one variant. */
export interface ReportedFigure {
  readonly figure: string;
  readonly variant: string;
  /** The number of runs that have the figure. */
  readonly runs: number;
  readonly mean: number;
  /** The mean of all runs that could be made is in here; null for a single run. */
  readonly interval: Interval | null;
  readonly deviation: number | null;
  readonly min: number;
  readonly max: number;
  /** Absent for the variant that others are compared with, and where no two runs are twins. */
  readonly against?: Difference;
}

type Interval = readonly [low: number, high: number];

/** How a figure differs from the same run of the baseline, on average. */
export interface Difference {
  /** The number of pairs of runs. */
  readonly pairs: number;
  readonly mean: number;
  readonly interval: Interval | null;
  /**
   * How likely chance alone makes the mean as large: Student's t test of pairs, or, when all pairs differ by the same
   * amount, the sign test. Null for a single pair.
   */
  readonly p: number | null;
  /** The same for all comparisons together (Holm): of reports in which nothing differs, 5 % have one below 0.05. */
  readonly pOfAll: number | null;
}

export interface SweepReport {
  readonly runs: number;
  readonly seeds: string;
  readonly confidence: number;
  readonly by: readonly string[];
  readonly baseline: string;
  readonly variants: readonly (Variant & {
    /** How many of its runs ended how. */
    readonly ends: Readonly<Record<string, number>>;
  })[];
  readonly figures: readonly ReportedFigure[];
}

/**
 * Sums up the rows of a sweep. They are read twice, and of each figure only the values of the baseline are kept, so the
 * memory that is needed is that of the runs of one variant.
 *
 * @throws CodedError `NotVaried`, `NoSuchFigure`, `NoSuchVariant`, and as `mergeRows`
 */
export function reportOf(open: () => ShardFiles, options: ReportOptions, onRows: (rows: number) => void): SweepReport {
  const first = open();
  const { header } = first;
  const variants = new Variants(header, options.by);
  const baseline = options.baseline - 1;
  if (variants.all[baseline] === undefined) {
    throw new CodedError('NoSuchVariant', `--baseline ${options.baseline}: there are ${variants.all.length} variants`);
  }
  const names = figureNames(header, options.figures);
  const table = new FigureTable(names, variants, baseline);
  if (variants.all.length > 1) {
    forEachRow(first, onRows, (index, text) => {
      if (variants.variantAt(index) === baseline) table.keep(variants.twinAt(index), JSON.parse(text()));
    });
  }
  forEachRow(variants.all.length > 1 ? open() : first, onRows, (index, text) => {
    table.add(variants.variantAt(index), variants.twinAt(index), JSON.parse(text()));
  });
  return {
    ...{ runs: header.runs, seeds: header.seeds, confidence: options.confidence, by: variants.by },
    baseline: variants.all[baseline].title,
    variants: variants.all.map((variant, i) => ({ ...variant, ends: Object.fromEntries(table.ends[i] ?? []) })),
    figures: table.figures(options.confidence, options.figures !== undefined),
  };
}

type Row = Readonly<Record<string, unknown>>;

function forEachRow(
  shards: ShardFiles,
  onRows: (rows: number) => void,
  onRow: (index: number, text: () => string) => void,
): void {
  let index = 0;
  mergeRows(
    shards,
    (buffer, start, end) => {
      onRow(index++, () => buffer.toString('utf8', start, end));
    },
    onRows,
  );
}

/** The columns that are numbers, and no parameters. */
function figureNames(header: SweepHeader, wanted: readonly string[] | undefined): string[] {
  const parameters: readonly string[] = ['run', 'seed', ...PARAMETER_NAMES];
  const names = columnsOf(header)
    .filter(({ name, type }) => (type === 'integer' || type === 'number') && !parameters.includes(name))
    .map(({ name }) => name);
  for (const name of wanted ?? []) {
    if (!names.includes(name))
      throw new CodedError('NoSuchFigure', `--figures ${name}: is none of ${names.join(', ')}`);
  }
  return [...(wanted ?? names)];
}

/** Collects each figure of each variant, and its differences from the baseline. */
class FigureTable {
  readonly #names: readonly string[];
  readonly #variants: Variants;
  readonly #baseline: number;
  /** By figure: the values of the baseline's runs, by twin; NaN where there is none. */
  readonly #kept = new Map<string, Float64Array>();
  readonly #own: readonly (readonly Moments[])[];
  readonly #differences: readonly (readonly Moments[])[];
  /** How often runs of each variant ended how. */
  readonly ends: readonly Map<string, number>[];

  constructor(names: readonly string[], variants: Variants, baseline: number) {
    this.#names = names;
    this.#variants = variants;
    this.#baseline = baseline;
    this.#own = variants.all.map(() => names.map(() => new Moments()));
    this.#differences = variants.all.map(() => names.map(() => new Moments()));
    this.ends = variants.all.map(() => new Map());
  }

  /** Takes a run of the baseline. */
  keep(twin: number, row: Row): void {
    for (const name of this.#names) {
      const value = row[name];
      if (typeof value !== 'number') continue;
      let values = this.#kept.get(name);
      if (values === undefined) {
        values = new Float64Array(this.#variants.twinCount).fill(Number.NaN);
        this.#kept.set(name, values);
      }
      values[twin] = value;
    }
  }

  add(variant: number, twin: number, row: Row): void {
    const end = String(row['end']);
    const ends = this.ends[variant] as Map<string, number>;
    ends.set(end, (ends.get(end) ?? 0) + 1);
    for (const [i, name] of this.#names.entries()) {
      const value = row[name];
      if (typeof value !== 'number') continue;
      this.#own[variant]?.[i]?.add(value);
      const other = variant === this.#baseline ? undefined : this.#kept.get(name)?.[twin];
      if (other !== undefined && !Number.isNaN(other)) this.#differences[variant]?.[i]?.add(value - other);
    }
  }

  figures(confidence: number, areAllWanted: boolean): ReportedFigure[] {
    const tail = 1 - confidence;
    const found = this.#names.flatMap((figure, i) => {
      const isZero = this.#own.every((moments) => moments[i]?.count === 0 || isAlways(moments[i], 0));
      if (isZero && !areAllWanted) return [];
      return this.#variants.all.flatMap(({ title }, v): ReportedFigure[] => {
        const own = this.#own[v]?.[i] as Moments;
        const difference = this.#differences[v]?.[i] as Moments;
        if (own.count === 0) return [];
        const { count: runs, mean, deviation, min, max } = own;
        const against = difference.count === 0 ? {} : { against: differenceOf(difference, tail) };
        return [
          {
            ...{ figure, variant: title, runs, mean, interval: intervalOf(own, tail), deviation, min, max },
            ...against,
          },
        ];
      });
    });
    return withHolm(found);
  }
}

function isAlways(moments: Moments | undefined, value: number): boolean {
  return moments?.min === value && moments.max === value;
}

function intervalOf(moments: Moments, tail: number): Interval | null {
  const { error, mean, count } = moments;
  if (error === null) return null;
  const margin = error === 0 ? 0 : twoSidedQuantile(tail, count - 1) * error;
  return [mean - margin, mean + margin];
}

function differenceOf(moments: Moments, tail: number): Difference {
  const { error, mean, count: pairs } = moments;
  return { pairs, mean, interval: intervalOf(moments, tail), p: pOf(error, mean, pairs), pOfAll: null };
}

function pOf(error: number | null, mean: number, pairs: number): number | null {
  if (error === null) return null;
  if (mean === 0) return 1;
  return error === 0 ? 2 ** (1 - pairs) : twoSidedTail(mean / error, pairs - 1);
}

/** Holm's method: the smallest p-value is multiplied by the number of all, the next one by one less, and so on. */
function withHolm(figures: readonly ReportedFigure[]): ReportedFigure[] {
  const compared = figures.filter(({ against }) => against !== undefined && against.p !== null);
  compared.sort((a, b) => (a.against?.p ?? 0) - (b.against?.p ?? 0));
  const pOfAll = new Map<ReportedFigure, number>();
  let least = 0;
  for (const [i, figure] of compared.entries()) {
    least = Math.max(least, Math.min(1, (figure.against?.p ?? 1) * (compared.length - i)));
    pOfAll.set(figure, least);
  }
  return figures.map((figure) => {
    const p = pOfAll.get(figure);
    return figure.against === undefined || p === undefined
      ? figure
      : { ...figure, against: { ...figure.against, pOfAll: p } };
  });
}
