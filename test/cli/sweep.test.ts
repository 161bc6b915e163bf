import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, it } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const contentOf = (name: string) => readFileSync(at(name), 'utf8');
const sweepArgs = (name: string, ...more: string[]) => [
  ...['sweep', '--kind', 'hetero', '--nodes', '20', '--pods', '40', '--tie-break', 'random', '--workers', '1'],
  ...['-o', at(name), ...more],
];

const GATES = 'GenericWorkload=true,GangScheduling=true';

describe('berth sweep', () => {
  it('writes its parameters and a line a run, and says how fast it was', async () => {
    const { code, out, logged } = await berth(sweepArgs('a', '--seeds', '3..5'));
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const [header, ...runs] = contentOf('a')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({
      format: 'berth-sweep',
      parameters: { kind: ['hetero'], nodes: [20], pods: [40], tieBreak: ['random'] },
      seeds: '3..5',
      runs: 3,
    });
    expect(runs.map(({ run, seed, config, scheduled }) => [run, seed, config, scheduled])).toEqual([
      [1, 3, undefined, 40],
      [2, 4, undefined, 40],
      [3, 5, undefined, 40],
    ]);
    expect(logged).toEqual([expect.stringMatching(/^3 of 3 runs, in \d+\.\d\d s \([\d.]+ runs\/s, workers 1\)$/)]);
  });

  it('goes on with a file from wherever it was cut off', async () => {
    const whole = contentOf('a');
    const second = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
    for (const cut of [10, second, second + 30]) {
      writeFileSync(at('cut'), whole.slice(0, cut));
      const { code, logged } = await berth(sweepArgs('cut', '--seeds', '3..5', '--resume'));
      expect(code).toBe(0);
      expect(logged[0]).toMatch(cut === 10 ? /^3 of 3 runs, in / : /^3 of 3 runs, 1 of them from before, in /);
      expect(contentOf('cut')).toBe(contentOf('a'));
    }
    // Nothing is left to do, and a file that is not there yet is begun.
    expect((await berth(sweepArgs('cut', '--seeds', '3..5', '--resume'))).logged[0]).toMatch(/^3 of 3 runs, 3 of them/);
    expect((await berth(sweepArgs('none', '--seeds', '3', '--resume'))).code).toBe(0);
    expect(existsSync(at('none'))).toBe(true);
  });

  it('runs every seed with every configuration', async () => {
    const config = (percentage: number) =>
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n' +
      `percentageOfNodesToScore: ${percentage}\n`;
    const files = { 'all.yaml': config(100), 'some.yaml': config(5) };
    const argv = [...sweepArgs('configs', '--seeds', '3,4', '--nodes', '150'), '--config', 'all.yaml', 'some.yaml'];
    expect((await berth(argv, files)).code).toBe(0);
    const [header, ...runs] = contentOf('configs')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header.parameters.config).toEqual(['all.yaml', 'some.yaml']);
    expect(header.files.map(({ name }: { name: string }) => name)).toEqual(['all.yaml', 'some.yaml']);
    expect(header.files[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(runs.map(({ config, seed }) => `${config} ${seed}`)).toEqual(
      ['all.yaml', 'some.yaml'].flatMap((name) => [`${name} 3`, `${name} 4`]),
    );
    expect(new Set(runs.map(({ hash }) => hash)).size).toBe(4);
  });

  const foreign =
    'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: mine}]\n';

  it.each<[what: string, argv: string[], message: RegExp]>([
    ['a file that is there', sweepArgs('a', '--seeds', '3..5'), /a: exists already; --resume goes on with it$/],
    ['other parameters', sweepArgs('a', '--seeds', '3..6', '--resume'), /a: is of another sweep: seeds "3\.\.5", not/],
    [
      'a file of something else',
      sweepArgs('text', '--seeds', '1', '--resume'),
      /text: was not written by berth sweep$/,
    ],
    ['a wrong seed', sweepArgs('b', '--seeds', '5..1'), /"5\.\.1": the last seed is less than the first\.$/],
    ['no seeds', sweepArgs('b'), /required option '--seeds <list>' not specified$/],
    ['a folder that is not there', sweepArgs('no/b', '--seeds', '1'), /no\/b: no such folder$/],
    ['pods of nobody', sweepArgs('b', '--seeds', '1', '--config', 'f.yaml'), /f\.yaml: profiles: none is for default-/],
  ])('refuses %s', async (_what, argv, message) => {
    writeFileSync(at('text'), 'kind: Node\n');
    const { code, logged } = await berth(argv, { 'f.yaml': foreign });
    expect(code).toBe(1);
    expect(logged).toEqual([expect.stringMatching(message)]);
    expect(existsSync(at('b'))).toBe(false);
  });

  it('stops on Ctrl-C with what is written, says so, and ends with 130', async () => {
    const interrupt = (listener: () => void) => {
      listener();
      return () => {};
    };
    const argv = sweepArgs('interrupted', '--seeds', '1..3');
    const { code, logged } = await berth(argv, {}, { onInterrupt: interrupt });
    expect(code).toBe(130);
    expect(logged[1]).toBe(`interrupted: 3 runs are missing, --resume goes on with ${at('interrupted')}`);
    expect((await berth([...argv, '--resume'])).code).toBe(0);
    expect(contentOf('interrupted').trimEnd().split('\n')).toHaveLength(4);
  });
});

/** Reading gives others their turn. */
async function linesIn(name: string): Promise<number> {
  const text = await readFile(at(name), 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}

describe('a sweep in shards', () => {
  const small = ['sweep', '--kind', 'basic,hetero', '--nodes', '5,6', '--pods', '9', '--seeds', '1..3'];
  const sweep = (...more: string[]) => runBuilt([...small, '--workers', '1', ...more], { cwd: folder });
  const merge = (...more: string[]) => berth(['sweep', 'merge', ...more]);

  it('is merged to the file of one machine, by whichever array the shards were run', async () => {
    const slurm = (id: number) => ({
      ...{ SLURM_ARRAY_TASK_ID: `${id}`, SLURM_ARRAY_TASK_MIN: '4', SLURM_ARRAY_TASK_COUNT: '3' },
    });
    const job = (index: number) => ({ JOB_COMPLETION_INDEX: `${index}` });
    const [whole, first, ...others] = await Promise.all([
      sweep('-o', 'whole.ndjson'),
      sweep('--shard', '1/3', '-o', 'part-{shard}.ndjson'),
      runBuilt([...small, '-o', 'part-{shard}.ndjson'], { cwd: folder, env: slurm(5) }),
      runBuilt([...small, '--shards', '3', '-o', '-'], { cwd: folder, env: job(2) }),
    ]);
    expect([whole, first, ...others].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(others[0]?.err).toMatch(/^shard 2 of 3, by SLURM_ARRAY_TASK_ID\n/);
    writeFileSync(at('part-3.ndjson'), others[1]?.out ?? '');
    const parts = [3, 1, 2].map((part) => at(`part-${part}.ndjson`));
    expect((await merge(...parts, '-o', 'merged.ndjson')).written['merged.ndjson']).toBe(contentOf('whole.ndjson'));
    const { code, logged } = await merge(...parts.slice(1), '-o', 'm.ndjson');
    expect({ code, logged }).toEqual({
      code: 1,
      logged: ['error: shard 3 of 3 missing: run again with --shard 3/3, or --resume'],
    });
  });

  it('gives the same table, as CSV and as Parquet', async () => {
    const parts = [1, 2, 3].map((part) => at(`part-${part}.ndjson`));
    expect((await sweep('-o', 'whole.csv')).code).toBe(0);
    expect((await sweep('-o', 'whole.parquet')).code).toBe(0);
    const csv = contentOf('whole.csv');
    expect((await merge(...parts, '-o', 'm.csv')).written['m.csv']).toBe(csv);
    const parquet = readFileSync(at('whole.parquet'));
    const merged = (await merge(...parts, '-o', 'm.parquet')).written['m.parquet'] ?? '';
    expect(Buffer.from(merged, 'latin1').equals(parquet)).toBe(true);
    const bytes = parquet.buffer.slice(parquet.byteOffset, parquet.byteOffset + parquet.length);
    const rows = await parquetReadObjects({ file: bytes });
    const [, ...lines] = contentOf('whole.ndjson').trimEnd().split('\n');
    const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : (value ?? undefined));
    const known = rows.map((row) => JSON.stringify(row, plain));
    expect(known).toEqual(lines);
    const [titles = '', ...cells] = csv.trimEnd().split('\n');
    expect(titles.split(',')).toEqual(Object.keys(rows[0] ?? {}));
    expect(cells).toHaveLength(12);
    expect(cells[3]).toMatch(/^4,1,basic,6,9,(?:,)*first,,placed,9,0,0,/);
  });

  it('is reported: means, intervals, and what differs between its values', async () => {
    const parts = [1, 2, 3].map((part) => at(`part-${part}.ndjson`));
    const report = (...more: string[]) => berth(['sweep', 'report', ...more]);
    const { out, code } = await report(...parts, '--by', 'nodes', '--figures', 'nodesInUse,utilisationPods');
    expect(code).toBe(0);
    const [title, , header, ...lines] = out.trimEnd().split('\n');
    expect(title).toBe('12 runs, seeds 1..3, 2 variants of nodes, compared with nodes=5');
    expect(header?.split(/ {3,}/)).toEqual([
      ...['FIGURE', 'VARIANT', 'RUNS', 'MEAN', '95 % INTERVAL', 'MIN', 'MAX'],
      ...['DIFFERENCE', '95 % INTERVAL', 'P', 'P OF ALL'],
    ]);
    const [, ...rows] = contentOf('whole.ndjson').trimEnd().split('\n');
    const expected = ['nodesInUse', 'utilisationPods'].flatMap((figure) =>
      [5, 6].map((nodes) => {
        const values = rows.map((row) => JSON.parse(row)).filter((row) => row.nodes === nodes);
        const mean = values.reduce((sum, row) => sum + row[figure], 0) / values.length;
        return [figure, `nodes=${nodes}`, '6', String(Number(mean.toPrecision(5)))];
      }),
    );
    expect(lines.map((line) => line.split(/ {3,}/).slice(0, 4))).toEqual(expected);
    const json = JSON.parse((await report(at('whole.ndjson'), '--by', 'nodes', '-o', 'json')).out);
    expect(json).toMatchObject({ runs: 12, confidence: 0.95, by: ['nodes'], baseline: 'nodes=5' });
    const csv = (await report(at('whole.ndjson'), '--by', 'nodes', '-o', 'csv')).out.trimEnd().split('\n');
    expect(csv).toHaveLength(1 + json.figures.length);
    const page = (await report(at('whole.ndjson'), '--report', 'p.html')).written['p.html'] ?? '';
    expect(page).toMatch(/^<!doctype html>.*<h1>Sweep<\/h1>.*utilisationPods.*<\/html>\n$/s);
    expect((await report(...parts.slice(1))).logged[0]).toMatch(/^error: shard 1 of 3 missing/);
    expect((await report(...parts, '--confidence', '2')).logged[0]).toMatch(/Expected a share such as 0\.95/);
  });

  it('runs everything that one machine runs, also from a plan that was saved', async () => {
    writeFileSync(at('nodes.yaml'), NODES + pod('a', '1'));
    writeFileSync(
      at('w.yaml'),
      'apiVersion: berth.dev/v1alpha1\nkind: Workload\narrivals:\n  - {at: 1s, object: {apiVersion: v1, kind: Pod, ' +
        'metadata: {name: p}, spec: {containers: [{name: c, image: c}]}}}\n',
    );
    writeFileSync(at('list.csv'), 'until,lose\n10s,\n20m,"x=y"\n');
    const run = (...argv: string[]) => runBuilt(['sweep', '--seeds', '1', '--workers', '1', ...argv], { cwd: folder });
    const simulated = ['-f', 'nodes.yaml', '--workload', 'w.yaml', '--list', 'list.csv'];
    const [placed, direct, saved] = await Promise.all([
      run('-f', 'nodes.yaml', '--vary', 'tie-break=first,random', '-o', 'placed.csv'),
      run(...simulated, '-o', 'direct.ndjson'),
      run(...simulated, '--save-plan', 'plan.gz'),
    ]);
    expect([placed.err, direct.err, saved.code]).toEqual([
      expect.stringMatching(/^2 of 2 runs/),
      expect.stringMatching(/^error: .*x=y/),
      1,
    ]);
    expect(contentOf('placed.csv').match(/first,,placed,1,0,0/g)).toHaveLength(1);
    writeFileSync(at('list.csv'), 'until,lose\n10s,\n20s,\n');
    const [again, plan] = await Promise.all([
      run(...simulated, '-o', 'direct.ndjson'),
      run(...simulated, '--save-plan', 'plan.gz'),
    ]);
    expect([again.code, plan.code]).toEqual([0, 0]);
    const planned = await runBuilt(['sweep', '--plan', 'plan.gz', '-o', 'planned.ndjson'], { cwd: folder });
    expect(planned.err).toMatch(/^2 of 2 runs/);
    expect(contentOf('planned.ndjson')).toBe(contentOf('direct.ndjson'));
    const rows = contentOf('planned.ndjson').trimEnd().split('\n').slice(1);
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      { until: '10s', end: 'until', scheduled: 2, simulatedSeconds: 10 },
      { until: '20s', end: 'until', scheduled: 2, simulatedSeconds: 20 },
    ]);
    await expect(run('--plan', 'plan.gz', '-o', 'x')).resolves.toMatchObject({ code: 1 });
  });

  it('simulates with the feature gates that are given', async () => {
    const group =
      'apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: g}\n' +
      'spec: {schedulingPolicy: {gang: {minCount: 2}}}\n---\n';
    const member =
      'kind: Pod\nmetadata: {name: p}\nspec: {schedulingGroup: {podGroupName: g}, containers: [{name: c, image: c}]}\n';
    writeFileSync(at('gang.yaml'), NODES + group + member);
    const argv = ['sweep', '--seeds', '1', '--workers', '1', '--simulate', '-f', 'gang.yaml', '--until', '1m'];
    const [gated, plain] = await Promise.all([
      runBuilt([...argv, '--feature-gates', GATES, '-o', 'gated.ndjson'], { cwd: folder }),
      runBuilt([...argv, '-o', 'plain.ndjson'], { cwd: folder }),
    ]);
    expect([gated.code, plain.code]).toEqual([0, 0]);
    const [header, row] = contentOf('gated.ndjson').trimEnd().split('\n');
    expect(JSON.parse(header ?? '')).toMatchObject({ inputs: { featureGates: { GangScheduling: true } } });
    expect(JSON.parse(row ?? '')).toMatchObject({ scheduled: 0 });
    expect(JSON.parse(contentOf('plain.ndjson').trimEnd().split('\n')[1] ?? '')).toMatchObject({ scheduled: 1 });
  });

  it.each<[argv: string[], message: string | RegExp]>([
    [['--feature-gates', GATES, '-o', 'x'], /the feature gate GenericWorkload needs --simulate/],
    [['--feature-gates', 'GangScheduling=true', '-o', 'x'], /but depends on features that are disabled/],
    [['--shards', '3', '-o', 'x'], /--shards has no effect outside of an array of tasks/],
    [['--shard', '1/2', '-o', 'x.csv'], /x\.csv: a \.csv file cannot be a shard/],
    [['-o', 'x.parquet', '--resume'], /x\.parquet: a \.parquet file cannot be resumed/],
    [['-o', '-', '--resume'], /--resume needs a file/],
    [['--shard', '4/3', '-o', 'x'], /"4\/3": there is no shard 4 of 3/],
    [['--vary', 'nods=1', '-o', 'x'], /nods: there is no such parameter \(known: kind, nodes, /],
    [['--vary', 'nodes=1', '-o', 'x'], /--vary nodes: its values are given twice/],
    [['--vary', 'tie-break=last', '-o', 'x'], /tieBreak: "last" is none of first, random, upstream/],
    [['--until', '5m', '-o', 'x'], /kind has no effect in a simulation/],
    [['-f', 'c', '-o', 'x'], /kind has no effect on the cluster of -f/],
    [['--recording', 'r', '-f', 'c', '--vary', 'lose=a', '-o', 'x'], /kind has no effect/],
  ])('refuses %j', async (argv, message) => {
    const { code, logged } = await berth([...small, ...argv], { c: NODES });
    expect(code).toBe(1);
    expect(logged).toEqual([expect.stringMatching(message)]);
  });
});

/** `npm test` builds it first. */
const BUILT = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

describe('berth sweep, as built', () => {
  const start = (argv: readonly string[]) => spawn(process.execPath, [BUILT, ...argv], { stdio: 'ignore' });
  const end = async (child: ChildProcess): Promise<[code: number | null, signal: string | null]> =>
    (await once(child, 'exit')) as [number | null, string | null];
  const argv = (name: string, ...more: string[]) => [
    ...['sweep', '--nodes', '100', '--pods', '200', '--seeds', '1..60', '--workers', '2', '-o', at(name), ...more],
  ];
  /** Waits until the process has written one more run behind the header and the runs before. */
  const grown = async (name: string, child: ChildProcess) => {
    const before = Math.max(await linesIn(name), 1);
    while (child.exitCode === null && (await linesIn(name)) <= before);
  };

  it('killed at any time and resumed gives the file of a sweep that ran through', async () => {
    expect(await end(start(argv('through')))).toEqual([0, null]);
    const through = contentOf('through');
    const lines = through.trimEnd().split('\n');
    expect(lines).toHaveLength(61);

    let kills = 0;
    for (let attempt = 0; attempt < 3; attempt++) {
      const child = start(argv('killed', '--resume'));
      await grown('killed', child);
      child.kill('SIGKILL');
      const [, signal] = await end(child);
      if (signal === 'SIGKILL') kills++;
      expect(through.startsWith(contentOf('killed'))).toBe(true);
    }
    expect(kills).toBeGreaterThan(0);
    expect(await end(start(argv('killed', '--resume')))).toEqual([0, null]);
    expect(contentOf('killed')).toBe(through);
  });

  it('ends with 130 on SIGINT, and can be resumed', async () => {
    const child = start(argv('stopped'));
    await grown('stopped', child);
    child.kill('SIGINT');
    expect(await end(child)).toEqual([130, null]);
    const stopped = contentOf('stopped');
    expect(contentOf('through').startsWith(stopped)).toBe(true);
    expect(stopped.endsWith('\n')).toBe(true);
    expect(await end(start(argv('stopped', '--resume')))).toEqual([0, null]);
    expect(contentOf('stopped')).toBe(contentOf('through'));
  });
});
