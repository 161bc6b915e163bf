import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const template = (app: string) =>
  `template: {metadata: {labels: {app: ${app}}}, spec: {containers: [{name: c, resources: {requests: {cpu: 100m}}}]}}`;
const workload = (kind: string, name: string, more = '') =>
  `kind: ${kind}\nmetadata: {name: ${name}}\n` +
  `spec: {selector: {matchLabels: {app: ${name}}}, ${more}${template(name)}}\n---\n`;
const TASK = 'template: {spec: {restartPolicy: Never, containers: [{name: c}]}}';
const LONG = `template: {metadata: {annotations: {berth.dev/run-duration: 10h}}, spec: ${TASK.slice(17, -1)}}`;

/** One workload of each kind, of which the Deployment has one of its pods, and the StatefulSet its second. */
const WORKLOADS =
  workload('Deployment', 'web', 'replicas: 2, ') +
  workload('ReplicaSet', 'set', 'replicas: 2, ') +
  workload('StatefulSet', 'db', 'replicas: 3, serviceName: db, ') +
  workload('DaemonSet', 'agent') +
  `kind: Job\nmetadata: {name: work}\nspec: {completions: 3, parallelism: 2, ${LONG}}\n---\n` +
  `kind: CronJob\nmetadata: {name: nightly}\nspec: {schedule: "0 3 * * *", jobTemplate: {spec: {${TASK}}}}\n---\n` +
  `kind: PodTemplate\nmetadata: {name: bare}\n${template('bare')}\n---\n` +
  pod('first', '500m') +
  pod('db-1', '100m').replace('{name: db-1}', '{name: db-1, labels: {app: db}}');
const input = NODES + WORKLOADS;

/** Pods without what is drawn of their names. */
const kindsOf = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => (line.split(/ {2,}/)[1] ?? line).replace(/^pod\//, '').replace(/(-[a-z0-9]+)?-[a-z0-9]{5}$/, ''));

describe('berth schedule', () => {
  const schedule = (...argv: string[]) => runBuilt(['schedule', '-f', '-', ...argv], { input });

  it('places the pods that workloads lack, after those of the input', async () => {
    const { code, out, err } = await schedule('-o', 'name');
    expect(code).toBe(0);
    expect(kindsOf(out)).toEqual([
      ...['first', 'db-1', 'web', 'web', 'set', 'set', 'db-0', 'db-2', 'agent', 'agent', 'work', 'work'],
      ...['nightly', 'bare'],
    ]);
    expect(err).toMatch(/^warning: made 12 pods that workloads lack \(--no-expand: none\)\n14 of 14 pods placed/);
  });

  it('puts pods of a DaemonSet where its controller would', async () => {
    const { out } = await schedule('-o', 'json', '-q');
    const { placements } = JSON.parse(out) as { placements: { name: string; node: string }[] };
    const nodes = placements.filter(({ name }) => name.startsWith('agent-')).map(({ node }) => node);
    expect(nodes.sort()).toEqual(['n1', 'n2']);
  });

  it('makes none with --no-expand', async () => {
    const { code, out, err } = await schedule('--no-expand', '-o', 'name');
    expect([code, kindsOf(out)]).toEqual([0, ['first', 'db-1']]);
    expect(err).toMatch(
      /^warning: left out 5 objects of 5 kinds: 1 CronJob, 1 DaemonSet, 1 Deployment, 1 Job, 1 PodTemplate\n2 of 2 /,
    );
  });

  it('names what is wrong with a workload', async () => {
    const wrong = NODES + workload('Deployment', 'web', 'replicas: many, ');
    const { code, out, err } = await runBuilt(['schedule', '-f', '-'], { input: wrong });
    expect([code, out]).toEqual([1, '']);
    const reason = 'spec.replicas: must be an integer, not the string "many"';
    expect(err).toBe(`error: stdin: Deployment default/web: ${reason}\n`);
  });
});

describe('berth bench', () => {
  it('measures the pods of workloads, too', async () => {
    const argv = ['bench', '-f', '-', '--engine', 'simd', '--repeat', '1', '-o', 'json'];
    const runs = await Promise.all([argv, [...argv, '--no-expand']].map((each) => runBuilt(each, { input })));
    expect(runs.map(({ out }) => JSON.parse(out).results[0].pods)).toEqual([14, 2]);
  });
});

describe('berth sweep', () => {
  it('places the pods of workloads, too', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'berth-workloads-'));
    writeFileSync(join(cwd, 'c.yaml'), input);
    const argv = ['sweep', '-f', 'c.yaml', '--seeds', '1', '--workers', '1'];
    const runs = [argv, [...argv, '--no-expand'], [...argv, '--simulate', '--until', '1m', '--no-expand']];
    const ends = await Promise.all(runs.map((each, i) => runBuilt([...each, '-o', `${i}.ndjson`], { cwd })));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    const rows = runs.map((_, i) => JSON.parse(readFileSync(join(cwd, `${i}.ndjson`), 'utf8').split('\n')[1] ?? ''));
    expect(rows.map((row) => row.scheduled ?? row.podsScheduled)).toEqual([14, 2, 2]);
    rmSync(cwd, { recursive: true });
  });
});

describe('berth simulate', () => {
  const simulate = (...argv: string[]) =>
    runBuilt(['simulate', '-f', '-', '--until', '3h30m', '-o', 'json', ...argv], { input });

  it('has controllers that make the pods of workloads, and run them', async () => {
    const { code, out, err } = await simulate();
    const { pods, jobs } = JSON.parse(out);
    // Two pods of the input, two of each set, two of the Job, one of the CronJob at three. The StatefulSet adopts db-1,
    // and replaces it because it is of no revision.
    expect({ code, pods }).toMatchObject({ code: 0, pods: { created: 14, running: 12, succeeded: 1 } });
    expect(jobs).toMatchObject({ created: 2, complete: 1 });
    expect(err).toMatch(/^warning: left out 1 object of 1 kind: 1 PodTemplate\n/);
  });

  it('has none of them with --no-expand', async () => {
    const { code, out } = await simulate('--no-expand');
    expect({ code, pods: JSON.parse(out).pods }).toMatchObject({ code: 0, pods: { created: 2, running: 2 } });
    const endless = await runBuilt(['simulate', '-f', '-', '--no-expand', '-o', 'json'], { input });
    expect(JSON.parse(endless.out)).toMatchObject({ end: 'settled', pods: { running: 2 } });
  });

  it('says which workloads no controller runs', async () => {
    const rc = `kind: ReplicationController\nmetadata: {name: rc}\nspec: {${template('rc')}}\n`;
    const { err } = await runBuilt(['simulate', '-f', '-', '--until', '1m'], { input: NODES + rc });
    expect(err).toMatch(
      /^warning: 1 ReplicationController gets no more pods: a simulation has no controller for them\n/,
    );
  });
});
