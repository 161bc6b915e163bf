import { describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import type { SimulationSummary } from '../../src/simulation/summary.ts';
import { sectionOf, withoutProgram } from '../builders/read-page.ts';
import { faults, job, workload } from '../simulation/simulate-text.ts';
import { berth } from './run-berth.ts';

const PI = job('pi', '  completions: 3\n  parallelism: 1\n  backoffLimit: 4');
const FILES = { 'pi.yaml': PI };
const SIMULATE = ['simulate', '-f', 'pi.yaml', '--nodes', '2'];

const POD = '{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}';

const jsonOf = (out: string) => JSON.parse(out) as SimulationSummary;

/** A terminal that keeps the bytes of the files that it makes. */
function keepingTerminal() {
  const bytes: Uint8Array[] = [];
  const createFile: Terminal['createFile'] = () => ({
    write: (content) => void bytes.push(Buffer.from(content)),
    close: () => {},
  });
  return { createFile, content: () => Buffer.concat(bytes) };
}

/** The bytes of a file, as the files of a test are given. */
const given = (content: Uint8Array) => content as unknown as string;

async function recordPi(argv: readonly string[] = []) {
  const { createFile, content } = keepingTerminal();
  await berth([...SIMULATE, '--record', 'r.gz', ...argv], FILES, { createFile });
  return content();
}

describe('berth simulate', () => {
  it('prints the figures of a run', async () => {
    const { code, out, logged } = await berth(SIMULATE, FILES);
    expect(code).toBe(0);
    expect(out).toMatch(/^FIGURE\s+VALUE\nended\s+settled after \d+/);
    expect(out).toMatch(/\njobs complete\s+1\n/);
    expect(out).toMatch(/\nevent log\s+\d+ lines, sha256 [0-9a-f]{64}\n$/);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/^simulated \d+.* in \d+\.\d\d s \(.* times as fast as real time, .* events\/s\)$/);
  });

  it('prints them as JSON, the same for the same seed', async () => {
    const outputs = [];
    for (const seed of ['5', '5', '6']) outputs.push(await berth([...SIMULATE, '-o', 'json', '--seed', seed], FILES));
    const [a, b, c] = outputs.map(({ out }) => jsonOf(out));
    expect(a).toMatchObject({ end: 'settled', seed: 5, pods: { created: 3, succeeded: 3 }, jobs: { complete: 1 } });
    expect(a).toEqual(b);
    expect(a?.log.sha256).not.toBe(c?.log.sha256);
  });

  it('reports when something waits for ever', async () => {
    const { code, out } = await berth(['simulate', '-f', 'pi.yaml'], FILES);
    expect(code).toBe(2);
    expect(out).toContain('stuck after');
  });

  it('ends at the time of --until', async () => {
    const { out } = await berth([...SIMULATE, '--until', '15s', '-o', 'json'], FILES);
    expect(jsonOf(out)).toMatchObject({ end: 'until', simulatedSeconds: 15 });
  });

  it('takes a workload, a trace and faults', async () => {
    const files = {
      ...{
        'w.yaml': workload(`  - {rate: 1/s, count: 4, lifetime: 1m, object: ${POD}}`),
      },
      ...{ 'b.csv': 'M1,2,j_1,1,Terminated,100,160,100,0.5\n' },
      ...{ 'f.yaml': faults('  - {fault: lostWatch, at: 30s}') },
    };
    const argv = ['simulate', '--workload', 'w.yaml', '--alibaba', 'b.csv', '--faults', 'f.yaml', '--nodes', '2'];
    const { out } = await berth([...argv, '--shape', 'cpu=8', 'cpu=4,memory=8Gi', '-o', 'json'], files);
    expect(jsonOf(out)).toMatchObject({
      ...{ end: 'settled', pods: { created: 6, deleted: 4 }, jobs: { complete: 1 }, faults: { lostWatch: 1 } },
    });
  });

  it('takes an openb trace', async () => {
    const files = {
      'n.csv': 'sn,cpu_milli,memory_mib,gpu,model\nn0,32000,262144,0,\n',
      'p.csv':
        'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time\n' +
        'a,1000,1,0,0,,LS,Running,20,90\n',
    };
    const { out } = await berth(['simulate', '--openb', 'n.csv', 'p.csv', '-o', 'json'], files);
    expect(jsonOf(out)).toMatchObject({ end: 'settled', pods: { scheduled: 1, deleted: 1 } });
    expect(Math.floor(jsonOf(out).simulatedSeconds)).toBe(70);
  });

  it('writes a page with plots that needs no other file', async () => {
    const { written } = await berth([...SIMULATE, '--report', 'out.html'], FILES);
    const page = written['out.html'] ?? '';
    expect(page).toMatch(/^<!doctype html>/);
    const { runs } = sectionOf(page, 'lines', 'Pods by phase');
    expect(runs[0]?.lines.map(({ name }) => name)).toContain('Running');
    expect(withoutProgram(page)).not.toMatch(/\ssrc=|href="[^#d]/);
  });
});

describe('berth simulate --compare', () => {
  const config = (strategy: string) => `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - {name: NodeResourcesFit, args: {scoringStrategy: {type: ${strategy}, resources: [{name: cpu, weight: 1}]}}}
`;
  const files = { ...FILES, 'a.yaml': config('LeastAllocated'), 'b.yaml': config('MostAllocated') };

  it('shows two configurations side by side', async () => {
    const { code, out } = await berth([...SIMULATE, '--compare', 'a.yaml', 'b.yaml'], files);
    expect(code).toBe(0);
    expect(out).toMatch(/^FIGURE\s+a\.yaml\s+b\.yaml\n/);
    expect(out).toMatch(/\npods succeeded\s+3\s+3\n/);
  });

  it('gives both as JSON', async () => {
    const { out } = await berth([...SIMULATE, '-o', 'json', '--compare', 'a.yaml', 'b.yaml'], files);
    expect(JSON.parse(out)).toMatchObject([{ config: 'a.yaml', end: 'settled' }, { config: 'b.yaml' }]);
  });
});

describe('berth simulate --seeds', () => {
  const job = `apiVersion: batch/v1
kind: Job
metadata: {name: work}
spec:
  completions: 12
  parallelism: 6
  template:
    metadata: {annotations: {berth.dev/run-duration: "uniform(30s, 90s)"}}
    spec: {restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: "2"}}}]}
`;
  const half = `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{plugins: {filter: {disabled: [{name: NodeResourcesFit}]}}}]
`;
  const faults = (at: string) => `apiVersion: berth.dev/v1alpha1
kind: Faults
faults: [{fault: nodeCrash, node: node-00001, at: ${at}}]
`;
  const files = {
    ...{ 'job.yaml': job, 'a.yaml': half.replace(/profiles.*/, 'profiles: [{}]'), 'b.yaml': half },
    ...{ 'early.yaml': faults('10s'), 'late.yaml': faults('5h') },
  };
  const argv = ['simulate', '-f', 'job.yaml', '--nodes', '2', '--shape', 'cpu=4'];

  it('says means, intervals, and whether a difference is due to chance', async () => {
    const { code, out, logged } = await berth([...argv, '--seeds', '1..6', '--compare', 'a.yaml', 'b.yaml'], files);
    expect(code).toBe(0);
    expect(logged.at(-1)).toBe('12 of 12 simulations: 2 variants, 6 seeds');
    const [titles, first, second] = out.split('\n');
    expect(titles).toMatch(/^FIGURE +VARIANT +RUNS +MEAN +95 % INTERVAL +AGAINST THE FIRST +P$/);
    expect(first).toMatch(/^all jobs done after +a\.yaml +6 +\S+s +\S+ \.\. \S+ +- +-$/);
    expect(second).toMatch(/^all jobs done after +b\.yaml +6 +\S+s +\S+ \.\. \S+ +-\d+\.\d% +0\.00\d+$/);
    expect(out).not.toContain('pods evicted');
    const json = await berth([...argv, '--seeds', '1..6', '--compare', 'a.yaml', 'b.yaml', '-o', 'json'], files);
    const { figures, runs } = JSON.parse(json.out);
    expect(runs.map(({ summaries }: { summaries: unknown[] }) => summaries.length)).toEqual([6, 6]);
    const ends = runs[0].summaries.map(({ jobs }: { jobs: { makespanSeconds: number } }) => jobs.makespanSeconds);
    const mean = ends.reduce((sum: number, each: number) => sum + each, 0) / 6;
    expect(figures[0]).toMatchObject({ figure: 'all jobs done after', variant: 'a.yaml', runs: 6, p: null });
    expect(figures[0].mean).toBeCloseTo(mean, 6);
  });

  it('runs plans of faults side by side, with configurations', async () => {
    const plans = ['--compare-faults', 'early.yaml', 'late.yaml'];
    const { out } = await berth([...argv, ...plans, '--compare', 'a.yaml', 'b.yaml', '--allow-pending'], files);
    const variants = [...out.matchAll(/^simulated time +(\S+ \S+) +1 /gm)].map(([, name]) => name);
    expect(variants).toEqual(['a.yaml early.yaml', 'a.yaml late.yaml', 'b.yaml early.yaml', 'b.yaml late.yaml']);
  });

  it.each([
    [['--seeds', '3..1'], '"3..1": the last seed is less than the first'],
    [['--seeds', '1..3', '--seed', '4'], "'--seeds <list>' cannot be used with option '--seed"],
    [['--seeds', '1..3', '--report', 'r.html'], "'--seeds <list>' cannot be used with option '--report"],
  ])('refuses %j', async (more, message) => {
    const { code, out, logged } = await berth([...argv, ...more], files);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(logged).toEqual([expect.stringContaining(message)]);
  });
});

describe('berth simulate --record and --replay', () => {
  it('replays a run as it was recorded, without its files', async () => {
    const { code, logged } = await berth(['simulate', '--replay', 'r.gz'], { 'r.gz': given(await recordPi()) });
    expect(code).toBe(0);
    expect(logged.at(-1)).toMatch(/^r\.gz: \d+ lines as recorded$/);
  });

  it('replays on another engine', async () => {
    const files = { 'r.gz': given(await recordPi()) };
    const { code } = await berth(['simulate', '--replay', 'r.gz', '--engine', 'reference'], files);
    expect(code).toBe(0);
  });

  it('names the first difference', async () => {
    const { gunzipSync, gzipSync } = await import('node:zlib');
    const text = gunzipSync(await recordPi()).toString();
    const forged = text.replace(/Running, on node-00000/, 'Running, on node-00009');
    const { code, logged } = await berth(['simulate', '--replay', 'r.gz'], { 'r.gz': given(gzipSync(forged)) });
    expect(code).toBe(2);
    const [difference, recorded, now] = logged.slice(-3);
    expect(difference).toMatch(/^r\.gz: line (\d+) of the event log is different, after \d+ lines as recorded$/);
    expect(recorded).toMatch(/^ {2}recorded: .*Running, on node-00009/);
    expect(now).toMatch(/^ {2}now: {6}.*Running, on node-00000/);
  });

  it('replays one that was cut off as far as it goes', async () => {
    const whole = await recordPi();
    const { code, logged } = await berth(['simulate', '--replay', 'r.gz'], { 'r.gz': given(whole.subarray(0, -300)) });
    expect(code).toBe(0);
    expect(logged.at(-1)).toMatch(/^r\.gz: \d+ lines as recorded$/);
  });
});

describe('berth simulate, interrupted', () => {
  it('prints what there is, and ends as Ctrl-C does', async () => {
    let interrupt = () => {};
    const { createFile, content } = keepingTerminal();
    const endless = workload(`  - {rate: 1/s, object: ${POD}}`);
    const argv = ['simulate', '--workload', 'w.yaml', '--nodes', '3', '--until', '100000h', '-o', 'json'];
    const { code, out } = await berth(
      [...argv, '--record', 'r.gz'],
      { 'w.yaml': endless },
      {
        createFile,
        onInterrupt: (listener) => {
          interrupt = listener;
          queueMicrotask(() => interrupt());
          return () => {};
        },
      },
    );
    expect(code).toBe(130);
    expect(jsonOf(out).end).toBe('interrupted');
    const replayed = await berth(['simulate', '--replay', 'r.gz'], { 'r.gz': given(content()) });
    expect(replayed.code).toBe(0);
    expect(replayed.logged.at(-1)).toBe(`r.gz: ${jsonOf(out).log.lines} lines as recorded`);
  });
});

describe('berth simulate, given nonsense', () => {
  it.each([
    [['-f', 'none.yaml'], 'error: none.yaml: no such file'],
    [['--nodes', '0'], "error: option '--nodes <number>' argument '0' is invalid. Expected a whole number"],
    [['--until', 'soon'], "error: option '--until <duration>' argument 'soon' is invalid. Expected a duration"],
    [['--shape', 'cpu=1'], 'error: --shape has no effect without --nodes, which says how many'],
    [['--openb', 'a.csv'], 'error: --openb takes two files, NODES.csv and PODS.csv, not 1'],
    [['--nodes', '1', '--compare', 'pi.yaml'], 'error: --compare takes two configurations, not 1'],
    [
      ['--compare', 'a', 'b', '--config', 'c'],
      "error: option '--compare <files...>' cannot be used with option '--config",
    ],
    [['--replay', 'r', '--nodes', '3'], "error: option '--replay <file>' cannot be used with option '--nodes"],
    [['--replay', 'pi.yaml'], 'error: pi.yaml: is not gzip-compressed'],
    [['--nodes', '1', '--faults', 'pi.yaml'], 'error: pi.yaml: '],
    [['--nodes', '1', '--config', 'pi.yaml'], 'error: pi.yaml: '],
  ])('%j', async (argv, message) => {
    const { code, logged, out } = await berth(['simulate', ...argv], FILES);
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(logged[0]).toContain(message);
  });
});
