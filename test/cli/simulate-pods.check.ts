import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faults, workload } from '../simulation/simulate-text.ts';
import { NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ZONES = 'examples/simulation/three-zones.yaml';

/** Runs the built command beside these files. */
async function berth(argv: readonly string[], files: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(tmpdir(), 'berth-pods-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    const { code, out, err } = await runBuilt(argv, { cwd });
    const written = readdirSync(cwd).filter((name) => !(name in files));
    const contents = Object.fromEntries(written.map((name) => [name, readFileSync(join(cwd, name), 'utf8')]));
    return { code, out, logged: err.trimEnd().split('\n'), written: contents };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

describe('the loss of a zone', () => {
  it('costs nothing where everything fits elsewhere, besides DaemonSets', async () => {
    const argv = ['simulate', '-f', 'z.yaml', '--lose', 'zone=b', '--until', '1h', '-o', 'json'];
    const file = readFileSync(`${ROOT}${ZONES}`, 'utf8');
    // Without the pods that need a zone each, a disk in a zone, or a hand.
    const documents = file.split('---\n').filter((text) => !/name: (gate|db|by-hand|zonal),?/.test(text));
    const { code, out } = await berth(argv, { 'z.yaml': documents.join('---\n') });
    const { open, pods } = JSON.parse(out);
    expect(code).toBe(0);
    expect(open).toEqual({
      ...{ notScheduled: [], notStarted: [], notReady: [], lost: [], missing: [] },
      withTheirNode: [{ reason: 'their node does not answer', count: 2, pods: expect.any(Array) }],
    });
    // Of four pods and six of the DaemonSet, those on lost nodes do not count as running.
    expect(pods).toMatchObject({ running: 8, pending: 0 });
  });
});

describe('pods that do not run at the end', () => {
  const FILES = {
    'c.yaml':
      NODES +
      pod('big', '9') +
      pod('huge', '99') +
      pod('gated', '1', 'schedulingGates: [{name: wait}], ') +
      'kind: Pod\nmetadata: {name: slow, annotations: {berth.dev/pull-duration: 10h}}\n' +
      'spec: {containers: [{name: c, image: big}]}\n',
  };
  const argv = ['simulate', '-f', 'c.yaml', '--until', '10m'];

  it('are listed by reason, those that were scheduled apart', async () => {
    const { code, out } = await berth(argv, FILES);
    expect(code).toBe(2);
    expect(out).toContain(
      '3 pods not scheduled:\n' +
        '  2 pods: 2 Insufficient cpu\n    default/big, default/huge\n' +
        '  1 pod: Scheduling is blocked due to non-empty scheduling gates\n    default/gated\n',
    );
    expect(out).toContain('1 pod scheduled, but not started:\n  1 pod: ContainerCreating\n    default/slow\n');
    // Pods that still wait count up to the end.
    expect(out).toMatch(/scheduling latency +p50 10m0s, .* \(3 still waiting, counted up to the end\)/);
  });

  it('are no failure for who allows it', async () => {
    expect((await berth([...argv, '--allow-pending'], FILES)).code).toBe(0);
  });
});

describe('a run that can show nothing new', () => {
  it('ends soon, and says why: pods on a lost node end never', async () => {
    const job =
      'kind: Job\nmetadata: {name: j}\nspec: {template: {metadata: {annotations: {berth.dev/run-duration: 2h}},' +
      ' spec: {restartPolicy: Never, nodeName: n1, containers: [{name: c}]}}}\n';
    const files = { 'c.yaml': NODES + job, 'f.yaml': faults('  - {fault: nodeCrash, at: 1m, node: n1}') };
    const { code, out } = await berth(['simulate', '-f', 'c.yaml', '--faults', 'f.yaml', '-o', 'json'], files);
    const { end, reason, simulatedSeconds } = JSON.parse(out);
    expect([code, end]).toEqual([2, 'stuck']);
    expect(reason).toMatch(/^nothing has changed for 15m after that, .*1 Jobs that are not finished$/);
    expect(simulatedSeconds).toBeLessThan(2 * 3600);
  });

  it('shows one duration', async () => {
    const { out, logged } = await berth(['simulate', '-f', 'c.yaml'], { 'c.yaml': NODES + pod('p', '1') });
    const [, duration = ''] = /ended +settled after (\S+) \(nothing has changed for 15m after that\)/.exec(out) ?? [];
    expect(logged.at(-1)).toContain(`simulated ${duration} in `);
  });
});

describe('figures', () => {
  it('are those of ready nodes, with what was lost', async () => {
    const files = {
      'c.yaml': NODES + pod('a', '1', 'nodeName: n1, ') + pod('b', '1', 'nodeName: n2, '),
      'f.yaml': faults('  - {fault: nodeCrash, at: 10m, node: n1}'),
    };
    const argv = ['simulate', '-f', 'c.yaml', '--faults', 'f.yaml', '--until', '20m', '-o', 'json'];
    const { out, written } = await berth([...argv, '--report', 'r.html'], files);
    expect(written['r.html']).toContain('Resources of ready nodes, of all');
    const { pods, nodes, nodesNotReady, capacity, utilisation } = JSON.parse(out);
    expect({ nodes, nodesNotReady, running: pods.running, unreachable: pods.unreachable }).toEqual({
      ...{ nodes: 2, nodesNotReady: 1, running: 1, unreachable: 1 },
    });
    expect(capacity).toMatchObject({ cpu: { left: 2, lost: 2, mostLost: 2 } });
    // Half of each ready node is requested before and after.
    expect(utilisation.cpu).toEqual({ average: 0.5, peak: 0.5 });
  });

  it('list the errors that stopped nothing by kind', async () => {
    const object = '{kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}';
    const arrivals = [0, 1, 2].map((at) => `  - {at: ${at}s, object: ${object}}`).join('\n');
    const argv = ['simulate', '--nodes', '1', '--workload', 'w.yaml', '--errors'];
    const { out } = await berth(argv, { 'w.yaml': workload(arrivals) });
    expect(out).toMatch(/\nerrors reported +2\n/);
    expect(out).toContain('  2 times, submit pods p: pods "p" already exists\n');
  });
});

describe('berth simulate refuses', () => {
  it.each([
    [[], 'nothing to simulate: give objects (-f), --nodes, --workload or a trace'],
    [['--until', '1h'], 'nothing to simulate'],
    [['--nodes', '2', '--faults', 'f.yaml'], 'f.yaml: faults[0]: there is no node "n9" in the input'],
    [['--nodes', '2', '--faults', 'g.yaml'], 'g.yaml: faults[0]: no node in the input has the label zone=q'],
    [['--nodes', '2', '--faults', 'h.yaml'], 'h.yaml: faults[0].nodes: cannot be set together with node'],
    [['--nodes', '2', '--lose', 'zone=q'], '--lose zone=q: no node has such labels in the input'],
    [['--nodes', '2', '--lose', 'q'], '--lose q: there is no node "q" in the input'],
    [['--nodes', '2', '--lose', 'node-00000,q'], '--lose node-00000,q: there is no node "q" in the input'],
    [['--nodes', '2', '--lose', 'zone=('], '--lose zone=(: found "(", expected'],
    [['--nodes', '2', '--lose', ''], '--lose: is empty: expected names of nodes, or labels'],
    [['-f', 'cron.yaml'], 'cron.yaml: CronJob default/c: makes Jobs for ever: --until must say when to stop'],
    [['-f', 'bad.yaml'], 'bad.yaml: CronJob default/c: spec.schedule: bad schedule "often"'],
  ])('%j', async (argv, message) => {
    const cron = (schedule: string) =>
      `kind: CronJob\nmetadata: {name: c}\nspec: {schedule: "${schedule}", jobTemplate: {spec: {template: ` +
      '{spec: {restartPolicy: Never, containers: [{name: c}]}}}}}\n';
    const files = {
      'f.yaml': faults('  - {fault: nodeCrash, at: 1m, node: n9}'),
      'g.yaml': faults('  - {fault: networkPartition, at: 1m, nodes: {zone: q}}'),
      'h.yaml': faults('  - {fault: networkPartition, at: 1m, node: a, nodes: {zone: q}}'),
      'cron.yaml': cron('@hourly'),
      'bad.yaml': cron('often'),
    };
    const { code, logged, out } = await berth(['simulate', ...argv], files);
    expect([code, out]).toEqual([1, '']);
    expect(logged[0]).toContain(`error: ${message}`);
  });
});

it('runs a CronJob until the end that is asked for', async () => {
  const cron =
    'kind: CronJob\nmetadata: {name: c}\nspec: {schedule: "*/10 * * * *", jobTemplate: {spec: {template: ' +
    '{spec: {restartPolicy: Never, containers: [{name: c}]}}}}}\n';
  const argv = ['simulate', '-f', 'c.yaml', '--nodes', '1', '--until', '61m', '-o', 'json'];
  const { code, out } = await berth(argv, { 'c.yaml': cron });
  expect(code).toBe(0);
  expect(JSON.parse(out).jobs).toMatchObject({ created: 6, complete: 6 });
});
