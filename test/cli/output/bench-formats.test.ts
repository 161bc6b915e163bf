import { describe, expect, it } from 'vitest';
import type { Figure } from '../../../src/benchmark/result.ts';
import { formatBenchTable, formatFigures } from '../../../src/cli/output/bench-table.ts';
import { formatComparison } from '../../../src/cli/output/comparison-table.ts';
import { formatGoBench } from '../../../src/cli/output/gobench.ts';
import { formatPerfDash } from '../../../src/cli/output/perfdash.ts';
import { percentChange, short } from '../../../src/cli/text/numbers.ts';
import { whole } from '../../../src/lib/shown-count.ts';
import { benchReport, benchResult, MACHINE } from '../../builders/make-bench-result.ts';

const RESULT = benchResult({
  nodes: 5000,
  pods: 1000,
  seconds: 0.004,
  secondsOfRuns: [0.005, 0.004, 0.0025],
});
const REFERENCE = benchResult({
  ...{ nodes: 5000, pods: 100, scheduled: 99, seconds: 0.2, engine: 'reference', index: false },
});
const SAMPLED = benchResult({ ...RESULT, index: false, workers: 2, percentageOfNodesScored: 9.6 });

const FIGURES: Figure[] = [
  { name: 'speed', unit: 'pods/s', bound: 'atLeast', wanted: 1_000_000, measured: 1_234_567.8, isMet: true },
  { name: 'scan', unit: 'ns', bound: 'atMost', wanted: 4, measured: 4.5678, isMet: false },
  { name: 'bytes', unit: 'B', bound: 'atMost', wanted: null, measured: 12, isMet: null },
  { name: 'other', unit: 'x', bound: 'atLeast', wanted: 1.6, measured: null, isMet: null },
];

/** Titles and rows of a table. */
function cellsOf(table: string): string[][] {
  const rows = table.split('\n').filter((line) => line.startsWith('│'));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('│')
      .map((cell) => cell.trim()),
  );
}

describe('table', () => {
  it('has a line a result; what is the same everywhere has no column', () => {
    const text = formatBenchTable(MACHINE, [RESULT, REFERENCE]);
    expect(text.split('\n')[0]).toBe('Test CPU, 2 cores, 8 GiB, Node v20.20.0, linux x64');
    const titles = 'kind nodes pods engine placed pods/s speed-up p50_µs p99_µs evals/s B/node B/pod decisions';
    const shared = ['8.3', '40.0'];
    const kept = ['350', '180', '0123456789ab'];
    expect(cellsOf(text)).toEqual([
      titles.split(' ').map((title) => title.replace('_', ' ')),
      ['basic', '5,000', '1,000', 'simd', '1,000', '250,000', '500.0x', ...shared, '1.25G', ...kept],
      ['basic', '5,000', '100', 'reference', '99', '500', '1.0x', ...shared, '2.5M', ...kept],
    ]);
    // No rules between the rows.
    expect(text.match(/^├/gm)).toHaveLength(1);
  });

  it('has columns for index, workers and sampling where results differ in them', () => {
    const [head, first, second] = cellsOf(formatBenchTable(MACHINE, [RESULT, SAMPLED]));
    expect(head?.slice(3, 7)).toEqual(['engine', 'index', 'workers', 'scored']);
    expect(first?.slice(3, 7)).toEqual(['simd', 'on', '1', '100%']);
    expect(second?.slice(3, 7)).toEqual(['simd', 'off', '2', '10%']);
  });

  it('of figures leaves out what was not measured, and counts it', () => {
    expect(formatFigures(FIGURES)).toBe(`┌────────┬──────────────┬───────────┬────────┬────────┐
│ figure │       wanted │  measured │ unit   │        │
├────────┼──────────────┼───────────┼────────┼────────┤
│ speed  │ >= 1,000,000 │ 1,234,568 │ pods/s │ met    │
│ scan   │         <= 4 │      4.57 │ ns     │ MISSED │
│ bytes  │              │        12 │ B      │        │
└────────┴──────────────┴───────────┴────────┴────────┘
1 figures not measured: their cases did not run
`);
  });

  it('of a comparison', () => {
    const side = (podsPerSecond: number) => ({ podsPerSecond, pods: 10, runs: 5 });
    const other = { ...MACHINE, cpu: 'Other CPU' };
    const text = formatComparison({
      machines: [MACHINE, other],
      cases: [
        {
          ...{ name: 'x', a: side(1000), b: side(1250), ratio: 1.25, isSignificant: true, notes: [] },
          ...{ interval: [1.1, 1.4] as const, p: 0.0079 },
        },
        {
          ...{ name: 'y', a: side(1000), b: side(900), ratio: 0.9, isSignificant: false, notes: ['one', 'two'] },
          ...{ interval: null, p: 0.1 },
        },
      ],
      onlyInA: ['z'],
      onlyInB: [],
    });
    expect(text).toBe(`a: Test CPU, 2 cores, 8 GiB, Node v20.20.0, linux x64
b: Other CPU, 2 cores, 8 GiB, Node v20.20.0, linux x64
┌──────┬──────────┬──────────┬────────────┬──────────────────┬───────┬──────┐
│ case │ a pods/s │ b pods/s │ difference │ 95 % interval    │     p │ runs │
├──────┼──────────┼──────────┼────────────┼──────────────────┼───────┼──────┤
│ x    │    1,000 │    1,250 │     +25.0% │ +10.0% to +40.0% │ 0.008 │  5+5 │
│ y    │    1,000 │      900 │          ~ │                  │ 0.100 │  5+5 │
└──────┴──────────┴──────────┴────────────┴──────────────────┴───────┴──────┘
y: one
y: two
only in a: z
`);
  });
});

