import { describe, expect, it } from 'vitest';
import type { BenchReport } from '../../src/benchmark/result.ts';
import type { SchedulerOptions, Subject } from '../../src/benchmark/subject.ts';
import { benchCore } from '../../src/cli/commands/bench-core.ts';
import type { BenchFlags } from '../../src/cli/commands/bench-flags.ts';
import { benchSubject } from '../../src/cli/commands/bench-subject.ts';
import { Interruption } from '../../src/cli/terminal/interruption.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import { FakeClock, RealClock } from '../../src/lib/clock.ts';
import { benchReport, benchResult } from '../builders/make-bench-result.ts';
import { berth, NODES, pod, textTerminal } from './run-berth.ts';

const TINY = ['--pods', '30', '--repeat', '1'];

const CORE_FLAGS: Omit<BenchFlags, 'budget'> = {
  ...{ suite: 'core', repeat: 1, workers: 1, seed: 1, tieBreak: 'first', output: 'table' },
  ...{ traceEvents: 1, validate: 'warn', expand: true },
  origin: { berth: '0', commit: null, command: 'berth bench', seed: 1, time: '' },
};

describe('berth bench', () => {
  it('reports every engine and cluster as JSON', async () => {
    const { code, out } = await berth(['bench', '--kind', 'hetero', '--nodes', '10,20', ...TINY, '-o', 'json']);
    expect(code).toBe(0);
    const { machine, results, origin, ...rest }: BenchReport = JSON.parse(out);
    expect(rest).toEqual({ format: 'berth-bench', version: 1 });
    expect(origin).toMatchObject({ seed: 1, command: expect.stringMatching(/^berth bench --kind hetero /) });
    expect(Object.keys(machine)).toEqual(['cpu', 'cores', 'memoryBytes', 'node', 'platform']);
    expect(results.map(({ nodes, engine }) => `${nodes} ${engine}`)).toEqual(
      ['10', '20'].flatMap((nodes) => ['simd', 'scalar', 'reference'].map((engine) => `${nodes} ${engine}`)),
    );
    expect(Object.keys(results[0]!)).toEqual([
      ...['suite', 'kind', 'engine', 'index', 'workers', 'nodes', 'pods', 'scheduled', 'preemptions'],
      ...['seconds', 'secondsOfRuns', 'podsPerSecond', 'latencyMicros', 'nodeEvaluationsPerSecond'],
      ...['percentageOfNodesScored', 'bytesPerNode', 'classBytesPerNode', 'bytesPerPod'],
      ...['peakRssBytes', 'decisionHash'],
    ]);
  });

  it('prints a table with speed-ups, and that the engines agree', async () => {
    const { out } = await berth(['bench', '--kind', 'basic', '--nodes', '10', ...TINY]);
    expect(out).toMatch(/│ basic │ +10 │ +30 │ reference │ +30 │ .* 1\.0x │/);
    expect(out).toContain('basic, 10 nodes, 30 pods: simd, scalar, reference made the same decisions');
  });

  it('passes index and workers on', async () => {
    const argv = [
      'bench',
      '--kind',
      'basic',
      '--nodes',
      '10',
      ...TINY,
      '--index',
      'off',
      '--workers',
      '2',
      '-o',
      'json',
    ];
    const { results }: BenchReport = JSON.parse((await berth(argv)).out);
    expect(results.map(({ index, workers }) => [index, workers])).toEqual([
      [false, 2],
      [false, 2],
      [false, 1],
    ]);
  });

  it.each(['spread', 'antiaffinity', 'affinity', 'preemption', 'dra', 'gang'])(
    'runs %s, small, on every engine',
    async (kind) => {
      const argv = ['bench', '--kind', kind, '--nodes', '30', '--pods', '60', '--repeat', '1', '-o', 'json'];
      const { code, out } = await berth([...argv, '--percentage-of-nodes-to-score', '0', '--tie-break', 'upstream']);
      expect(code).toBe(0);
      const { results } = JSON.parse(out);
      expect(new Set(results.map((result: { decisionHash: string }) => result.decisionHash)).size).toBe(1);
      expect(results[0]).toMatchObject({ kind, pods: 60, scheduled: 60, percentageOfNodesScored: 100 });
    },
  );

  it('takes the objects of a file', async () => {
    const files = { 'c.yaml': NODES + pod('a', '1') };
    const { out } = await berth(['bench', '-f', 'c.yaml', '--engine', 'simd', '-o', 'json'], files);
    expect(JSON.parse(out).results).toMatchObject([{ kind: 'file', nodes: 2, pods: 1, scheduled: 1, engine: 'simd' }]);
  });

  it('speaks the formats of perf-dash and benchstat, and writes a page', async () => {
    const argv = ['bench', '--kind', 'basic', '--nodes', '10', '--engine', 'simd', '--pods', '30', '--repeat', '2'];
    const perfDash = await berth([...argv, '-o', 'perfdash', '--report', 'r.html']);
    expect(JSON.parse(perfDash.out).dataItems).toHaveLength(3);
    expect(perfDash.written['r.html']).toContain('<title>Berth benchmark</title>');
    const { out } = await berth([...argv, '-o', 'gobench']);
    const lines = out.trimEnd().split('\n');
    const cores = /^BenchmarkCore\/kind=basic\/nodes=10\/engine=simd\/index=on-\d+\t30\t[\d.]+ ns\/op\t\d+ pods\/s$/;
    expect(lines.filter((line) => cores.test(line))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('Benchmark'))).toHaveLength(2);
  });
});

