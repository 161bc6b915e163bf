import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const schedule = (input: string, ...argv: string[]) => runBuilt(['schedule', '-f', '-', ...argv], { input });
const misspelt = (name: string) =>
  pod(name, '1', 'nodeselector: {a: b}, tolerations: [{operator: Exists, keys: x}, {operator: Exists, keys: y}], ');

describe('unknown fields', () => {
  const input = NODES + misspelt('a') + misspelt('b');

  it('are named with their path, once for all objects', async () => {
    const [warned, refused, ignored] = await Promise.all([
      schedule(input),
      schedule(input, '--validate=strict'),
      schedule(input, '--validate', 'ignore'),
    ]);
    expect(warned.err.split('\n').slice(0, 2)).toEqual([
      'warning: unknown field "spec.nodeselector" (Pod default/a, and 1 more)',
      'warning: unknown field "spec.tolerations[0].keys" (Pod default/a, and 1 more)',
    ]);
    expect(warned.code).toBe(0);
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: 'error: stdin: Pod default/a: unknown field "spec.nodeselector"\n',
    });
    expect(ignored.err).toMatch(/^2 of 2 pods placed/);
  });
});

describe('unknown fields of a workload file', () => {
  const arriving = '{kind: Pod, metadata: {name: p}, spec: {nodeselector: {a: b}, containers: [{name: c}]}}';
  const folder = mkdtempSync(join(tmpdir(), 'berth-ignored-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'w.yaml'),
    `apiVersion: berth.dev/v1alpha1\nkind: Workload\narrivals: [{at: 1m, object: ${arriving}}]\n` +
      'changes: [{at: 2m, patch: {kind: Pod, metadata: {name: p}, specs: {}}}, {at: 3m, apply: new.yaml}]\n',
  );
  writeFileSync(join(folder, 'new.yaml'), pod('q', '1', 'nodename: x, '));
  const simulate = (...argv: string[]) =>
    runBuilt(['simulate', '--nodes', '1', '--until', '4m', '--workload', 'w.yaml', ...argv], { cwd: folder });

  it('are named, too', async () => {
    const [warned, refused, ignored] = await Promise.all([
      simulate(),
      simulate('--validate=strict'),
      simulate('--validate=ignore'),
    ]);
    expect(warned.err.split('\n').slice(0, 3)).toEqual([
      'warning: w.yaml: unknown field "spec.nodeselector" (arrivals[0].object)',
      'warning: w.yaml: unknown field "specs" (changes[0].patch)',
      'warning: new.yaml: unknown field "spec.nodename" (Pod default/q)',
    ]);
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      err: 'error: w.yaml: arrivals[0].object: unknown field "spec.nodeselector"\n',
    });
    expect(ignored.err).toMatch(/^simulated 4m0s/);
  });
});

describe('what Berth does not evaluate', () => {
  it('is named', async () => {
    const input =
      NODES +
      pod('elsewhere', '1', 'schedulerName: volcano, ') +
      pod('claimed', '1', 'volumes: [{name: v, persistentVolumeClaim: {claimName: data}}], ') +
      pod('gang', '100m', 'schedulingGroup: {podGroupName: x}, ') +
      pod('sandboxed', '100m', 'runtimeClassName: gvisor, ');
    const { err } = await schedule(input);
    for (const line of [
      'spec.schedulingGroup of 1 pod is ignored (--feature-gates GenericWorkload=true,GangScheduling=true)',
      'spec.runtimeClassName of 1 pod: RuntimeClasses are not read: overhead and nodeSelector are missing',
      '1 claim is not in the input: their pods cannot be placed ' +
        '(Pod default/claimed uses PersistentVolumeClaim default/data)',
      'passed over pods that ask for another scheduler (spec.schedulerName): 1 volcano',
    ]) {
      expect(err).toContain(`warning: ${line}\n`);
    }
  });
});

describe('annotations under berth.dev/', () => {
  it.concurrent.each([
    ['berth.dev/run-duratoin: 1s', /metadata\.annotations\[berth\.dev\/run-duratoin\]: unknown annotation \(known: /],
    ['berth.dev/run-duration: soon', /metadata\.annotations\[.*\]: "soon" is not a duration or distribution: /],
    ['berth.dev/exit-codes: "0,256"', /"0,256" is not a list of exit codes, such as 1,1,0$/m],
    ['berth.dev/memory-use: 1Gx', /"1Gx" is not a quantity$/m],
    ['berth.dev/run-duration.other: 1s', /there is no container "other"$/m],
  ])('%s is refused', async (annotation, message) => {
    const input = NODES + pod('a', '1').replace('{name: a}', `{name: a, annotations: {${annotation}}}`);
    const { code, out, err } = await schedule(input);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: stdin: Pod default\/a: .*\n$/);
    expect(err).toMatch(message);
  });

  it('may be for one container', async () => {
    const annotations = '{berth.dev/run-duration.c: "uniform(1s, 2s)", berth.dev/memory-use: 1Gi}';
    const { code } = await schedule(
      NODES + pod('a', '1').replace('{name: a}', `{name: a, annotations: ${annotations}}`),
    );
    expect(code).toBe(0);
  });
});

describe('flags without an effect', () => {
  it.concurrent.each([
    [['schedule', '-k', 'x', '-R'], '--recursive has no effect without -f'],
    [['schedule', '-f', '-', '--nodes'], '--nodes has no effect without --explain, and a table'],
    [
      ['schedule', '-f', '-', '-o=json', '--no-headers'],
      '--no-headers has no effect without a table (-o table, -o wide)',
    ],
    [['schedule', '-f', '-', '--trace-events', '5'], '--trace-events has no effect without --trace'],
    [['bench', '--budget', '5'], '--budget has no effect without --suite'],
    [['bench', '--tour', '--pods', '5'], '--pods has no effect without a benchmark of its own (not --tour, not -f)'],
    [['bench', '--workload', 'x'], '--workload has no effect without --perf-config'],
  ])('%j', async (argv, message) => {
    expect(await runBuilt(argv)).toEqual({ code: 1, out: '', err: `error: ${message}\n` });
  });
});