describe('gobench', () => {
  it('has a line a repetition, in the form that benchstat reads', () => {
    const text = formatGoBench(benchReport([RESULT, SAMPLED, REFERENCE]));
    expect(text).toBe(`goos: linux
goarch: amd64
pkg: berth
cpu: Test CPU
Unit pods/s better=higher
BenchmarkCore/kind=basic/nodes=5000/engine=simd/index=on-2\t1000\t5000.0 ns/op\t200000 pods/s
BenchmarkCore/kind=basic/nodes=5000/engine=simd/index=on-2\t1000\t4000.0 ns/op\t250000 pods/s
BenchmarkCore/kind=basic/nodes=5000/engine=simd/index=on-2\t1000\t2500.0 ns/op\t400000 pods/s
BenchmarkCore/kind=basic/nodes=5000/engine=simd/index=off/workers=2/scored=10-2\t1000\t5000.0 ns/op\t200000 pods/s
BenchmarkCore/kind=basic/nodes=5000/engine=simd/index=off/workers=2/scored=10-2\t1000\t4000.0 ns/op\t250000 pods/s
BenchmarkCore/kind=basic/nodes=5000/engine=simd/index=off/workers=2/scored=10-2\t1000\t2500.0 ns/op\t400000 pods/s
BenchmarkCore/kind=basic/nodes=5000/engine=reference/index=off-2\t100\t2000000.0 ns/op\t500 pods/s
`);
  });

  it('counts preemptions where they are what counts', () => {
    const result = benchResult({ kind: 'preemption', pods: 10, seconds: 2, podsPerSecond: 4, secondsOfRuns: [1, 2] });
    const lines = formatGoBench(benchReport([result]))
      .trimEnd()
      .split('\n')
      .slice(-2);
    expect(lines.map((line) => line.split('\t').at(-1))).toEqual(['8 pods/s', '4 pods/s']);
  });
});

it('perf-dash has throughput, latency and memory of every case', () => {
  const { version, dataItems, labels } = JSON.parse(formatPerfDash(benchReport([RESULT])));
  const of = {
    ...{ Name: 'core/basic_5000Nodes', kind: 'basic', nodes: '5000', pods: '1000', engine: 'simd', index: 'on' },
    ...{ workers: '1', percentageOfNodesScored: '100' },
  };
  expect(version).toBe('v1');
  expect(labels).toEqual({ cpu: 'Test CPU', node: 'v20.20.0', platform: 'linux x64', cores: '2' });
  expect(dataItems).toEqual([
    {
      data: {
        Average: expect.closeTo(850_000 / 3),
        Perc50: 250_000,
        Perc90: 400_000,
        Perc95: 400_000,
        Perc99: 400_000,
      },
      unit: 'pods/s',
      labels: { Metric: 'SchedulingThroughput', ...of },
    },
    {
      data: { Perc50: 0.00825, Perc90: 0.01, Perc99: 0.04004 },
      unit: 'ms',
      labels: { Metric: 'scheduler_scheduling_algorithm_duration_seconds', ...of },
    },
    { data: { Average: 350 }, unit: 'bytes', labels: { Metric: 'MemoryPerNode', ...of } },
    { data: { Average: 180 }, unit: 'bytes', labels: { Metric: 'MemoryPerPod', ...of } },
  ]);
});

it('numbers', () => {
  expect([0, 1.26, 999.4, 999.6, 1234, 12_345, 6.54e8, 1e21].map(short)).toEqual([
    ...['0', '1.26', '999', '1k', '1.23k', '12.3k', '654M', '1000000P'],
  ]);
  expect(short(Number.POSITIVE_INFINITY)).toBe('Infinity');
  expect([0.4, 1234.5, 1e6].map(whole)).toEqual(['0', '1,235', '1,000,000']);
  expect([1, 1.031, 0.5].map(percentChange)).toEqual(['+0.0%', '+3.1%', '-50.0%']);
});
