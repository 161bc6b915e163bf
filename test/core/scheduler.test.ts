import { describe, expect, test } from 'vitest';
import { type EngineName, Scheduler, SchedulerError } from '../../src/index.ts';
import { makeNode, type NodeOptions } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const oneCpu = (name: string) => makePod(name, { requests: { cpu: 1 } });

describe.each<EngineName>(['simd', 'scalar', 'reference'])('Scheduler, engine %s', (engine) => {
  /** A scheduler that knows these nodes. */
  function withNodes(...nodes: [string, NodeOptions?][]): Scheduler {
    const scheduler = new Scheduler({ engine });
    for (const [name, options] of nodes) scheduler.addNode(makeNode(name, options));
    return scheduler;
  }

  test('places a pod and says how well', () => {
    const scheduler = withNodes(['small', { cpu: 2 }], ['large', { cpu: 8 }], ['tiny', { cpu: '500m' }]);
    // least-allocated (87 + 98) / 2 = 92, balanced 71 (93 after, 100 before), taints 300
    expect(scheduler.schedule(oneCpu('p'))).toEqual({
      status: 'scheduled',
      node: 'large',
      score: 92 + 71 + 300,
      feasibleNodes: 2,
      ties: 1,
    });
  });

  test('takes the only feasible node unscored', () => {
    const scheduler = withNodes(['n1', { cpu: 4 }], ['n2', { cpu: '1m' }]);
    expect(scheduler.schedule(oneCpu('p'))).toEqual({
      status: 'scheduled',
      node: 'n1',
      score: null,
      feasibleNodes: 1,
      ties: 1,
    });
    expect(scheduler.explain(oneCpu('q'))).toMatchObject({ scoringSkipped: true, best: ['n1'], message: '' });
  });

  test('without nodes says so; a gate comes first', () => {
    const scheduler = withNodes();
    const message = 'no nodes available to schedule pods';
    expect(scheduler.schedule(oneCpu('p'))).toEqual({ status: 'unschedulable', message });
    expect(scheduler.explain(oneCpu('p'))).toMatchObject({ status: 'unschedulable', message, nodes: [] });
    expect(scheduler.schedule(makePod('gated', { gates: ['g'] }))).toEqual({
      status: 'gated',
      plugin: 'SchedulingGates',
      reasons: ['waiting for scheduling gates: [g]'],
    });
  });

  test('says why no node fits: the first rejecting plugin of each node', () => {
    const scheduler = withNodes(
      ['cordoned', { unschedulable: true, cpu: 0 }],
      ['full', { cpu: 0 }],
      ['featureless', { cpu: 0, features: ['Other'] }],
    );
    const containers = [
      { restartPolicyRules: [{ action: 'RestartAllContainers' }], resources: { requests: { cpu: 1 } } },
    ];
    const pod = makePod('p', { spec: { containers } });
    expect(scheduler.schedule(pod)).toEqual({
      status: 'unschedulable',
      message:
        '0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu. no new claims to deallocate, ' +
        'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    });
    expect(scheduler.explain(pod).nodes.map(({ rejected }) => rejected?.plugin)).toEqual([
      'NodeUnschedulable',
      'NodeResourcesFit',
      'NodeResourcesFit',
    ]);
  });

  test('a pod that names nodes that are not there is rejected once for all', () => {
    const scheduler = withNodes(['n1'], ['n2']);
    const required = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['elsewhere'] }] }];
    expect(scheduler.schedule(makePod('p', { required }))).toEqual({
      status: 'unschedulable',
      message:
        "0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, " +
        'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    });
  });

  test('a preference that cannot be read fails the attempt, but only when nodes would be scored', () => {
    const preference = { matchExpressions: [{ key: 'k', operator: 'Gt', values: ['many'] }] };
    const pod = makePod('p', { preferred: [{ weight: 1, preference }] });
    const reason = 'running PreScore plugin "NodeAffinity": [0].matchExpressions[0].values[0]: Invalid value: "many"';
    const scheduler = withNodes(['n1']);
    expect(scheduler.explain(pod)).toMatchObject({ status: 'scheduled', scoringSkipped: true });
    scheduler.addNode(makeNode('n2'));
    expect(scheduler.schedule(pod)).toMatchObject({ status: 'error', message: expect.stringContaining(reason) });
    scheduler.removeNode('n2');
    expect(scheduler.schedule(pod)).toMatchObject({ status: 'scheduled', score: null });
  });

  test('refuses what an API server would refuse, with nothing changed', () => {
    const scheduler = withNodes(['n1', { cpu: 4 }]);
    const bad = makeNode('n1', { cpu: '9x', unschedulable: true });
    expect(() => scheduler.updateNode(bad)).toThrow('Node n1: status.allocatable.cpu: malformed quantity "9x"');
    expect(() => scheduler.addNode(makeNode('n2', { cpu: '-1' }))).toThrow('Node n2: status.allocatable.cpu');
    expect(scheduler.explain(oneCpu('p')).feasible).toEqual(['n1']);
  });

  test.each([
    ['name', { name: 'Not-Valid' }, 'Pod default/Not-Valid: metadata.name: bad name "Not-Valid"'],
    ['namespace', { name: 'b', namespace: 'a b' }, 'Pod a b/b: metadata.namespace: bad name "a b"'],
    ['label', { name: 'b', labels: { app: 'a b' } }, 'Pod default/b: metadata.labels.app: bad label value "a b"'],
  ])('a pod is looked at even if its spec is known: %s', (_, metadata, message) => {
    const scheduler = withNodes(['n1', { cpu: 4 }]);
    const good = oneCpu('a');
    expect(scheduler.schedule(good)).toMatchObject({ node: 'n1' });
    for (const { spec } of [good, structuredClone(good)]) {
      expect(() => scheduler.scheduleBatch([{ metadata, spec }])).toThrow(message);
    }
    expect(
      scheduler.scheduleBatch([{ metadata: { name: 'b', labels: { app: 'a' } }, spec: good.spec }]).nodeName(0),
    ).toBe('n1');
  });

  test('a batch is refused as a whole before its first pod is placed', () => {
    const scheduler = withNodes(['n1', { cpu: 4 }]);
    expect(() => scheduler.scheduleBatch([oneCpu('a'), oneCpu('a')])).toThrow('pod default/a is twice in the batch');
    expect(scheduler.schedule(oneCpu('a'))).toMatchObject({ node: 'n1' });
    expect(() => scheduler.scheduleBatch([oneCpu('b'), oneCpu('a')])).toThrow('pod default/a is on node n1 already');
    expect(scheduler.schedule(oneCpu('b'))).toMatchObject({ node: 'n1' });
  });

  test('charges what it places: the next pod sees it, without anybody binding anything', () => {
    const scheduler = withNodes(['n1', { cpu: 2 }]);
    const results = scheduler.scheduleBatch([oneCpu('a'), oneCpu('b'), oneCpu('c')]);
    expect(results.length).toBe(3);
    expect(results.scheduledCount).toBe(2);
    expect([0, 1, 2].map((i) => results.nodeName(i))).toEqual(['n1', 'n1', null]);
    expect(results.at(2)).toEqual({
      status: 'unschedulable',
      message:
        '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, ' +
        'preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    });
    expect([...results].map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'unschedulable']);
    expect(() => results.at(3)).toThrow('result 3 of 3');
  });

  test('an assumed pod may be confirmed, moved or removed', () => {
    const scheduler = withNodes(['n1', { cpu: 1 }], ['n2', { cpu: 1 }]);
    expect(scheduler.schedule(oneCpu('p'))).toMatchObject({ node: 'n1' });
    scheduler.updatePod(makePod('p', { requests: { cpu: 1 }, nodeName: 'n1' }));
    expect(scheduler.explain(oneCpu('q')).feasible).toEqual(['n2']);
    scheduler.updatePod(makePod('p', { requests: { cpu: 1 }, nodeName: 'n2' }));
    expect(scheduler.explain(oneCpu('q')).feasible).toEqual(['n1']);
    scheduler.removePod('default', 'p');
    expect(scheduler.explain(oneCpu('q')).feasible).toEqual(['n1', 'n2']);
    expect(scheduler.schedule(oneCpu('p'))).toMatchObject({ node: 'n1' });
  });

  test('a pending pod may be known before it is scheduled, and uses nothing until then', () => {
    const scheduler = withNodes(['n1', { cpu: 1 }]);
    scheduler.addPod(oneCpu('p'));
    expect(scheduler.schedule(oneCpu('p'))).toMatchObject({ status: 'scheduled' });
    expect(() => scheduler.schedule(oneCpu('p'))).toThrow('pod default/p is on node n1 already');
  });

  test.each([undefined, ''])('namespace %j is the default one: no pod is placed twice', (namespace) => {
    const scheduler = withNodes(['n1'], ['n2']);
    const pod = { ...oneCpu('p'), metadata: { name: 'p', namespace } };
    scheduler.schedule(pod);
    expect(() => scheduler.schedule(pod)).toThrow('pod default/p is on node n1 already');
    expect(() => scheduler.schedule(oneCpu('p'))).toThrow(SchedulerError);
  });

  test('pods stay with a node that is removed and count again when it comes back, in a slot of another', () => {
    const scheduler = withNodes(['n1', { cpu: 2 }], ['n2', { cpu: 1 }]);
    for (const name of ['n1', 'n2']) scheduler.addPod(makePod(`on-${name}`, { requests: { cpu: 1 }, nodeName: name }));
    scheduler.removeNode('n1');
    scheduler.removeNode('n2');
    scheduler.addNode(makeNode('n1', { cpu: 2 }));
    expect(scheduler.explain(makePod('p', { requests: { cpu: 2 } })).nodes).toMatchObject([
      { node: 'n1', rejected: { reasons: ['Insufficient cpu'], code: 'Unschedulable' } },
    ]);
    expect(scheduler.schedule(oneCpu('p'))).toMatchObject({ status: 'scheduled', node: 'n1' });
    scheduler.addNode(makeNode('n2', { cpu: 1 }));
    expect(scheduler.explain(oneCpu('q')).feasible).toEqual([]);
  });

  test('a new node in an old slot inherits nothing', () => {
    const scheduler = withNodes([
      'old',
      {
        cpu: 1,
        taints: [{ key: 'a', effect: 'NoSchedule' }],
        allocatable: { 'x.io/y': 5 },
        images: { 'app:latest': 1e9 },
      },
    ]);
    expect(scheduler.explain(oneCpu('p')).feasible).toEqual([]);
    scheduler.addPod(makePod('bound', { nodeName: 'old', requests: { cpu: 1 }, ports: [{ hostPort: 80 }] }));
    scheduler.removeNode('old');
    for (const name of ['new', 'other']) scheduler.addNode(makeNode(name, { cpu: 1 }));
    const probe = makePod('p', { requests: { cpu: 1 }, ports: [{ hostPort: 80 }] });
    const { feasible, nodes } = scheduler.explain(probe);
    expect(feasible).toEqual(['new', 'other']);
    expect(nodes[0]?.scores).toEqual(nodes[1]?.scores);
    expect(scheduler.explain(makePod('q', { requests: { 'x.io/y': 1 } })).feasible).toEqual([]);
  });

  test('ties go to the node learned of first, whatever its slot and zone', () => {
    const scheduler = withNodes(['a', { zone: 'z1' }], ['b', { zone: 'z1' }], ['c', { zone: 'z2' }]);
    scheduler.removeNode('a');
    scheduler.addNode(makeNode('d', { zone: 'z3' }));
    expect(scheduler.explain(oneCpu('p'))).toMatchObject({ best: ['b', 'c', 'd'], nodeOrder: ['b', 'c', 'd'] });
    expect(scheduler.schedule(oneCpu('p'))).toMatchObject({ node: 'b', ties: 3 });
  });

  test('random ties follow the seed, and all of them get their turn', () => {
    const nodesOf = (seed: number): (string | null)[] => {
      const scheduler = new Scheduler({ engine, tieBreak: 'random', seed });
      for (let i = 0; i < 8; i++) scheduler.addNode(makeNode(`n${i}`));
      return Array.from({ length: 60 }, (_, i) => {
        const result = scheduler.schedule(oneCpu(`p${i}`));
        scheduler.removePod('default', `p${i}`);
        return result.status === 'scheduled' ? result.node : null;
      });
    };
    expect(nodesOf(7)).toEqual(nodesOf(7));
    expect(nodesOf(7)).not.toEqual(nodesOf(8));
    expect(new Set(nodesOf(7)).size).toBe(8);
  });

  test('explaining changes nothing', () => {
    const scheduler = withNodes(['n1', { cpu: 2 }], ['n2', { cpu: 2 }]);
    const first = scheduler.explain(oneCpu('p'));
    expect(scheduler.explain(oneCpu('p'))).toEqual(first);
    expect(scheduler.schedule(oneCpu('p'))).toMatchObject({ status: first.status, node: first.best[0] });
  });

  test('totals are the sums of the weighted scores', () => {
    const scheduler = withNodes(['n1'], ['n2', { cpu: 8, images: { 'app:latest': 5e8 } }]);
    for (const { scores, total } of scheduler.explain(oneCpu('p')).nodes) {
      expect(scores.map(({ plugin }) => plugin)).toEqual([
        'TaintToleration',
        'NodeResourcesFit',
        'DynamicResources',
        'NodeResourcesBalancedAllocation',
        'ImageLocality',
      ]);
      expect(total).toBe(scores.reduce((sum, { weighted }) => sum + weighted, 0));
    }
  });

  test('errors carry a code, name the object and leave everything as it was', () => {
    const scheduler = withNodes(['n1', { cpu: 2 }]);
    scheduler.schedule(oneCpu('p'));
    const before = scheduler.explain(oneCpu('probe'));
    const codeOf = (action: () => unknown): [string, string] => {
      try {
        action();
      } catch (error) {
        if (error instanceof SchedulerError) return [error.code, error.message];
        throw error;
      }
      throw new Error('no error');
    };
    expect(codeOf(() => scheduler.addNode(makeNode('n1')))).toEqual(['AlreadyExists', 'node n1 exists already']);
    expect(codeOf(() => scheduler.updateNode(makeNode('n9')))).toEqual(['NotFound', 'node n9 is not known']);
    expect(codeOf(() => scheduler.removeNode('n9'))).toEqual(['NotFound', 'node n9 is not known']);
    expect(codeOf(() => scheduler.addPod(oneCpu('p')))).toEqual(['AlreadyExists', 'pod default/p exists already']);
    expect(codeOf(() => scheduler.removePod('default', 'q'))).toEqual(['NotFound', 'pod default/q is not known']);
    expect(codeOf(() => scheduler.schedule(oneCpu('p')))).toEqual([
      'AlreadyExists',
      'pod default/p is on node n1 already',
    ]);
    expect(scheduler.explain(oneCpu('probe'))).toEqual(before);
  });
});

test('random ties are drawn alike by every engine, also when nodes sit in slots of others', () => {
  const [expected, ...others] = (['reference', 'scalar', 'simd'] as const).map((engine) => {
    const scheduler = new Scheduler({ engine, tieBreak: 'random', seed: 3 });
    for (let i = 0; i < 9; i++) scheduler.addNode(makeNode(`n${i}`));
    for (const name of ['n0', 'n4']) scheduler.removeNode(name);
    for (const name of ['late', 'later']) scheduler.addNode(makeNode(name));
    return [...scheduler.scheduleBatch(Array.from({ length: 30 }, (_, i) => oneCpu(`p${i}`)))];
  });
  for (const results of others) expect(results).toEqual(expected);
});

test('simd and first ties are the defaults', () => {
  const scheduler = new Scheduler();
  expect(scheduler.engine).toBe('simd');
  for (const name of ['n1', 'n2', 'n3']) scheduler.addNode(makeNode(name));
  const nodes = Array.from({ length: 3 }, (_, i) => scheduler.scheduleBatch([oneCpu(`p${i}`)]).nodeName(0));
  expect(nodes).toEqual(['n1', 'n2', 'n3']);
});

test.each([
  [{ engine: 'turbo' }, 'option engine: "turbo" is none of simd, scalar, reference'],
  [{ tieBreak: 'last' }, 'option tieBreak: "last" is none of first, random, upstream'],
  [{ seed: -1 }, 'option seed: -1 is not an integer from 0 to 4294967295'],
  [{ percentageOfNodesToScore: 101 }, 'option percentageOfNodesToScore: 101 is not an integer from 0 to 100'],
  [{ limits: 7 }, 'option limits: the number 7 is no object'],
  [{ limits: { pods: 1 } }, 'option limits.pods: there is no such limit'],
  [{ limits: { objects: 0 } }, 'option limits.objects: the number 0 is no number from 1 on'],
  [{ index: 'on' }, 'option index: "on" is neither true nor false'],
  [{ workers: 0 }, 'option workers: 0 is not "auto" or an integer from 1 to 256'],
])('%o is refused', (options, message) => {
  expect(() => new Scheduler(options as never)).toThrow(message);
});

test('memory that columns have outgrown no longer counts as theirs', () => {
  const bytesOf = (nodeCount: number) => {
    const scheduler = new Scheduler();
    for (let i = 0; i < nodeCount; i++) scheduler.addNode(makeNode(`n${i}`));
    return scheduler.sharedMemoryBytes;
  };
  const perNode = (bytesOf(4096) - bytesOf(2048)) / 2048;
  expect(perNode).toBeGreaterThan(8);
  // Twice the nodes take twice the bytes, though the columns have been copied at every doubling.
  expect((bytesOf(8192) - bytesOf(4096)) / 4096).toBeCloseTo(perNode, -1);
});

test('says how much of the kernels memory is in use; the reference engine uses none', () => {
  const bytes = (engine: 'simd' | 'reference', nodeCount: number) => {
    const scheduler = new Scheduler({ engine });
    for (let i = 0; i < nodeCount; i++) scheduler.addNode(makeNode(`n${i}`));
    return scheduler.sharedMemoryBytes;
  };
  expect(bytes('simd', 1000)).toBeGreaterThan(bytes('simd', 1));
  expect(bytes('reference', 1000)).toBe(0);
});
