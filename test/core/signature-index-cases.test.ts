/** What is easy to get wrong in the signature index and in batches: alike on every engine, with index and without. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PodSpec } from '../../src/api/pod.ts';
import { SignatureIndex } from '../../src/engine/index/signature-index.ts';
import { type Pod, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { OutOfMemoryError, SharedMemory } from '../../src/memory/shared-memory.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { configured } from './configured.ts';

const small: PodSpec = { containers: [{ name: 'c', resources: { requests: { cpu: '100m', memory: '1Mi' } } }] };
const large: PodSpec = { containers: [{ name: 'c', resources: { requests: { cpu: '200m', memory: '1Mi' } } }] };
const podOf = (name: string, spec: PodSpec): Pod => ({ metadata: { name, namespace: 'default' }, spec });
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

/** Does the same on the reference, with index and without; the reference comes first. */
const onAllWays = <T>(act: (options: SchedulerOptions) => T): T[] =>
  [{ engine: 'reference' as const }, { index: false }, { index: true }].map(act);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the signature index', () => {
  const tainted = (count: number) => ({
    taints: Array.from({ length: count }, (_, i) => ({ key: `t${i}`, effect: 'PreferNoSchedule' })),
  });
  const labelled = (pool: string) => ({ labels: { pool } });

  test('a node that becomes worse than all that were known stays feasible, and is the last choice', () => {
    const [expected, ...others] = onAllWays((options) => {
      const scheduler = new Scheduler(options);
      scheduler.addNode(makeNode('tainted', tainted(1)));
      for (const name of ['n1', 'n2']) scheduler.addNode(makeNode(name));
      scheduler.schedule(podOf('a', small));
      scheduler.updateNode(makeNode('tainted', tainted(2)));
      return ['b', 'c'].map((name) => scheduler.schedule(podOf(name, small)));
    });
    expect(expected).toMatchObject([{ feasibleNodes: 3 }, { feasibleNodes: 3 }]);
    for (const other of others) expect(other).toEqual(expected);
  });

  test('a node worse than all that are left is there again when its pod goes', () => {
    const [expected, ...others] = onAllWays((options) => {
      const scheduler = new Scheduler(options);
      scheduler.addNode(makeNode('worst', { ...tainted(2), pods: 1 }));
      scheduler.addNode(makeNode('tainted', tainted(1)));
      for (const name of ['n1', 'n2']) scheduler.addNode(makeNode(name));
      scheduler.addPod(podOf('full', { ...small, nodeName: 'worst' }));
      const first = scheduler.schedule(podOf('a', small));
      scheduler.removePod('default', 'full');
      return [first, scheduler.schedule(podOf('b', small))];
    });
    expect(expected).toMatchObject([{ feasibleNodes: 3 }, { feasibleNodes: 4 }]);
    for (const other of others) expect(other).toEqual(expected);
  });

  test('a node that becomes better than all that were known by a hundred times is the first choice', () => {
    const preference = (weight: number, pool: string) => ({
      weight,
      preference: { matchExpressions: [{ key: 'pool', operator: 'In', values: [pool] }] },
    });
    const preferred = [preference(1, 'good'), preference(100, 'better')];
    const spec = { ...small, ...makePod('x', { requests: { cpu: '100m' }, preferred }).spec };
    const plugins = { multiPoint: { enabled: [{ name: 'NodeAffinity', weight: 4 }] } };
    const [expected, ...others] = onAllWays((options) => {
      const configuration = configured({ percentageOfNodesToScore: 100, profiles: [{ plugins }] });
      const scheduler = new Scheduler({ ...options, configuration });
      scheduler.addNode(makeNode('n1', labelled('good')));
      for (const name of ['n2', 'n3']) scheduler.addNode(makeNode(name));
      scheduler.schedule(podOf('a', spec));
      scheduler.updateNode(makeNode('n3', labelled('better')));
      return scheduler.schedule(podOf('b', spec));
    });
    expect(expected).toMatchObject({ node: 'n3', feasibleNodes: 3 });
    for (const other of others) expect(other).toEqual(expected);
  });

  test('a signature that was not used while nodes came sees them, though another signature used its block', () => {
    const [expected, ...others] = onAllWays((options) => {
      const scheduler = new Scheduler(options);
      for (const i of range(0, 70)) scheduler.addNode(makeNode(`n${i}`));
      scheduler.schedule(podOf('a', small));
      scheduler.schedule(podOf('b', large));
      // The nodes are so many that the block is scanned anew, and so few that the table does not grow.
      for (const i of range(70, 120)) scheduler.addNode(makeNode(`n${i}`, { cpu: 64 }));
      scheduler.schedule(podOf('c', small));
      return scheduler.schedule(podOf('d', large));
    });
    expect(expected).toMatchObject({ feasibleNodes: 120 });
    for (const other of others) expect(other).toEqual(expected);
  });

  test('the next search starts where it would have started after a whole search by a cycle', () => {
    const [expected, ...others] = onAllWays((options) => {
      const scheduler = new Scheduler({ ...options, percentageOfNodesToScore: 50 });
      for (const i of range(0, 250)) scheduler.addNode(makeNode(`n${i}`));
      scheduler.schedule(podOf('a', small));
      for (const i of range(80, 250)) scheduler.removeNode(`n${i}`);
      scheduler.schedule(podOf('b', small));
      for (const i of range(80, 250)) scheduler.addNode(makeNode(`n${i}`));
      return scheduler.explain(podOf('c', small)).search;
    });
    for (const other of others) expect(other).toEqual(expected);
  });

  test('a pod that fits nowhere does not make all pods behind it queue again', () => {
    const enqueue = vi.spyOn(SignatureIndex.prototype, 'enqueue');
    const scheduler = new Scheduler({ preemption: false });
    scheduler.addNode(makeNode('n'));
    const none: PodSpec = { containers: [{ name: 'c', resources: { requests: { cpu: 100 } } }] };
    scheduler.scheduleBatch(range(0, 300).map((i) => podOf(`p${i}`, none)));
    expect(enqueue.mock.calls.length).toBeLessThan(10 * 300);
  });

  test('a signature that finds no room for a column leaves nothing behind', () => {
    const { allocate, free } = SharedMemory.prototype;
    let usedBytes = 0;
    vi.spyOn(SharedMemory.prototype, 'allocate').mockImplementation(function (this: SharedMemory, bytes) {
      // Rows and tree of 64 nodes.
      if (bytes === 96 * 16) throw new OutOfMemoryError(bytes);
      usedBytes += bytes;
      return allocate.call(this, bytes);
    });
    vi.spyOn(SharedMemory.prototype, 'free').mockImplementation(function (this: SharedMemory, pointer, bytes) {
      usedBytes -= bytes;
      free.call(this, pointer, bytes);
    });
    const gpu = { 'example.com/gpu': 1 };
    const extra: PodSpec = { containers: [{ name: 'c', resources: { requests: gpu } }] };
    const scheduler = new Scheduler();
    for (const i of range(0, 9)) scheduler.addNode(makeNode(`n${i}`, { allocatable: { 'example.com/gpu': 9 } }));
    scheduler.schedule(podOf('first', extra));
    const before = usedBytes;
    for (const i of range(0, 9)) scheduler.schedule(podOf(`p${i}`, extra));
    expect(usedBytes).toBe(before);
  });
});

