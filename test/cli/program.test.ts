import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { OutputClosed } from '../../src/cli/terminal/terminal.ts';
import { berth, NODES, pod } from './run-berth.ts';

describe('berth schedule', () => {
  const files = {
    'c.yaml': NODES + pod('a', '1') + pod('b', '1', 'nodeName: n1, ') + pod('c', '500m'),
    'big.yaml': pod('big', '9'),
  };

  it('prints placements and exits 0 when all are placed', async () => {
    const { code, out, logged } = await berth(['schedule', '-f', 'c.yaml'], files);
    expect(code).toBe(0);
    expect(out).toBe(
      'NAMESPACE   POD   STATUS      NODE   MESSAGE\n' +
        'default     a     scheduled   n2\n' +
        'default     c     scheduled   n1\n',
    );
    expect(logged.at(-1)).toMatch(/^2 of 2 pods placed on 2 nodes, 0 not placed, in \d+\.\d\d s \(engine simd\)$/);
  });

  it('exits 2 and says why when a pod does not fit, from several files', async () => {
    const { code, out } = await berth(['schedule', '-f', 'c.yaml', '-f', 'big.yaml', '-o', 'wide'], files);
    expect(code).toBe(2);
    const big = out.split('\n').find((line) => line.includes(' big '));
    expect(big).toMatch(/unschedulable +<none> +- +- +- +0\/2 nodes are available: 2 Insufficient cpu\./);
    expect(out.split('\n')[1]).toMatch(/^default +a +scheduled +n2 +\d+ +2 +1$/);
  });

  it.each(['simd', 'scalar', 'reference'])('speaks JSON and YAML, alike on every engine (%s)', async (engine) => {
    const argv = ['schedule', '-f', 'c.yaml', 'big.yaml', '--engine', engine, '-o'];
    const json = JSON.parse((await berth([...argv, 'json'], files)).out);
    expect(json.summary).toEqual({
      pods: 3,
      scheduled: 2,
      unschedulable: 1,
      gated: 0,
      notResponsible: 0,
      error: 0,
      preempted: 0,
    });
    expect(json.placements.map((placement: { node: string | null }) => placement.node)).toEqual(['n2', 'n1', null]);
    expect(parse((await berth([...argv, 'yaml'], files)).out)).toEqual(json);
  });

  it('explains a pod at its turn: reasons and scores for every node', async () => {
    const { out } = await berth(['schedule', '-f', 'c.yaml', '--explain', 'default/c', '--nodes'], files);
    const explanation = out.slice(out.indexOf('Pod default/c: scheduled'));
    expect(explanation).toMatch(/best: n1, n2/);
    expect(explanation).toMatch(/^NODE +TOTAL +BEST +.*NODERESOURCESFIT/m);
    expect(explanation).toMatch(/^n2 +\d+ +\* .*\d+>\d+>\d+/m);
    const big = await berth(['schedule', '-f', 'c.yaml', 'big.yaml', '--explain', 'big'], files);
    expect(big.out).toMatch(/^2 +n1 .*NodeResourcesFit \(\w+\): Insufficient cpu$/m);
  });

  it('refuses to explain what is not there, not pending, or not clear', async () => {
    const twice = { 'c.yaml': NODES + pod('a', '1') + pod('a', '1').replace('name: a', 'name: a, namespace: x') };
    const explain = async (name: string, input: Record<string, string>) =>
      (await berth(['schedule', '-f', 'c.yaml', '--explain', name], input)).logged;
    expect(await explain('zz', files)).toEqual(['error: --explain zz: there is no such pod in the input']);
    expect(await explain('b', files)).toEqual(['error: --explain b: pod default/b is on node n1 already']);
    expect((await explain('a', twice))[0]).toMatch(/several pods have this name \(default\/a, x\/a\)/);
  });

  it('passes over finished, deleted and foreign pods, and says so', async () => {
    const input =
      NODES +
      pod('done', '9').replace('---\n', 'status: {phase: Failed}\n---\n') +
      pod('gone', '9').replace('name: gone', 'name: gone, deletionTimestamp: "2026-01-01T00:00:00Z"') +
      pod('other', '9', 'schedulerName: other, ');
    const { code, out, logged } = await berth(['schedule', '-f', 'c.yaml'], { 'c.yaml': input });
    expect(code).toBe(0);
    expect(out).toBe('NAMESPACE   POD   STATUS   NODE   MESSAGE\n');
    expect(logged.slice(0, 2)).toEqual([
      'warning: passed over 1 pending pods that are being deleted',
      'warning: passed over pods that ask for another scheduler (spec.schedulerName): 1 other',
    ]);
  });

  it('draws ties from the seed', async () => {
    const input = { 'c.yaml': NODES + Array.from({ length: 8 }, (_, i) => pod(`p${i}`, '100m')).join('') };
    const draw = async (seed: string) =>
      (await berth(['schedule', '-f', 'c.yaml', '--tie-break', 'random', '--seed', seed], input)).out;
    expect(await draw('5')).toBe(await draw('5'));
    expect(new Set(await Promise.all(['1', '2', '3', '4'].map(draw))).size).toBeGreaterThan(1);
  });
});

