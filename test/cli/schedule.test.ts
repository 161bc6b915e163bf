import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { berth, NODES, pod } from './run-berth.ts';

describe('preemption', () => {
  const running = (name: string, day: string) =>
    pod(name, '1', 'nodeName: n1, ').replace('---\n', `status: {startTime: ${day}T00:00:00Z}\n---\n`);
  const tainted = '{name: n3}\nspec: {taints: [{key: a, effect: NoSchedule}]}';
  const files = {
    'c.yaml':
      NODES +
      `kind: Node\nmetadata: ${tainted}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 10}}\n---\n` +
      'kind: PriorityClass\nmetadata: {name: high}\nvalue: 1000\n---\n' +
      running('young', '2026-02-02') +
      running('old', '2026-01-01') +
      pod('fixed', '2', 'nodeName: n2, priority: 2000, ') +
      pod('urgent', '2', 'priorityClassName: high, ') +
      pod('late', '1'),
  };
  const argv = ['schedule', '-f', 'c.yaml'];

  it('shows nominated node and victims in order, and the victims with their node', async () => {
    const { code, out, logged } = await berth(argv, files);
    expect(code).toBe(2);
    expect(out.split('\n').slice(1, 5)).toEqual([
      'default     urgent   scheduled       n1       nominated n1, preempted default/old, default/young',
      'default     old      preempted       n1       preempted by default/urgent',
      'default     young    preempted       n1       preempted by default/urgent',
      expect.stringMatching(/^default +late +unschedulable +<none> +0\/3 nodes are available: /),
    ]);
    expect(logged).toEqual([
      expect.stringMatching(/^1 of 2 pods placed on 3 nodes, 1 not placed, 2 preempted, in /),
      'not placed:',
      '  2 pods: preempted by pods of higher priority (default/old)',
      '  1 pod: 1 node(s) had untolerated taint(s), 2 Insufficient cpu (default/late)',
    ]);
  });

  it.each(['simd', 'scalar', 'reference'])('is the same in JSON and YAML, on every engine (%s)', async (engine) => {
    const json = JSON.parse((await berth([...argv, '--engine', engine, '-o', 'json'], files)).out);
    expect(json.summary).toMatchObject({ pods: 2, scheduled: 1, unschedulable: 1, preempted: 2 });
    expect(json.placements.slice(0, 2)).toEqual([
      {
        namespace: 'default',
        name: 'urgent',
        status: 'scheduled',
        node: 'n1',
        score: null,
        feasibleNodes: 1,
        ties: 1,
        nominatedNode: 'n1',
        victims: ['default/old', 'default/young'],
        message: '0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu.',
      },
      { namespace: 'default', name: 'old', status: 'preempted', node: 'n1', preemptedBy: 'default/urgent' },
    ]);
    expect(parse((await berth([...argv, '--engine', engine, '-o', 'yaml'], files)).out)).toEqual(json);
  });

  it('explains candidates, victims, and why other nodes were none', async () => {
    const { out } = await berth([...argv, '--explain', 'urgent'], files);
    const explanation = out.slice(out.indexOf('Preemption: '));
    expect(explanation.split('\n')).toEqual([
      'Preemption: Success',
      'Nominated: n1; victims in order: default/old, default/young',
      '',
      'NODES   EXAMPLE   CANDIDATE   PDB VIOLATIONS   VICTIMS OR REASON',
      '1       n1        nominated   0                default/old, default/young',
      '1       n2        no          -                (UnschedulableAndUnresolvable): No preemption victims found ' +
        'for incoming pod',
      '1       n3        no          -                evictions would not help: TaintToleration ' +
        '(UnschedulableAndUnresolvable): node(s) had untolerated taint(s)',
      '',
    ]);
    const late = (await berth([...argv, '--explain', 'late'], files)).out;
    expect(late).toMatch(
      /^Preemption: Unschedulable\nno new claims to deallocate, preemption: 0\/3 nodes are available/m,
    );
    const asJson = await berth([...argv, '--explain', 'urgent', '-o', 'json'], files);
    expect(JSON.parse(asJson.out).explanation.preemption).toMatchObject({
      nominatedNode: 'n1',
      victims: ['default/old', 'default/young'],
      candidates: [{ node: 'n1', victims: ['default/old', 'default/young'], pdbViolations: 0 }],
    });
  });

  it('is described where one looks for it', async () => {
    const { code, out } = await berth(['schedule', '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/preempt: the pods that it evicts are removed at once/);
  });
});

describe('how a scheduler decides', () => {
  const CONFIG = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
  const many = Array.from({ length: 200 }, (_, i) => NODES.split('---\n')[0]?.replace('n1', `m${i}`)).join('---\n');
  const place = async (flags: readonly string[], files: Record<string, string>) => {
    const { out, logged } = await berth(['schedule', '-f', 'c.yaml', '-o', 'json', ...flags], files);
    return JSON.parse(out || JSON.stringify({ logged })) as {
      placements: { node: string; feasibleNodes: number; message?: string }[];
    };
  };

  it('looks for the share of the nodes that the flag says, or else the file, or else all', async () => {
    const files = {
      'c.yaml': `${many}---\n${pod('a', '1')}`,
      'half.yaml': `${CONFIG}percentageOfNodesToScore: 80\n`,
      'adaptive.json': JSON.stringify(parse(CONFIG)),
    };
    const feasible = async (...flags: string[]) => (await place(flags, files)).placements[0]?.feasibleNodes;
    expect(await feasible()).toBe(200);
    expect(await feasible('--percentage-of-nodes-to-score', '60')).toBe(120);
    expect(await feasible('--config', 'half.yaml')).toBe(160);
    expect(await feasible('--config', 'adaptive.json')).toBe(100);
    expect(await feasible('--config', 'half.yaml', '--percentage-of-nodes-to-score', '60')).toBe(120);
  });

  it('takes plugins and profiles from the file', async () => {
    const fit = 'pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}]';
    const files = {
      'c.yaml': NODES + pod('b', '1', 'nodeName: n2, ') + pod('a', '500m') + pod('c', '1', 'schedulerName: packed, '),
      'most.yaml': `${CONFIG}profiles: [{schedulerName: packed, ${fit}}]\n`,
    };
    const { logged, out } = await berth(['schedule', '-f', 'c.yaml', '--config', 'most.yaml'], files);
    expect(logged[0]).toBe(
      'warning: passed over pods that ask for another scheduler (spec.schedulerName): 1 default-scheduler',
    );
    expect(out.split('\n')[1]).toMatch(/^default +c +scheduled +n2$/);
  });

  it("follows kube-scheduler's own rule among ties", async () => {
    const files = { 'c.yaml': `${many}---\n${['a', 'b', 'c'].map((name) => pod(name, '100m')).join('')}` };
    const nodes = async (rule: string) =>
      (await place(['--tie-break', rule], files)).placements.map((placement) => placement.node);
    // The root of a binary heap over the nodes, then its first child, then that one's.
    expect(await nodes('upstream')).toEqual(['m0', 'm1', 'm3']);
    expect(await nodes('first')).toEqual(['m0', 'm1', 'm2']);
  });

  it('says in one line each what is wrong with a configuration', async () => {
    const files = {
      'c.yaml': NODES,
      'two.yaml': `${CONFIG}percentageOfNodesToScore: 101\nparallelism: -1\n`,
      'unknown.yaml': `${CONFIG}nonsense: 1\n`,
      'broken.yaml': 'kind: [',
      'extender.yaml': `${CONFIG}extenders: [{urlPrefix: "http://e.test/", filterVerb: f}]\n`,
    };
    const logged = async (file: string, command = 'schedule') => {
      const result = await berth([command, '-f', 'c.yaml', '--config', file], files);
      expect(result).toMatchObject({ code: 1, out: '' });
      return result.logged;
    };
    expect(await logged('two.yaml')).toEqual([
      expect.stringMatching(/^error: two\.yaml: parallelism: Invalid value: -1/),
      expect.stringMatching(/^error: two\.yaml: percentageOfNodesToScore: Invalid value: 101/),
    ]);
    expect(await logged('two.yaml', 'bench')).toHaveLength(2);
    expect(await logged('unknown.yaml')).toEqual([expect.stringMatching(/^error: unknown\.yaml: .*nonsense/)]);
    expect(await logged('broken.yaml')).toHaveLength(1);
    expect(await logged('none.yaml')).toEqual(['error: none.yaml: no such file']);
    // What an extender takes to answer is not what bench measures.
    expect(await logged('extender.yaml', 'bench')).toEqual([expect.stringMatching(/^error: .*extenders\[0\]/)]);
  });
});
