import { describe, expect, it } from 'vitest';
import type { GroupExplanation } from '../../src/cluster/pod-group-scheduler.ts';
import { berth } from './run-berth.ts';

const GATES = ['--feature-gates', 'GenericWorkload=true,GangScheduling=true,TopologyAwareWorkloadScheduling=true'];
const node = (name: string, rack: string) =>
  `kind: Node\nmetadata: {name: ${name}, labels: {rack: ${rack}}}\nstatus: {allocatable: {cpu: 2, pods: 10}}\n---\n`;
const group = (minCount: number, more = '') =>
  'apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: g}\n' +
  `spec: {schedulingPolicy: {gang: {minCount: ${minCount}}}${more}}\n---\n`;
const pod = (name: string, podGroupName = 'g') =>
  `kind: Pod\nmetadata: {name: ${name}}\nspec:\n  containers: [{name: c, resources: {requests: {cpu: 1}}}]\n` +
  (podGroupName && `  schedulingGroup: {podGroupName: ${podGroupName}}\n`) +
  '---\n';
const NODE = node('n', 'r');

async function explain(name: string, input: string, ...argv: string[]) {
  const { code, out } = await berth(['explain', name, '-f', 'c.yaml', '-q', ...GATES, ...argv], { 'c.yaml': input });
  return { code, out };
}

async function groupOf(name: string, input: string): Promise<GroupExplanation> {
  return (JSON.parse((await explain(name, input, '-o', 'json')).out) as { group: GroupExplanation }).group;
}

describe('berth explain of a pod in a gang', () => {
  const short = NODE + group(3) + ['a', 'b', 'c'].map((name) => pod(name)).join('');

  it('says which pods have a place beside each other, and explains the first that has none', async () => {
    expect(await groupOf('a', short)).toEqual({
      ...{ group: 'default/g', minCount: 3, podCount: 3, scheduledCount: 0 },
      hasPlace: false,
      message: '0/1 placements are available, first placement status: pod group is unschedulable',
      members: [
        { pod: 'default/a', node: 'n', message: '' },
        { pod: 'default/b', node: 'n', message: '' },
        { pod: 'default/c', node: null, message: '0/1 nodes are available: 1 Insufficient cpu.' },
      ],
      explained: 'default/c',
    });
    const { code, out } = await explain('a', short);
    expect(code).toBe(2);
    expect(out).toContain(
      'a gang that needs 3 of its pods, has 3 pods, 0 of them on nodes: ' +
        '0/1 placements are available, first placement status: pod group is unschedulable.',
    );
    expect(out).toContain('  2 pods with a place: default/a on n, default/b on n\n');
    expect(out).toContain('  1 pod without: default/c: 0/1 nodes are available: 1 Insufficient cpu.\n');
    expect(out).toContain('default/a has a place on n; what follows is about default/c.\n');
    expect(out).toContain('Pod default/c: unschedulable\n0/1 nodes are available: 1 Insufficient cpu.');
    expect(out).toContain(
      'What would place it, each tried by deciding again:\n  request cpu 666m instead of 1 (3 of 3 pods',
    );
    expect(out).toContain('  add a node like n (cpu=2) (3 of 3 pods that wait)\n');
    expect((await explain('a', short, '--no-remedies')).out).not.toContain('What would');
    expect((await groupOf('c', short)).explained).toBe('default/c');
    expect((await explain('a', short, '-o', 'html')).out).toContain('2 pods with a place: default/a on n');
    expect((await explain('a', short, '-o', 'html')).out).toContain('Pods with a place');
  });

  it('says that pods are missing', async () => {
    const { code, out } = await explain('a', NODE + group(3) + pod('a') + pod('b'));
    expect(code).toBe(2);
    expect(out).toContain('Group default/g, a gang that needs 3 of its pods, has 2 pods, 0 of them on nodes.\n');
    expect(out).toContain('waiting for minCount pods from a gang to appear in scheduling queue');
  });

  it('explains a pod that was placed with its gang as if it were placed anew', async () => {
    const { code, out } = await explain('b', NODE + group(2) + pod('a') + pod('b'));
    expect(code).toBe(0);
    expect(out).toContain('has 2 pods, 2 of them on nodes.\n\nOn node n;');
    expect(out).toContain('Pod default/b: scheduled\n');
  });

  it('says why no placement holds the gang, and explains on the nodes of the one that is reported', async () => {
    const racks = node('n', 'r') + node('m', 's');
    const constraint = ', schedulingConstraints: {topology: [{key: rack}]}';
    const input = racks + group(3, constraint) + pod('a') + pod('b') + pod('c');
    const { group: found, nodes } = JSON.parse((await explain('a', input, '-o', 'json')).out) as {
      readonly group: GroupExplanation;
      readonly nodes: readonly { readonly node: string }[];
    };
    expect(found.message).toContain('0/2 placements are available');
    expect(found.explained).toBe('default/c');
    expect(nodes.map((each) => each.node)).toEqual([found.members[0]?.node]);
    const failed = { nodeCount: 1, placedCount: 2, hasPlace: false };
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    expect(found.placements?.toSorted((a, b) => (a.placement < b.placement ? -1 : 1))).toEqual([
      { placement: 'rack=r', ...failed, message: expect.stringContaining(message) },
      { placement: 'rack=s', ...failed, message: expect.stringContaining(message) },
    ]);
    const { out } = await explain('a', input);
    expect(out).toContain(`  on rack=r (1 node): 2 pods with a place, too few: ${message}`);
    const [first, second, third] = found.members.map((member) => member.node);
    expect([second, third]).toEqual([first, null]);
  });

  it('explains pods of no group beside those that were placed', async () => {
    const { out } = await explain('single', `${short}${pod('single', '')}`);
    expect(out).toMatch(/^On node n;.*\nPod default\/single: scheduled/);
  });
});
