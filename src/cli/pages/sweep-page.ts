import type { BarsSection, Fact, Line, LinesSection, ReportPage, Section } from '../../report/sections.ts';
import type { ReportedFigure, SweepReport } from '../../sweep/report/sweep-statistics.ts';

/** Plots of so many figures are drawn; all of them are in the table. */
const PLOTS_MAX = 24;

/**
 * The page of a sweep: for each figure its means with their intervals, over the parameter that is a number if there is
 * one, otherwise as bars; and a table with everything.
 */
export function sweepPage(report: SweepReport, origin: readonly Fact[] = []): ReportPage {
  const { runs, seeds, confidence, by, baseline, figures, variants } = report;
  const names = [...new Set(figures.map(({ figure }) => figure))];
  const x = numericParameter(report);
  const plots = names.slice(0, PLOTS_MAX).map((name) => {
    const own = figures.filter(({ figure }) => figure === name);
    return x === undefined ? bars(name, own, confidence) : lines(name, own, report, x);
  });
  return {
    title: 'Sweep',
    about: 'Means over the runs of each variant, and the interval in which the mean of all runs is.',
    facts: [
      ...origin,
      ['Runs', String(runs)],
      ['Seeds', seeds],
      ...(by.length === 0 ? [] : ([['Variants', `${variants.length}, of ${by.join(', ')}`]] as const)),
      ...(variants.length < 2 ? [] : ([['Compared with', baseline]] as const)),
      ['Confidence', `${percentOf(confidence)} %`],
    ],
    sections: [...plots, table(report)],
  };
}

/** The parameter whose values are at least three numbers: the axis of the plots. */
function numericParameter({ by, variants }: SweepReport): string | undefined {
  return by.find((name) => {
    const values = variants.map(({ settings }) => settings[name]);
    return values.every((value) => typeof value === 'number') && new Set(values).size >= 3;
  });
}

function lines(name: string, figures: readonly ReportedFigure[], report: SweepReport, x: string): LinesSection {
  const settings = new Map(report.variants.map((variant) => [variant.title, variant.settings]));
  const groups = new Map<string, Map<number, ReportedFigure>>();
  for (const figure of figures) {
    const { [x]: at, ...others } = settings.get(figure.variant) ?? {};
    const title = Object.entries(others).map(([key, value]) => `${key}=${value}`);
    const group = title.join(', ') || name;
    groups.set(group, (groups.get(group) ?? new Map()).set(Number(at), figure));
  }
  const xs = [...new Set(report.variants.map((variant) => Number(variant.settings[x])))].sort((a, b) => a - b);
  const drawn = [...groups].flatMap(([title, points], colour): Line[] => {
    const line = (of: (figure: ReportedFigure) => number | undefined) => {
      return xs.map((value) => {
        const found = points.get(value);
        return found === undefined ? null : (of(found) ?? null);
      });
    };
    return [
      { name: title, values: line(({ mean }) => mean), colour },
      { name: `${title}, low`, values: line(({ interval }) => interval?.[0]), colour, isDashed: true },
      { name: `${title}, high`, values: line(({ interval }) => interval?.[1]), colour, isDashed: true },
    ];
  });
  return {
    ...{ kind: 'lines', title: name, group: 'Figures', isNarrow: true, hasPoints: true },
    ...{ x: { name: x, unit: 'number' }, y: { name, unit: 'number' } },
    note: `The ${percentOf(report.confidence)} % interval is dashed.`,
    runs: [{ name: '', xs, lines: drawn }],
  };
}

function bars(name: string, figures: readonly ReportedFigure[], confidence: number): BarsSection {
  const end = (i: 0 | 1) => figures.map(({ interval }) => interval?.[i] ?? null);
  return {
    ...{ kind: 'bars', title: name, group: 'Figures', unit: 'number', isNarrow: true },
    note: `Mean, and both ends of the ${percentOf(confidence)} % interval.`,
    categories: figures.map(({ variant }) => variant),
    series: [
      { name: 'low', values: end(0) },
      { name: 'mean', values: figures.map(({ mean }) => mean) },
      { name: 'high', values: end(1) },
    ],
  };
}

function table({ figures, variants, confidence }: SweepReport): Section {
  const number = (title: string) => ({ title, unit: 'number' as const });
  const percent = `${percentOf(confidence)} %`;
  const own = [number('mean'), number(`${percent} low`), number(`${percent} high`), number('min'), number('max')];
  const compared = [number('difference'), number('its low'), number('its high'), number('p'), number('p of all')];
  const isCompared = variants.length > 1;
  return {
    ...{ kind: 'table', title: 'All figures' },
    note: 'Differences are those of runs with the same seed and the same other parameters.',
    columns: [
      ...[{ title: 'figure' }, { title: 'variant' }, { title: 'runs', unit: 'count' as const }, ...own],
      ...(isCompared ? compared : []),
    ],
    rows: figures.map(({ figure, variant, runs, mean, interval, min, max, against }) => [
      ...[figure, variant, runs, mean, interval?.[0] ?? null, interval?.[1] ?? null, min, max],
      ...(isCompared
        ? [
            ...[against?.mean ?? null, against?.interval?.[0] ?? null, against?.interval?.[1] ?? null],
            ...[against?.p ?? null, against?.pOfAll ?? null],
          ]
        : []),
    ]),
  };
}

function percentOf(confidence: number): number {
  return Number((confidence * 100).toFixed(3));
}
