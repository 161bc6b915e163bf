import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, it } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-'));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const contentOf = (name: string) => readFileSync(at(name), 'utf8');

const GATES = 'GenericWorkload=true,GangScheduling=true';

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
});
