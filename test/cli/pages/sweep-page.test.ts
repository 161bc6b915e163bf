import { describe, expect, it } from 'vitest';
import { sweepPage } from '../../../src/cli/pages/sweep-page.ts';
import type { ReportedFigure, SweepReport } from '../../../src/sweep/report/sweep-statistics.ts';

function reportOf(
  by: readonly string[],
  settings: readonly SweepReport['variants'][number]['settings'][],
): SweepReport {
  const titles = settings.map((each) =>
    Object.entries(each)
      .map(([key, value]) => `${key}=${value}`)
      .join(', '),
  );
  const figures = titles.map((variant, i): ReportedFigure => {
    const against = { pairs: 3, mean: i, interval: [i - 1, i + 1] as const, p: 0.5, pOfAll: 1 };
    return {
      ...{
        figure: 'evicted',
        variant,
        runs: 3,
        mean: 10 + i,
        interval: [9 + i, 11 + i],
        deviation: 1,
        min: 0,
        max: 20,
      },
      ...(i > 0 && { against }),
    };
  });
  const variants = titles.map((title, i) => ({ title, settings: settings[i] ?? {}, ends: { placed: 3 } }));
  return { ...{ runs: 9, seeds: '1..3', confidence: 0.95, by, baseline: titles[0] ?? '' }, variants, figures };
}

describe('the page of a sweep', () => {
  it('has bars with intervals for a few variants, and everything in a table', () => {
    const { sections, facts } = sweepPage(reportOf(['tieBreak'], [{ tieBreak: 'first' }, { tieBreak: 'random' }]));
    expect(facts).toContainEqual(['Compared with', 'tieBreak=first']);
    expect(sections).toMatchObject([
      {
        ...{ kind: 'bars', title: 'evicted', categories: ['tieBreak=first', 'tieBreak=random'] },
        series: [
          { name: 'low', values: [9, 10] },
          { name: 'mean', values: [10, 11] },
          { name: 'high', values: [11, 12] },
        ],
      },
      {
        kind: 'table',
        rows: [
          ['evicted', 'tieBreak=first', 3, 10, 9, 11, 0, 20, null, null, null, null, null],
          ['evicted', 'tieBreak=random', 3, 11, 10, 12, 0, 20, 1, 0, 2, 0.5, 1],
        ],
      },
    ]);
  });

  it('has lines over a parameter that is a number', () => {
    const settings = [10, 20, 5].flatMap((nodes) => ['a', 'b'].map((config) => ({ nodes, config })));
    const [plot] = sweepPage(reportOf(['nodes', 'config'], settings)).sections;
    expect(plot).toMatchObject({
      ...{ kind: 'lines', x: { name: 'nodes' } },
      runs: [
        {
          xs: [5, 10, 20],
          lines: [
            { name: 'config=a', values: [14, 10, 12] },
            { name: 'config=a, low', values: [13, 9, 11], isDashed: true },
            { name: 'config=a, high' },
            { name: 'config=b', values: [15, 11, 13] },
            {},
            {},
          ],
        },
      ],
    });
  });
});
