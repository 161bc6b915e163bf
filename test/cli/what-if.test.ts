import { describe, expect, it } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';

const owned = (name: string, cpu: string, node: string, namespace = 'default') =>
  pod(name, cpu, node === '' ? '' : `nodeName: ${node}, `).replace(
    `{name: ${name}}`,
    `{name: ${name}, namespace: ${namespace}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, ` +
      'uid: u, controller: true}], labels: {app: web, pod-template-hash: "1"}}',
  );
const labelled = NODES.replace('{name: n2}', '{name: n2, labels: {topology.kubernetes.io/zone: b, gpu: "yes"}}');
const files = {
  'c.yaml': labelled + owned('a', '1', 'n1') + owned('b', '1', 'n2') + owned('c', '1', 'n2'),
  'p.yaml': pod('more', '500m'),
  'huge.yaml': NODES + owned('huge', '9', ''),
  'packing.yaml':
    'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- pluginConfig:\n' +
    '  - name: NodeResourcesFit\n    args: {scoringStrategy: {type: MostAllocated}}\n' +
    '  plugins: {score: {disabled: [{name: NodeResourcesBalancedAllocation}]}}\n',
};
const ask = (...argv: string[]) => berth(['what-if', '-f', 'c.yaml', ...argv], files);

describe('berth what-if', () => {
  it('loses nodes by name, by label and by selector', async () => {
    const { code, out, logged } = await ask('--lose', 'zone=b');
    expect(code).toBe(2);
    expect(out.split('\n')).toEqual([
      'Lost: 1 node: n2.',
      '2 pods concerned: 1 without a node, 1 with another node. 1 pod of these do not run.',
      '',
      'OUTCOME   PODS   EXAMPLE (FROM > TO)   WHY',
      'pending   1      default/c (n2 > -)    its node is lost; 1 Insufficient cpu',
      'moved     1      default/b (n2 > n1)   its node is lost',
      '',
    ]);
    expect(logged).toEqual([expect.stringMatching(/^asked of 2 nodes and 3 pods in \d+\.\d\d s \(engine simd\)$/)]);
    for (const text of ['n2', 'topology.kubernetes.io/zone in (b),gpu', 'gpu']) {
      expect((await ask('--lose', text)).out).toBe(out);
    }
    expect((await ask('--lose', '!zone', '-q')).logged).toEqual([]);
  });

  it('prints rows of pods, JSON, and the same on every engine', async () => {
    const wide = await ask('--lose', 'zone=b', '-o', 'wide', '--no-headers');
    expect(wide.out.split('\n').slice(3)).toEqual([
      'default/c   pending   n2   -    its node is lost; 1 Insufficient cpu',
      'default/b   moved     n2   n1   its node is lost',
      '',
    ]);
    const json = JSON.parse((await ask('--lose', 'zone=b', '-o', 'json')).out);
    expect(json).toMatchObject({ nodes: { before: 2, after: 1 }, counts: { pending: 1, moved: 1 }, notRunning: 1 });
    expect(json.groups[0]).toMatchObject({ outcome: 'pending', reason: '1 Insufficient cpu', count: 1 });
    for (const engine of ['scalar', 'reference']) {
      expect(JSON.parse((await ask('--lose', 'zone=b', '-o', 'json', '--engine', engine)).out)).toEqual(json);
    }
  });

  it('drains, scales and then searches', async () => {
    expect((await ask('--drain', 'n2')).out).toMatch(/^Drained n2: 2 pods evicted\.\n/);
    const scaled = await ask('--scale', 'deployment/web=6', '--add-nodes', '--shape', 'cpu=1,memory=4Gi,label:x=y');
    expect(scaled.code).toBe(0);
    expect(scaled.out).toMatch(/^3 pods concerned: 3 new .*\nWith 2 new nodes of cpu=1,memory=4Gi,label:x=y every pod/);
    const less = await ask('--scale', 'rs/web-1=1', '-o', 'wide');
    expect(less.out).toMatch(/^2 pods concerned: 2 removed\. Every pod has a node\.$/m);
    expect((await ask('--fit', 'p.yaml')).out).toMatch(
      /^No pod is concerned\.\n2 more of default\/more fit: n1 2\.\nThe next one does not: 2 Insufficient cpu\.\n/,
    );
    expect((await ask('--remove-nodes')).out).toMatch(/^0 of 2 nodes can go, .*\n2 nodes must stay: one of its pods/m);
  });

  it('compares two configurations', async () => {
    const { code, out } = await ask('--config', 'packing.yaml');
    expect(code).toBe(0);
    expect(out).toMatch(/^2 pods concerned: 2 with another node\. Every pod has a node\.\n/);
    expect((await ask('--config', 'packing.yaml', '--from-config', 'packing.yaml')).out).toBe('No pod is concerned.\n');
  });

  it('leaves pods pending that fit on no new node', async () => {
    const { code, out } = await berth(['what-if', '-f', 'huge.yaml', '--add-nodes', '--shape', 'cpu=4'], files);
    expect(code).toBe(2);
    expect(out).toMatch(/^With 0 new nodes of cpu=4, 1 pod still have none, and more such nodes do not help them\.$/m);
  });

  it.each([
    [[], 'nothing is asked: --lose, --drain, --remove-nodes, ... (--help says more)'],
    [['--lose', 'n9'], '--lose n9: there is no node "n9" in the input'],
    [['--lose', 'n1,n9'], '--lose n1,n9: there is no node "n9" in the input'],
    [['--lose', 'zone=x'], '--lose zone=x: no node has such labels in the input'],
    [['--lose', 'zone=('], '--lose zone=(: found "(", expected \',\' or the end'],
    [['--drain', 'zone=b'], '--drain zone=b: there is no node "zone=b" in the input'],
    [['--scale', 'web=3'], '--scale web=3: expected KIND/NAME=REPLICAS, such as deployment/web=50'],
    [
      ['--scale', 'sts/web=3'],
      '--scale sts/web=3: there is no such object, and no pod of it, in namespace default of the input',
    ],
    [['--add-nodes', '--shape', 'cpu=x'], 'shape "cpu=x": cpu: "x" is not an amount'],
    [['--fit', 'packing.yaml'], 'packing.yaml: '],
    [['--lose', 'n1', '--shape', 'cpu=1'], '--shape has no effect without --add-nodes'],
    [['--lose', 'n1', '--from-config', 'x'], '--from-config has no effect without --config as the only question'],
    [['--config', 'packing.yaml', '--replace-bare'], '--replace-bare has no effect without another question'],
    [['--fit', 'p.yaml', '--add-nodes'], "option '--add-nodes' cannot be used with option '--fit <file>'"],
  ])('refuses %j in one line', async (argv, message) => {
    const { code, out, logged } = await ask(...argv);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(`error: ${message.startsWith('option') ? '' : message}`);
    expect(logged[0]).toContain(message);
  });
});