test('soft spread by hostname counts each node by itself, also where two nodes have one hostname', () => {
  const [expected, ...others] = onAllWays((options) => {
    const scheduler = new Scheduler(options);
    const nodes = [
      { name: 'n0', host: 'shared', cpu: 6 },
      { name: 'n1', host: 'own', cpu: 8 },
      { name: 'n2', host: 'shared', cpu: 6 },
    ];
    for (const { name, host, cpu } of nodes) {
      scheduler.addNode(makeNode(name, { cpu, zone: 'z', labels: { 'kubernetes.io/hostname': host } }));
    }
    scheduler.setObject('Service', {
      metadata: { name: 's', namespace: 'default' },
      spec: { selector: { app: 'web' } },
    });
    return range(0, 6).map((i) => {
      const metadata = { name: `p${i}`, namespace: 'default', labels: { app: 'web' } };
      return scheduler.schedule({ metadata, spec: small });
    });
  });
  for (const other of others) expect(other).toEqual(expected);
});

describe('a verdicts', () => {
  test('that starts over when rows have been added knows why it rejects their nodes', () => {
    const taints = [{ key: 'a', effect: 'NoSchedule' }];
    const [expected, ...others] = onAllWays((options) => {
      const scheduler = new Scheduler({ ...options, preemption: false });
      for (const i of range(0, 10)) scheduler.addNode(makeNode(`n${i}`, { taints }));
      scheduler.schedule(podOf('a', small));
      for (const i of range(10, 110)) scheduler.addNode(makeNode(`n${i}`, { taints }));
      // More changes than the log of nodes remembers.
      for (const _ of range(0, 1100)) scheduler.updateNode(makeNode('n10', { taints }));
      return scheduler.schedule(podOf('b', small));
    });
    for (const other of others) expect(other).toEqual(expected);
  });
});

