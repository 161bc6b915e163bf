import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';
import { runBuilt } from './run-built.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-every-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const deployment = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "${image}", resources: {requests: {cpu: 100m}}}]}
---
`;
mkdirSync(path('tree/deeper'), { recursive: true });
writeFileSync(path('tree/nodes.yaml'), NODES);
writeFileSync(path('tree/deeper/web.yml.gz'), gzipSync(deployment('web:1')));
writeFileSync(path('secret.yaml'), `${NODES}apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n`);
writeFileSync(path('typo.yaml'), NODES + pod('a', '1', 'nodeSelektor: {a: b}, '));
writeFileSync(path('v2.yaml'), deployment('web:2'));
writeFileSync(
  path('rollout.yaml'),
  'apiVersion: berth.dev/v1alpha1\nkind: Workload\nchanges:\n  - {at: 5m, apply: v2.yaml}\n',
);

describe('--help of every command', () => {
  it('has examples whose flags there are, and says what files are like', async () => {
    const { out } = await runBuilt(['--help']);
    const names = [...out.matchAll(/^ {2}([a-z][a-z-]+)(?= |$)/gm)].map(([, name]) => name as string);
    const commands = [...names.filter((name) => name !== 'help'), 'bench compare', 'sweep merge', 'sweep report'];
    expect(commands).toEqual(expect.arrayContaining(['schedule', 'bench', 'simulate', 'sweep', 'serve', 'completion']));
    const helps = await Promise.all(commands.map(async (name) => (await berth([...name.split(' '), '--help'])).out));
    for (const [i, name] of commands.entries()) {
      const help = helps[i] as string;
      const [, examples = ''] = help.split(/^Examples?:\n/m);
      expect(examples, `${name} --help`).toContain(`berth ${name}`);
      const own = new RegExp(`berth ${name}\\b([^\\n|&>]*)`, 'g');
      const flags = [...examples.matchAll(own)].flatMap(([, rest = '']) => rest.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? []);
      for (const flag of flags) expect(help, `${name} ${flag}`).toMatch(new RegExp(`(?:^|\\s)${flag}[\\s,]`, 'm'));
      if (/--filename/.test(help)) expect(help).toMatch(/Files are YAML/);
    }
  });
});

describe('flags that have no effect together', () => {
  it.each([
    [['simulate', '--nodes', '1', '-R'], '--recursive has no effect without -f'],
    [['simulate', '--nodes', '1', '--strict'], '--strict has no effect without -f or -k'],
    [['simulate', '--nodes', '1', '--validate', 'ignore'], '--validate has no effect without -f or -k'],
    [['simulate', '-f', 'x', '--shape', 'cpu=1'], '--shape has no effect without --nodes, which says how many'],
    [['simulate', '--nodes', '1', '--errors', '-o', 'json'], '--errors has no effect without a table'],
    [
      ['simulate', '--nodes', '1', '--engine', 'reference', '--index', 'off'],
      '--index has no effect without an engine',
    ],
    [['simulate', '--replay', 'x', '--seed', '3'], "option '--replay <file>' cannot be used with option '--seed"],
    [
      ['simulate', '--replay', 'x', '--tie-break', 'random'],
      "'--replay <file>' cannot be used with option '--tie-break",
    ],
    [['simulate', '--replay', 'x', '--allow-pending'], "cannot be used with option '--allow-pending'"],
    [['sweep', '--seeds', '1', '-o', 'x', '--engine', 'reference', '--index', 'off'], '--index has no effect without'],
    [['serve', '--shape', 'cpu=1'], '--shape has no effect without --nodes, which says how many'],
    [['bench', '--engine', 'reference', '--workers', '2'], '--workers has no effect without an engine with kernels'],
    [['bench', '--phases', '-o', 'gobench'], '--phases has no effect without a table or JSON'],
    [['bench', '-f', 'x', '--seed', '3'], '--seed has no effect without a synthetic cluster, or --tie-break random'],
    [['schedule', '-f', 'x', '--seed', '3'], '--seed has no effect without --tie-break random'],
  ] as const)('are an error: %j', async (argv, message) => {
    const { code, out, logged } = await berth(argv, { x: NODES });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(logged).toEqual([expect.stringContaining(`error: ${message.startsWith('--') ? message : ''}`)]);
    expect(logged[0]).toContain(message);
  });
});

describe('berth simulate, as built', () => {
  const simulate = (...argv: string[]) => runBuilt(['simulate', '--until', '10m', ...argv], { cwd: folder });

  it('reads folders, refuses or names what it does not know, and records it all', async () => {
    const [flat, deep, named, unknown, typo, refused, silent] = await Promise.all([
      simulate('-f', 'tree'),
      simulate('-R', '-f', 'tree', '--record', 'run.gz'),
      simulate('-f', 'secret.yaml'),
      simulate('-f', 'secret.yaml', '--strict'),
      simulate('-f', 'typo.yaml'),
      simulate('-f', 'typo.yaml', '--validate', 'strict'),
      simulate('-f', 'typo.yaml', '--validate', 'ignore'),
    ]);
    expect(flat.out).toMatch(/^pods created +0$/m);
    expect(deep.out).toMatch(/^pods running at the end +2$/m);
    expect(named.err).toMatch(/^warning: left out 1 object of 1 kind: 1 Secret\n/);
    expect({ code: unknown.code, out: unknown.out }).toEqual({ code: 1, out: '' });
    expect(unknown.err).toMatch(/^error: secret\.yaml: .*kind "Secret" is not supported .*\n$/);
    expect(typo.err).toMatch(/^warning: .*spec\.nodeSelektor.*\n/);
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^error: typo\.yaml: Pod default\/a: .*spec\.nodeSelektor.*\n$/);
    expect(silent.err).not.toContain('warning');
    const replay = await runBuilt(['simulate', '--replay', 'run.gz'], { cwd: folder });
    expect([replay.code, replay.err]).toEqual([0, expect.stringMatching(/run\.gz: \d+ lines as recorded\n$/)]);
  });

  it('updates a Deployment at its time, and says so in the event log', async () => {
    const { code } = await simulate('-R', '-f', 'tree', '--workload', 'rollout.yaml', '--record', 'update.gz');
    expect(code).toBe(0);
    const { gunzipSync } = await import('node:zlib');
    const log = gunzipSync(readFileSync(path('update.gz'))).toString();
    const scaled = log.match(/00:0[05]:\d\d\.\d+Z recorded Normal ScalingReplicaSet of Deployment default\/web/g) ?? [];
    expect(scaled.map((line) => line.slice(0, 5))).toEqual(['00:00', ...Array(4).fill('00:05')]);
  });
});
