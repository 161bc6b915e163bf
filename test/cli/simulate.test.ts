import { describe, expect, it } from 'vitest';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import type { SimulationSummary } from '../../src/simulation/summary.ts';
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
    expect(page.match(/<svg /g)).toHaveLength(2);
    expect(page).toContain('Pods by phase');
    expect(page).not.toMatch(/(?:src|href)=/);
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