describe('berth bench --suite core', () => {
  const argv = ['bench', '--suite', 'core', '--kind', 'affinity', '--nodes', '12'];

  it('runs every variant and prints figures', async () => {
    const { code, out, logged } = await berth([...argv, ...TINY, '-o', 'json']);
    expect({ code, logged }).toEqual({ code: 0, logged: [] });
    const { results, figures, skipped }: BenchReport = JSON.parse(out);
    expect(results.map(({ engine, index, workers }) => `${engine} ${index} ${workers}`)).toEqual([
      ...['simd true 1', 'simd true 2', 'simd false 1', 'simd false 2'],
      ...['scalar true 1', 'scalar true 2', 'scalar false 1', 'scalar false 2'],
      'reference false 1',
    ]);
    expect(new Set(results.map(({ decisionHash }) => decisionHash)).size).toBe(1);
    expect(skipped).toEqual([]);
    expect(figures?.find(({ name }) => name === 'basic, 5,000 nodes')).toMatchObject({ wanted: 1.5e6, measured: null });
  });

  it('names on standard error what has no room in its budget', async () => {
    const { code, out, logged } = await berth([
      ...argv.slice(0, 3),
      '--nodes',
      '1000000',
      '--kind',
      'preemption',
      '--budget',
      '1',
    ]);
    expect(code).toBe(0);
    expect(out).toContain('figures not measured');
    expect(logged).toEqual([
      expect.stringMatching(
        /^skipped: preemption, 1000000 nodes: needs about 8.4 GiB of heap, .* \(simd, .*, reference\)$/,
      ),
    ]);
    const clock = new FakeClock();
    const kernelCase = () => {
      clock.advance(400);
      return { nodes: 1, podsPerSecond: 1 };
    };
    const { terminal, seen } = textTerminal();
    const interruption = new Interruption(terminal);
    const flags: BenchFlags = { ...CORE_FLAGS, kind: ['affinity'], nodes: [100_000], engine: ['reference'], budget: 1 };
    await benchCore({ flags, options: {}, clock, createSubject: benchSubject, kernelCase, interruption }, terminal);
    expect(seen.logged).toEqual([
      'skipped: affinity, 100000 nodes: would take about 9 s, and 0 s of the budget are left (reference)',
    ]);
  });

  it('fails when variants decide differently, and names the pair', async () => {
    /** Places the fourth pod somewhere else. */
    class Wrong extends Scheduler {
      override scheduleBatch(...pods: Parameters<Scheduler['scheduleBatch']>): ReturnType<Scheduler['scheduleBatch']> {
        const batch = super.scheduleBatch(...pods);
        return new Proxy(batch, {
          get: (target, name) => {
            if (name === 'nodeName') return (i: number) => (i === 3 ? 'elsewhere' : target.nodeName(i));
            const value = Reflect.get(target, name, target);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        });
      }
    }
    const createSubject = (options: SchedulerOptions): Subject =>
      options.engine === 'scalar' && options.index === false ? new Wrong(options) : new Scheduler(options);
    const flags: BenchFlags = { ...CORE_FLAGS, kind: ['basic'], nodes: [10], pods: 20, budget: 100 };
    const { terminal, seen } = textTerminal();
    const interruption = new Interruption(terminal);
    const failed = benchCore({ flags, options: {}, clock: new RealClock(), createSubject, interruption }, terminal);
    await expect(failed).rejects.toThrow(
      /^basic, 10 nodes, the first 20 pods: simd \(\w{12}\) and scalar index off \(\w{12}\) made DIFFERENT decisions$/,
    );
    await expect(failed).rejects.toMatchObject({ code: 'VariantsDisagree' });
    expect(seen.out).toMatch(/variants that decided differently +│ +<= 0 │ +1 │ +│ MISSED/);
  });
});

describe('berth bench compare', () => {
  const report = (seconds: number) =>
    JSON.stringify(benchReport([benchResult({ secondsOfRuns: [1, 1.1, 1.2, 1.3, 1.4].map((x) => x * seconds) })]));
  const files = { 'a.json': report(1), 'b.json': report(0.5), 'same.json': report(1.01), 'bad.json': '{}' };

  it('shows what became faster, with its interval', async () => {
    const { code, out } = await berth(['bench', 'compare', 'a.json', 'b.json'], files);
    expect(code).toBe(0);
    expect(out).toMatch(
      /│ core: basic, 5 nodes, simd │ +8 │ +17 │ +\+100\.0% │ \+57\.1% to \+154\.5% │ 0\.008 │ +5\+5 │/,
    );
    expect((await berth(['bench', 'compare', 'a.json', 'same.json'], files)).out).toMatch(/│ +~ │ -\d/);
  });

  it('has options of its own', async () => {
    const { out } = await berth(['bench', 'compare', 'a.json', 'b.json', '-o', 'json'], files);
    expect(JSON.parse(out).cases).toMatchObject([{ ratio: expect.closeTo(2), isSignificant: true }]);
  });

  it.each<[string[], RegExp]>([
    [['a.json', 'bad.json'], /^error: bad\.json: was not printed by berth bench -o json$/],
    [['a.json', 'none.json'], /^error: none\.json: no such file$/],
    [['a.json'], /^error: missing required argument 'B\.json'$/],
  ])('%j: one line and exit code 1', async (argv, message) => {
    const { code, out, logged } = await berth(['bench', 'compare', ...argv], files);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(logged.join('\n')).toMatch(message);
  });
});
