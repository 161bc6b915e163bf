import { describe, expect, it } from 'vitest';
import { compareReports } from '../../../src/benchmark/compare/compare-reports.ts';
import { readReport } from '../../../src/benchmark/compare/read-report.ts';
import type { BenchResult } from '../../../src/benchmark/result.ts';
import { benchReport, benchResult } from '../../builders/make-bench-result.ts';

const SLOW = [0.2, 0.25, 0.4, 0.5];
const FAST = [0.01, 0.02, 0.025, 0.04];

function compare(a: readonly Partial<BenchResult>[], b: readonly Partial<BenchResult>[]) {
  const named = (name: string, results: readonly Partial<BenchResult>[]) => ({
    name,
    report: benchReport(results.map(benchResult)),
  });
  return compareReports(named('a.json', a), named('b.json', b));
}

describe('compareReports', () => {
  it('compares the medians of all repetitions', () => {
    const { cases } = compare([{ secondsOfRuns: SLOW }], [{ secondsOfRuns: FAST }]);
    // 10 pods: 50, 40, 25, 20 and 1000, 500, 400, 250 pods/s.
    expect(cases).toEqual([
      {
        name: 'core: basic, 5 nodes, simd',
        a: { podsPerSecond: 32.5, pods: 10, runs: 4 },
        b: { podsPerSecond: 450, pods: 10, runs: 4 },
        ratio: 450 / 32.5,
        p: 2 / 70,
        interval: [250 / 50, 1000 / 20],
        isSignificant: true,
        notes: [],
      },
    ]);
  });

  it('is not sure where runs overlap, or are few', () => {
    const [overlapping] = compare([{ secondsOfRuns: SLOW }], [{ secondsOfRuns: SLOW.toReversed() }]).cases;
    expect(overlapping).toMatchObject({ ratio: 1, p: 1, isSignificant: false, notes: [] });
    const [few] = compare([{ secondsOfRuns: SLOW.slice(1) }], [{ secondsOfRuns: FAST.slice(1) }]).cases;
    expect(few).toMatchObject({ isSignificant: false, interval: null });
    expect(few?.notes).toEqual(['too few runs to tell: four of each are needed']);
  });

  it('finds cases by what they are, in whatever order, and names the others', () => {
    const a: Partial<BenchResult>[] = [{ index: false }, { kind: 'hetero' }, { workers: 2 }, { nodes: 6 }];
    const b: Partial<BenchResult>[] = [{ nodes: 6 }, { workers: 2, engine: 'scalar' }, { index: false }, {}];
    const { cases, onlyInA, onlyInB } = compare(a, [...b, { percentageOfNodesScored: 48.2 }]);
    expect(cases.map(({ name }) => name)).toEqual([
      'core: basic, 5 nodes, simd index off',
      'core: basic, 6 nodes, simd',
    ]);
    expect(onlyInA).toEqual(['core: hetero, 5 nodes, simd', 'core: basic, 5 nodes, simd 2 workers']);
    expect(onlyInB).toEqual([
      'core: basic, 5 nodes, scalar 2 workers',
      'core: basic, 5 nodes, simd',
      'core: basic, 5 nodes, simd, 48% of nodes scored',
    ]);
  });

  it('says when not the same was measured', () => {
    const other = { secondsOfRuns: SLOW, decisionHash: 'f'.repeat(32) };
    expect(compare([{ secondsOfRuns: SLOW }], [other]).cases[0]?.notes).toEqual(['DIFFERENT decisions']);
    expect(compare([{ secondsOfRuns: SLOW }], [{ ...other, pods: 20 }]).cases[0]?.notes).toEqual(['10 and 20 pods']);
  });

  it('takes a case that stands there twice for one with more runs', () => {
    const { cases } = compare([{ secondsOfRuns: SLOW.slice(2) }, { secondsOfRuns: SLOW.slice(0, 2) }], [{}]);
    expect(cases).toMatchObject([{ a: { runs: 4, podsPerSecond: 32.5 }, b: { runs: 1 } }]);
  });

  it('refuses reports of which no case is the same', () => {
    expect(() => compare([{ nodes: 6 }], [{}])).toThrow('a.json and b.json have no case in common');
  });
});

describe('readReport', () => {
  const report = benchReport([benchResult(), benchResult({ workers: 'auto' })]);
  const changed = (change: (report: Record<string, never>) => void) => {
    const copy = JSON.parse(JSON.stringify(report));
    change(copy);
    return JSON.stringify(copy);
  };

  it('reads what was written', () => {
    expect(readReport(JSON.stringify(report), 'a.json')).toEqual(report);
  });

  it.each<[string, RegExp]>([
    ['{', /^a\.json: is not JSON: /],
    ['[]', /^a\.json: was not printed by berth bench -o json$/],
    ['{"machine":{},"results":[]}', /^a\.json: was not printed by berth bench -o json$/],
    [changed((r) => Object.assign(r, { version: 7 })), /^a\.json: version: 7 is not known, 1 is$/],
    [changed((r) => Object.assign(r, { machine: null })), /^a\.json: machine: is not an object$/],
    [changed((r) => Object.assign(r, { results: {} })), /^a\.json: results: is not a list$/],
    [
      changed((r) => Object.assign(r['results']![1]!, { nodes: '5' })),
      /^a\.json: results\[1\]\.nodes: is not a number$/,
    ],
    [changed((r) => Object.assign(r['results']![0]!, { workers: true })), /results\[0\]\.workers: is not a number$/],
    ...[[], [0.1, 0], ['1']].map((secondsOfRuns): [string, RegExp] => [
      changed((r) => Object.assign(r['results']![0]!, { secondsOfRuns })),
      /results\[0\]\.secondsOfRuns: is not a list of positive numbers$/,
    ]),
  ])('refuses %s', (text, message) => {
    expect(() => readReport(text, 'a.json')).toThrow(message);
  });
});
