import { describe, expect, it } from 'vitest';
import { compareReports } from '../../../src/benchmark/compare/compare-reports.ts';
import { benchComparisonPage } from '../../../src/cli/pages/bench-comparison-page.ts';
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

function sectionNamed(sections: readonly Section[], kind: Section['kind'], title: string): Section {
  const found = sections.find((section) => section.kind === kind && section.title === title);
  if (found === undefined) throw new Error(title);
  return found;
}

describe('the page of a benchmark', () => {
  it('plots throughput against nodes, a line for each variant', () => {
    const { sections } = benchPage(benchReport(RESULTS));
    expect(sectionNamed(sections, 'lines', 'basic')).toMatchObject({
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
    expect(sectionNamed(sections, 'bars', 'spread')).toMatchObject({
      categories: ['scalar 2 workers'],
      series: [{ values: [1e6] }],
    });
  });

  it('leaves out runs that scored a part of the nodes from plots, and has them in the table', () => {
    const { sections } = benchPage(benchReport([benchResult({ percentageOfNodesScored: 10 })]));
    expect(sections.map(({ title }) => title)).toEqual(['basic', 'Results']);
    expect(sectionNamed(sections, 'table', 'Results')).toMatchObject({
      rows: [['basic', 5, 10, 'simd', 0.1, 10]].map((row) => expect.arrayContaining(row)),
    });
  });

  it('says how much faster than the reference, and on top which figures are met', () => {
    const figure = { name: 'speed', unit: 'x', bound: 'atLeast', wanted: 2, measured: 1, isMet: false } as const;
    const missing = { ...figure, measured: null, isMet: null };
    const skipped = [{ cluster: 'spread', variant: 'simd', reason: 'no room' }];
    const page = benchPage(benchReport(RESULTS, { figures: [figure, missing], skipped }));
    expect(page.highlights?.[0]).toEqual({ name: 'Figures met', value: '0 of 1', isBad: true });
    expect(sectionNamed(page.sections, 'table', 'Figures')).toMatchObject({
      rows: [
        ['speed', '≥ 2', 1, 'x', 'missed'],
        ['speed', '≥ 2', 'not measured', 'x', ''],
      ],
    });
    expect(sectionNamed(page.sections, 'table', 'Not measured')).toMatchObject({
      rows: [['spread', 'simd', 'no room']],
    });
    const results = sectionNamed(page.sections, 'table', 'Results') as Section & { kind: 'table' };
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

describe('the page of a comparison', () => {
  const named = (name: string, factor: number) => ({
    name,
    report: benchReport(
      [1000, 5000].map((nodes) =>
        benchResult({
          nodes,
          podsPerSecond: 1000 * factor,
          secondsOfRuns: [1, 2, 3, 4, 5].map((i) => i / 100 / factor),
        }),
      ),
    ),
  });

  it('overlays both, and counts what is certain', () => {
    const reports = [named('before.json', 1), named('after.json', 100)] as const;
    const page = benchComparisonPage(reports, compareReports(...reports), [['Command', 'c']]);
    expect(page.highlights?.map(({ value }) => value)).toEqual(['2', '2', '0']);
    const lines = sectionNamed(page.sections, 'lines', 'basic') as Section & { kind: 'lines' };
    expect(lines.runs.map(({ name, xs }) => [name, xs])).toEqual([
      ['before.json', [1000, 5000]],
      ['after.json', [1000, 5000]],
    ]);
    const cases = sectionNamed(page.sections, 'table', 'Cases') as Section & { kind: 'table' };
    expect(cases.rows[0]).toEqual(expect.arrayContaining(['core: basic, 1000 nodes, simd', '+9900.0%', '5 and 5']));
  });

  it('names cases that one of them has, and reports with one name by their place', () => {
    const a = named('x', 1);
    const b = { name: 'x', report: benchReport([...a.report.results, benchResult({ kind: 'spread' })]) };
    const page = benchComparisonPage([a, b], compareReports(a, b), []);
    expect(sectionNamed(page.sections, 'table', 'Cases that one of them has')).toMatchObject({
      rows: [['core: spread, 5 nodes, simd', 'B']],
    });
  });
});
