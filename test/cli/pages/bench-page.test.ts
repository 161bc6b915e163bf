import { describe, expect, it } from 'vitest';
import { benchPage } from '../../../src/cli/pages/bench-page.ts';
import type { Section } from '../../../src/report/sections.ts';
import { benchReport, benchResult } from '../../builders/make-bench-result.ts';

const FAST = [5000, 1000].map((nodes) => benchResult({ nodes, pods: 1000, seconds: nodes / 1e6 }));
const RESULTS = [
  ...FAST,
  ...FAST.map((result) => benchResult({ ...result, index: false, podsPerSecond: 1000 })),
  benchResult({ ...FAST[1], kind: 'spread', engine: 'scalar', workers: 2 }),
  benchResult({ ...FAST[1], engine: 'reference', index: false, podsPerSecond: 500 }),
];

function named(sections: readonly Section[], kind: Section['kind'], title: string): Section {
  const found = sections.find((section) => section.kind === kind && section.title === title);
  if (found === undefined) throw new Error(title);
  return found;
}

describe('the page of a benchmark', () => {
  it('plots throughput against nodes, a line for each variant', () => {
    const { sections } = benchPage(benchReport(RESULTS));
    expect(named(sections, 'lines', 'basic')).toMatchObject({
      x: { scale: 'log' },
      runs: [
        {
          xs: [1000, 5000],
          lines: [
            { name: 'reference', values: [500, null], isDashed: false },
            { name: 'simd', values: [1e6, 2e5], isDashed: false, colour: 0 },
            { name: 'simd index off', values: [1000, 1000], isDashed: true, colour: 0 },
          ],
        },
      ],
    });
  });

  it('has bars for clusters of one size', () => {
    const { sections } = benchPage(benchReport(RESULTS));
    expect(named(sections, 'bars', 'spread')).toMatchObject({
      categories: ['scalar 2 workers'],
      series: [{ values: [1e6] }],
    });
  });

  it('leaves out runs that scored a part of the nodes from plots, and has them in the table', () => {
    const { sections } = benchPage(benchReport([benchResult({ percentageOfNodesScored: 10 })]));
    expect(sections.map(({ title }) => title)).toEqual(['basic', 'Results']);
    expect(named(sections, 'table', 'Results')).toMatchObject({
      rows: [['basic', 5, 10, 'simd', 0.1, 10]].map((row) => expect.arrayContaining(row)),
    });
  });

  it('says how much faster than the reference, and on top which figures are met', () => {
    const figure = { name: 'speed', unit: 'x', bound: 'atLeast', wanted: 2, measured: 1, isMet: false } as const;
    const missing = { ...figure, measured: null, isMet: null };
    const skipped = [{ cluster: 'spread', variant: 'simd', reason: 'no room' }];
    const page = benchPage(benchReport(RESULTS, { figures: [figure, missing], skipped }));
    expect(page.highlights?.[0]).toEqual({ name: 'Figures met', value: '0 of 1', isBad: true });
    expect(named(page.sections, 'table', 'Figures')).toMatchObject({
      rows: [
        ['speed', '≥ 2', 1, 'x', 'missed'],
        ['speed', '≥ 2', 'not measured', 'x', ''],
      ],
    });
    expect(named(page.sections, 'table', 'Not measured')).toMatchObject({ rows: [['spread', 'simd', 'no room']] });
    const results = named(page.sections, 'table', 'Results') as Section & { kind: 'table' };
    expect(results.rows.map((row) => row[7])).toEqual([null, 2000, null, 2, null, 1]);
  });

  it('says where it comes from', () => {
    const origin = { berth: '1.2.3', commit: null, command: 'berth bench', seed: 7, time: '2026-01-01T00:00:00Z' };
    expect(benchPage(benchReport([], { origin })).facts).toEqual(
      expect.arrayContaining([
        ['Command', 'berth bench'],
        ['Berth', '1.2.3'],
        ['Seed', '7'],
        ['Time', '2026-01-01T00:00:00Z'],
        ['Processor', 'Test CPU, 2 cores'],
      ]),
    );
  });
});