describe('a batch', () => {
  test('gives totals beyond 2^31', () => {
    const plugins = {
      score: { enabled: [{ name: 'NodeResourcesFit', weight: 2 ** 31 - 1 }], disabled: [{ name: '*' }] },
    };
    const configuration = configured({ profiles: [{ plugins }] });
    const start = (): Scheduler => {
      const scheduler = new Scheduler({ configuration });
      for (const name of ['n1', 'n2']) scheduler.addNode(makeNode(name));
      return scheduler;
    };
    const alone = start().schedule(podOf('p', small));
    expect(alone).toMatchObject({ status: 'scheduled', score: 98 * (2 ** 31 - 1) });
    const batch = start().scheduleBatch([podOf('p', small)]);
    expect(batch.at(0)).toEqual({ ...alone, ties: undefined });
    expect(batch.scores[0]).toBe(98 * (2 ** 31 - 1));
  });

  test('a pod whose nomination a pod before it has taken away is searched for among all nodes', () => {
    const spec = (priority: number, options: Parameters<typeof makePod>[1]): PodSpec => ({
      ...makePod('x', options).spec,
      priority,
    });
    const port = { ports: [{ hostPort: 80 }] };
    const oneCpu = { requests: { cpu: 1 } };
    const [alone, together] = [false, true].map((isBatch) => {
      const scheduler = new Scheduler();
      scheduler.addNode(makeNode('n1', { cpu: 2, labels: { pool: 'x' } }));
      for (const name of ['v1', 'v2']) scheduler.addPod(podOf(name, spec(0, { ...oneCpu, nodeName: 'n1' })));
      expect(scheduler.schedule(podOf('low', spec(5, oneCpu)))).toMatchObject({ nominatedNode: 'n1' });
      for (const name of ['v1', 'v2']) scheduler.removePod('default', name);
      scheduler.addPod(podOf('v3', spec(0, { ...port, nodeName: 'n1' })));
      scheduler.addNode(makeNode('n2', { cpu: 30 }));
      // The first evicts v3 for the sake of its port: now n1 is its own, though there is room for both.
      const pods = [podOf('high', spec(10, { ...port, nodeSelector: { pool: 'x' } })), podOf('low', spec(5, oneCpu))];
      const results = isBatch ? [...scheduler.scheduleBatch(pods)] : pods.map((pod) => scheduler.schedule(pod));
      return results.map((result) => ({ ...result, ties: undefined }));
    });
    expect(alone).toMatchObject([{ nominatedNode: 'n1' }, { node: 'n2' }]);
    expect(together).toEqual(alone);
  });

  test('that runs out of memory leaves its pods free to be scheduled', () => {
    const scheduler = new Scheduler();
    scheduler.addNode(makeNode('n'));
    const pods = range(0, 3).map((i) => podOf(`p${i}`, small));
    const allocate = vi.spyOn(SharedMemory.prototype, 'allocate').mockImplementation((bytes) => {
      throw new OutOfMemoryError(bytes);
    });
    const noMemory = expect.objectContaining({ name: 'SchedulerError', code: 'OutOfMemory' });
    expect(() => scheduler.schedule(pods[0] as Pod)).toThrow(noMemory);
    for (const result of scheduler.scheduleBatch(pods)) expect(result).toMatchObject({ status: 'error' });
    allocate.mockRestore();
    expect(scheduler.scheduleBatch(pods).scheduledCount).toBe(3);
  });
});

test('what is special to a pod is checked, though its template has been', () => {
  const scheduler = new Scheduler();
  scheduler.addNode(makeNode('n'));
  scheduler.schedule(podOf('good', small));
  const bad = [
    podOf('Not A Name', small),
    { metadata: { name: 'labelled', namespace: 'default', labels: { '?': 'x' } }, spec: small },
  ];
  for (const pod of bad) {
    expect(() => scheduler.schedule(pod)).toThrow('metadata');
    expect(() => scheduler.scheduleBatch([pod])).toThrow('metadata');
    expect(() => scheduler.addPod(pod)).toThrow('metadata');
  }
});
