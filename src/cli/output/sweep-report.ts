import type { ReportedFigure, SweepReport } from '../../sweep/report/sweep-statistics.ts';
import { formatColumns } from '../text/columns.ts';

/** A figure a row: titles, and how each cell is read from it. */
type Column = readonly [title: string, cell: (figure: ReportedFigure) => string];

function columnsOf({ confidence, variants }: SweepReport): Column[] {
  const percent = `${Number((confidence * 100).toFixed(3))} % INTERVAL`;
  const own: Column[] = [
    ['FIGURE', ({ figure }) => figure],
    ['VARIANT', ({ variant }) => variant],
    ['RUNS', ({ runs }) => String(runs)],
    ['MEAN', ({ mean }) => digits(mean, MEAN_DIGITS)],
    [percent, ({ interval }) => range(interval, MEAN_DIGITS)],
    ['MIN', ({ min }) => digits(min, MEAN_DIGITS)],
    ['MAX', ({ max }) => digits(max, MEAN_DIGITS)],
  ];
  if (variants.length < 2) return own;
  return [
    ...own,
    ['DIFFERENCE', ({ against }) => (against === undefined ? '-' : signed(against.mean))],
    [percent, ({ against }) => (against === undefined ? '-' : range(against.interval, DIFFERENCE_DIGITS))],
    ['P', ({ against }) => probability(against?.p)],
    ['P OF ALL', ({ against }) => probability(against?.pOfAll)],
  ];
}

const MEAN_DIGITS = 5;
const DIFFERENCE_DIGITS = 3;
const P_DIGITS = 2;
/** Smaller probabilities only say that chance is out of the question. */
const P_MIN = 1e-12;

/** A table with a row for each figure of each variant, and a line that says what it is of. */
export function formatReport(report: SweepReport, width?: number): string {
  const columns = columnsOf(report);
  const rows = report.figures.map((figure) => columns.map(([, cell]) => cell(figure)));
  const table = formatColumns(
    columns.map(([title]) => title),
    rows,
    { width },
  );
  return `${summaryOf(report).join('\n')}\n\n${table}`;
}

/** What a report is of, and how its runs ended, in lines for people. */
function summaryOf({ runs, seeds, by, baseline, variants }: SweepReport): string[] {
  const what = by.length === 0 ? '' : `, ${variants.length} variants of ${by.join(', ')}, compared with ${baseline}`;
  const kinds = new Set(variants.flatMap(({ ends }) => Object.keys(ends)));
  const lines = [`${runs} runs, seeds ${seeds}${what}`];
  if (kinds.size < 2) return lines;
  const ended = variants.map(({ title, ends }) => {
    return `${title}: ${Object.entries(ends)
      .map(([end, count]) => `${count} ${end}`)
      .join(', ')}`;
  });
  return [...lines, ...ended];
}

/** Numbers with all their digits, a figure a line; what is not there is empty. */
export function formatReportCsv({ by, variants, figures }: SweepReport): string {
  const settings = new Map(variants.map((variant) => [variant.title, variant.settings]));
  const header = [
    ...['figure', ...by, 'runs', 'mean', 'low', 'high', 'deviation', 'min', 'max'],
    ...['pairs', 'difference', 'differenceLow', 'differenceHigh', 'p', 'pOfAll'],
  ];
  const rows = figures.map(({ figure, variant, runs, mean, interval, deviation, min, max, against }) => [
    ...[figure, ...by.map((name) => settings.get(variant)?.[name]), runs, mean, ...(interval ?? NO_INTERVAL)],
    ...[deviation, min, max, against?.pairs, against?.mean, ...(against?.interval ?? NO_INTERVAL)],
    ...[against?.p, against?.pOfAll],
  ]);
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

const NO_INTERVAL = [undefined, undefined];

/** A cell as RFC 4180 writes it. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function digits(value: number, precision: number): string {
  return String(Number(value.toPrecision(precision)));
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${digits(value, DIFFERENCE_DIGITS)}`;
}

function range(interval: readonly [number, number] | null, precision: number): string {
  return interval === null ? '-' : interval.map((value) => digits(value, precision)).join(' .. ');
}

function probability(p: number | null | undefined): string {
  if (p === null || p === undefined) return '-';
  return p < P_MIN ? `<${P_MIN}` : digits(p, P_DIGITS);
}
