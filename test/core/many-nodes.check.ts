import { beforeAll, describe, expect, test } from 'vitest';
import { type Node, type Pod, type ScheduleResult, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { batchAnswerOf, expectedBatchAnswer } from './batch-answer.ts';

/** A number of nodes that sixteen bits cannot number. */
const MANY = 65_600;
/** The nodes from here on have room: the first few have slots that sixteen bits hold, the others have not. */
const FIRST_LARGE = 65_534;
const HOST = 'kubernetes.io/hostname';
const nameOf = (i: number): string => `n${i}`;

/** In three zones; one of the last is tainted. */
function nodeOf(i: number, cpu: number | string = i >= FIRST_LARGE ? 4 : '100m'): Node {
  const taints = i === MANY - 1 ? [{ key: 'k', effect: 'NoSchedule' }] : [];
  return makeNode(nameOf(i), { cpu, taints, zone: `z${i % 3}`, labels: { [HOST]: nameOf(i) } });
}
const NODES: readonly Node[] = Array.from({ length: MANY }, (_, i) => nodeOf(i));

const plain = (name: string, cpu: number): Pod => makePod(name, { requests: { cpu } });
const web = (name: string, spec: Pod['spec']): Pod => {
  const pod = plain(name, 1);
  return { metadata: { ...pod.metadata, labels: { app: 'web' } }, spec: { ...pod.spec, ...spec } };
};
const labelSelector = { matchLabels: { app: 'web' } };
const ZONE = 'topology.kubernetes.io/zone';
const evenly = [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector }];
const away = {
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOST, labelSelector }] },
};
const near = {
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: ZONE, labelSelector }] },
};

interface Step {
  readonly change?: (scheduler: Scheduler) => void;
  readonly pods: readonly Pod[];
}

const STEPS: readonly Step[] = [
  { pods: [plain('a0', 2), plain('a1', 2), plain('b0', 3)] },
  { pods: [web('s0', { topologySpreadConstraints: evenly }), web('s1', { topologySpreadConstraints: evenly })] },
  { pods: [web('x0', { affinity: away }), web('y0', { affinity: near })] },
  {
    // Slots above 65,535 lose their nodes, and two get others.
    change: (scheduler) => {
      for (const i of [65_540, 65_541, 65_560]) scheduler.removeNode(nameOf(i));
      for (const [name, cpu] of [
        ['late', 16],
        ['later', 12],
      ] as const)
        scheduler.addNode(makeNode(name, { cpu }));
    },
    pods: [plain('l0', 10), plain('l1', 10), plain('none', 17), web('t0', { topologySpreadConstraints: evenly })],
  },
  {
    // The only room for another pod is where this pod is.
    change: (scheduler) => {
      scheduler.updateNode(nodeOf(65_570, 24));
      scheduler.addPod(makePod('victim', { nodeName: nameOf(65_570), requests: { cpu: 20 } }));
    },
    pods: [makePod('urgent', { requests: { cpu: 20 }, spec: { priority: 10 } })],
  },
];

/** What is said of the pods, step by step. */
function play<T>(options: SchedulerOptions, decide: (scheduler: Scheduler, pods: readonly Pod[]) => T): T[] {
  const scheduler = new Scheduler({ ...options, validate: false });
  for (const node of NODES) scheduler.addNode(node);
  return STEPS.map(({ change, pods }) => {
    change?.(scheduler);
    return decide(scheduler, pods);
  });
}

const oneByOne = (scheduler: Scheduler, pods: readonly Pod[]): ScheduleResult[] =>
  pods.map((pod) => scheduler.schedule(pod));

describe.each(['first', 'random'] as const)('among more nodes than sixteen bits can number, ties: %s', (tieBreak) => {
  let expected: readonly ScheduleResult[][] = [];

  beforeAll(() => {
    expected = play({ engine: 'reference', tieBreak }, oneByOne);
  }, 60_000);

  test('the reference engine finds room in slots of either kind, and counts every rejection', () => {
    const nodes = expected.map((results) => results.map((result) => result.status === 'scheduled' && result.node));
    if (tieBreak === 'first') {
      expect(nodes.slice(0, 3)).toEqual([
        ['n65534', 'n65535', 'n65536'],
        ['n65537', 'n65538'],
        ['n65539', 'n65540'],
      ]);
    }
    expect([nodes[3]?.slice(0, 3), nodes[4]]).toEqual([['late', 'later', false], [false]]);
    const left = MANY - 1;
    expect(expected[3]?.[2]).toMatchObject({
      status: 'unschedulable',
      message: expect.stringContaining(
        `0/${left} nodes are available: 1 node(s) had untolerated taint(s), ${left - 1} Insufficient cpu.`,
      ),
    });
    expect(expected[4]?.[0]).toMatchObject({ nominatedNode: nameOf(65_570), victims: ['default/victim'] });
  });

  const ways = (['scalar', 'simd'] as const).flatMap((engine) => [true, false].map((index) => ({ engine, index })));

  test.each(ways)('one by one by %o', (way) => {
    expect(play({ ...way, tieBreak }, oneByOne)).toEqual(expected);
  });

  test.each(ways)('in batches by %o', (way) => {
    const answers = play({ ...way, tieBreak }, (scheduler, pods) => batchAnswerOf(scheduler.scheduleBatch(pods)));
    expect(answers).toEqual(expected.map(expectedBatchAnswer));
  });
});
