import { describe, expect, it } from 'vitest';
import type { PerfReport } from '../../src/perf/perf-report.ts';
import { workloadFiles } from '../perf/workload-files.ts';
import { berth } from './run-berth.ts';

const CONFIG = 'performance-config.yaml';
const FILES = workloadFiles();
const perf = (...more: string[]) => berth(['bench', '--perf-config', CONFIG, ...more], FILES);
const TINY = ['--workload', 'Basic/10Nodes'];

describe('berth bench --perf-config', () => {
  it('reports what ran as JSON', async () => {
    const { code, out } = await perf('--label', 'short', '--workload', 'Basic|ZoneSpreading', '-o', 'json');
    expect(code).toBe(0);
    const report: PerfReport = JSON.parse(out);
    expect(Object.keys(report)).toEqual([
      ...['format', 'version', 'machine', 'origin', 'config', 'topic', 'results', 'notRun', 'failed'],
    ]);
    expect(report).toMatchObject({ format: 'berth-perf', version: 1, config: CONFIG, notRun: [], failed: [] });
    expect(report.results.map(({ name }) => name)).toEqual([
      ...['Basic/10Nodes', 'ZoneSpreading/12Nodes_Hard', 'ZoneSpreading/12Nodes_Soft'],
    ]);
    expect(report.results[0]!.items[0]).toMatchObject({
      unit: 'pods/s',
      labels: { Metric: 'SchedulingThroughput', Name: 'Basic/10Nodes/namespace-2' },
    });
  });

  it('prints a table', async () => {
    const { out } = await perf(...TINY);
    expect(out).toMatch(/│ workload +│ +pods\/s │/);
    expect(out).toMatch(/│ Basic\/10Nodes +│ +[\d,]+ │/);
    expect(out).toContain('1 run, 0 failed, 0 not run');
  });

  it('prints what perf-dash reads, under the names that upstream has', async () => {
    const { out } = await perf(...TINY, '-o', 'perfdash');
    const { version, dataItems } = JSON.parse(out);
    expect(version).toBe('v1');
    expect(dataItems[0].labels).toMatchObject({
      Metric: 'SchedulingThroughput',
      Name: 'BenchmarkPerfScheduling/Basic/10Nodes/namespace-2',
      result: 'not applicable',
    });
  });

  it('prints lines for benchstat', async () => {
    const { out } = await perf(...TINY, '-o', 'gobench');
    expect(out).toMatch(/^goos: \w+\ngoarch: \w+\npkg: berth\ncpu: /);
    expect(out).toMatch(/\nBenchmarkPerfScheduling\/Basic\/10Nodes-\d+\t1\t\S+ SchedulingThroughput\/Average\t/);
    expect(out).toMatch(/\t\S+ scheduler_scheduling_attempt_duration_ms\/scheduled\/Perc99\t/);
  });

  it('names what was not run and what failed, and ends with 1 for the latter', async () => {
    const config = `
- name: Case
  workloadTemplate:
  - {opcode: createNodes, countParam: $nodes}
  - {opcode: createPods, count: 50, collectMetrics: true}
  workloads:
  - {name: Fits, params: {nodes: 2}, threshold: 1}
  - {name: Unknown, params: {nodes: 1}, featureGates: {CompositePodGroup: true}}
  - {name: TooSmall, params: {nodes: 1}}
`;
    const { code, out, logged } = await berth(['bench', '--perf-config', 'c.yaml'], { 'c.yaml': config });
    expect(code).toBe(1);
    expect(out).toContain('1 run, 1 failed, 1 not run');
    expect(out).toMatch(/│ Case\/Fits .*│ +1 │ +[\d.]+x │/);
    expect(logged[0]).toBe('not run: Case/Unknown: not supported: feature gate CompositePodGroup=true');
    expect(logged[1]).toMatch(/^failed: Case\/TooSmall: operation 1 \(createPods\): 40 of 50 pods/);
    expect(logged[2]).toBe('error: 1 workload of c.yaml did not run to the end');
  });

  /** Waits for the first metrics: while a workload is rehearsed there are none. */
  async function firstMetrics(url: string): Promise<string> {
    for (;;) {
      const response = await fetch(url);
      const text = await response.text();
      if (text !== '') return text;
    }
  }

  it('serves metrics meanwhile, and not afterwards', async () => {
    const config = `
- name: Case
  workloadTemplate:
  - {opcode: createNodes, count: 2}
  - {opcode: createPods, count: 5, steadyState: true, duration: 300ms, collectMetrics: true}
  workloads: [{name: Steady}]
`;
    let url = '';
    let seen: Promise<string> | undefined;
    const log = (line: string): void => {
      url = line.replace('metrics: ', '');
      seen = firstMetrics(url);
    };
    const argv = ['bench', '--perf-config', 'c.yaml', '--metrics-port', '0'];
    const { code } = await berth(argv, { 'c.yaml': config }, { log });
    expect(code).toBe(0);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(await seen).toContain('# TYPE scheduler_schedule_attempts_total counter');
    await expect(fetch(url)).rejects.toThrow();
  });

  it.each([
    [['--workload', '('], "argument '(' is invalid. Expected a regular expression."],
    [['--workload', 'Nobody'], `error: ${CONFIG}: no workload is selected`],
    [['--kind', 'basic'], "'--perf-config <file>' cannot be used with option '--kind <names>'"],
    [['--metrics-port', '70000'], 'Expected a whole number from 0 to 65535.'],
  ])('refuses %j', async (argv, message) => {
    const { code, logged } = await perf(...argv);
    expect(code).toBe(1);
    expect(logged.join('\n')).toContain(message);
  });

  it('says in one line what is wrong with a file', async () => {
    const bad = await berth(['bench', '--perf-config', 'bad.yaml'], { 'bad.yaml': '- {name: A, worklods: []}' });
    expect(bad.code).toBe(1);
    expect(bad.logged).toEqual([expect.stringMatching(/^error: bad\.yaml: \[0\]\.worklods: unknown field \(known: /)]);
    const missing = await berth(['bench', '--perf-config', 'none.yaml']);
    expect(missing.logged).toEqual(['error: none.yaml: no such file']);
  });
});