describe('errors', () => {
  const bad = {
    'bad.yaml': NODES + pod('web-1', '10Gi i'),
    'broken.yaml': 'kind: [',
    'svc.json': '{"kind":"ConfigMap"}',
  };

  it.each<[string[], RegExp]>([
    [
      ['schedule', '-f', 'bad.yaml'],
      /^error: bad\.yaml: Pod default\/web-1: spec\.containers.*requests\.cpu: malformed quantity "10Gi i"/,
    ],
    [['schedule', '-f', 'broken.yaml'], /^error: broken\.yaml:1:\d+: malformed YAML/],
    [
      ['schedule', '-f', 'svc.json'],
      /^error: svc\.json: holds no object that scheduling reads \(left out 1 object of 1 kind: 1 ConfigMap\)$/,
    ],
    [['schedule', '--strict', '-f', 'svc.json'], /^error: svc\.json: line 1: kind "ConfigMap" is not supported/],
    [['schedule', '-f', 'none.yaml'], /^error: none\.yaml: no such file$/],
    [['bench', '-f', 'bad.yaml'], /^error: bad\.yaml: Pod default\/web-1/],
    [['schedule'], /^error: there is no input: -f FILE, or -k FOLDER/],
    [
      ['schedule', '-f', 'bad.yaml', '--engine', 'gpu'],
      /^error: .*'gpu' is invalid. Allowed choices are simd, scalar, reference/,
    ],
    [['schedule', '-f', 'bad.yaml', '--seed', '-1'], /^error: .*'-1' is invalid. Expected a whole number/],
    [['schedule', '-f', 'bad.yaml', '--tie-break', 'last'], /Allowed choices are first, random, upstream/],
    [
      ['schedule', '-f', 'bad.yaml', '--percentage-of-nodes-to-score', '101'],
      /^error: .*'101' is invalid\. Expected a whole number from 0 to 100/,
    ],
    [['bench', '--nodes', '10,x'], /^error: .*'10,x' is invalid. Expected a whole number from 1/],
    [['bench', '--pods', '1e3'], /^error: .*'1e3' is invalid/],
    [['bench', '--repeat', '0'], /^error: .*'0' is invalid/],
    [['bench', '--index', 'maybe'], /^error: .*'maybe' is invalid\. Allowed choices are on, off/],
    [['bench', '--workers', '0'], /^error: .*'0' is invalid\. Expected a whole number from 1 to 256/],
    [['bench', '--suite', 'core', '--tour'], /^error: .*'--suite <name>' cannot be used with option '--tour'/],
    [
      ['bench', '--kind', 'huge'],
      /^error: .*'huge' is invalid. Allowed choices are basic, hetero, spread, antiaffinity, affinity, preemption/,
    ],
    [['import-openb', 'n.csv', 'p.csv'], /^error: n\.csv: no such file$/],
    [['fly'], /^error: unknown command 'fly'/],
  ])('%j: one line and exit code 1', async (argv, expected) => {
    const { code, out, logged } = await berth(argv, bad);
    expect(logged.join('\n')).toMatch(expected);
    expect(logged).toHaveLength(1);
    expect(logged[0]).not.toContain('\n');
    expect(out).toBe('');
    expect(code).toBe(1);
  });

  it('shows the stack of an internal error only when asked', async () => {
    const broken = () => Promise.reject(new TypeError('boom\nbang'));
    const quiet = await berth(['schedule', '-f', 'c.yaml'], { 'c.yaml': NODES }, { print: broken });
    expect(quiet).toMatchObject({ code: 1, logged: ['internal error: TypeError: boom bang'] });
    for (const argv of [
      ['--verbose', 'schedule', '-f', 'c.yaml'],
      ['schedule', '-f', 'c.yaml', '--verbose'],
    ]) {
      const verbose = await berth(argv, { 'c.yaml': NODES }, { print: broken });
      expect(verbose.logged.at(-1)).toMatch(/program\.test/);
    }
  });

  it('ends quietly when the reader has gone', async () => {
    const closed = () => Promise.reject(new OutputClosed());
    expect(await berth(['schedule', '-f', 'c.yaml'], { 'c.yaml': NODES }, { print: closed })).toMatchObject({
      code: 0,
      logged: [],
    });
  });
});

describe('berth import-openb', () => {
  const csv = {
    'n.csv': 'sn,cpu_milli,memory_mib,gpu,model\nn0,1000,1024,1,T4\n',
    'p.csv':
      'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time\n' +
      'p0,100,64,1,600,T4,LS,Running,2\np1,100,64,1,600,T4,LS,Running,1\n',
  };

  it.each(['ndjson', 'json', 'yaml'])('%s goes straight into schedule', async (format) => {
    const { code, out } = await berth(['import-openb', 'n.csv', 'p.csv', '-o', format], csv);
    expect(code).toBe(0);
    const scheduled = await berth(['schedule', '-f', '-', '-o', 'json'], { '-': out });
    expect(scheduled.code).toBe(2);
    const names = JSON.parse(scheduled.out).placements.map((placement: { name: string; node: string }) => [
      placement.name,
      placement.node,
    ]);
    expect(names).toEqual([
      ['p1', 'n0'],
      ['p0', null],
    ]);
  });
});
