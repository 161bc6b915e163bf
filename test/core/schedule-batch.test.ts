import { describe, expect, test } from 'vitest';
import type { PodSpec } from '../../src/api/pod.ts';
import { type Pod, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const specOf = (cpu: number | string, more: PodSpec = {}): PodSpec => ({
  ...makePod('x', { requests: { cpu } }).spec,
  ...more,
});
const podOf = (name: string, spec: PodSpec, rest: Partial<Pod> = {}): Pod => ({
  metadata: { name, namespace: 'default' },
  spec,
  ...rest,
});
const oneCpu = specOf(1);
const GATED: PodSpec = { schedulingGates: [{ name: 'g' }] };
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const WAYS: readonly SchedulerOptions[] = (['reference', 'scalar', 'simd'] as const).flatMap((engine) =>
  [true, false].map((index) => ({ engine, index })),
);

describe.each(WAYS)('a batch, $engine, index $index', (options) => {
  function withNodes(cpus: readonly number[], more: SchedulerOptions = {}): Scheduler {
    const scheduler = new Scheduler({ ...options, ...more });
    for (const [i, cpu] of cpus.entries()) scheduler.addNode(makeNode(`n${i}`, { cpu }));
    return scheduler;
  }

  const malformed = podOf('bad', { containers: [{ name: 'app', resources: { requests: { cpu: 'much' } } }] });

  test.each<[string, readonly Pod[], string]>([
    ['a pod that is malformed', [podOf('a', oneCpu), malformed, podOf('b', oneCpu)], 'malformed quantity "much"'],
    ['a pod without a name', [podOf('a', oneCpu), { metadata: {}, spec: oneCpu }], 'metadata.name'],
    ['a pod twice', [podOf('a', oneCpu), podOf('b', oneCpu), podOf('a', specOf(2))], 'default/a is twice in the batch'],
    ['a pod that is placed', [podOf('a', oneCpu), podOf('placed', oneCpu)], 'default/placed is on node n0 already'],
    ['a pod that is bound', [podOf('a', oneCpu), podOf('bound', oneCpu)], 'default/bound is on node n1 already'],
    ['a pod on a node to come', [podOf('a', oneCpu), podOf('early', oneCpu)], 'default/early is on node later already'],
  ])('with %s is refused, with nothing changed', (_, pods, message) => {
    const scheduler = withNodes([4, 4]);
    scheduler.addPod(podOf('bound', { ...oneCpu, nodeName: 'n1' }));
    scheduler.addPod(podOf('early', { ...oneCpu, nodeName: 'later' }));
    scheduler.addPod(podOf('b', oneCpu));
    expect(scheduler.schedule(podOf('placed', oneCpu))).toMatchObject({ node: 'n0' });
    const before = scheduler.explain(podOf('probe', oneCpu));
    for (const _again of range(2)) expect(() => scheduler.scheduleBatch(pods)).toThrow(message);
    expect(scheduler.explain(podOf('probe', oneCpu))).toEqual(before);
    // b is pending as it was: it can neither be added again nor not be removed; a was never there.
    expect(() => scheduler.addPod(podOf('b', oneCpu))).toThrow('pod default/b exists already');
    scheduler.removePod('default', 'b');
    expect(() => scheduler.removePod('default', 'a')).toThrow('pod default/a is not known');
    const good = scheduler.scheduleBatch([podOf('a', oneCpu), podOf('b', oneCpu), podOf('bad', oneCpu)]);
    expect([...good].map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'scheduled']);
  });

  test('pods of one name in two namespaces are two', () => {
    const scheduler = withNodes([4, 4]);
    const pods = ['default', 'other', ''].map((namespace) =>
      podOf('p', oneCpu, { metadata: { name: 'p', namespace } }),
    );
    expect(scheduler.scheduleBatch(pods.slice(0, 2)).scheduledCount).toBe(2);
    expect(() => scheduler.scheduleBatch(pods.slice(2))).toThrow('pod default/p is on node n0 already');
    scheduler.removePod('other', 'p');
    expect(() => scheduler.removePod('other', 'p')).toThrow('pod other/p is not known');
  });

  test('pods that were pending are on their nodes afterwards, and leave them when they are removed', () => {
    const scheduler = withNodes([2]);
    for (const name of ['a', 'b', 'c']) scheduler.addPod(podOf(name, oneCpu));
    const batch = scheduler.scheduleBatch(['a', 'b', 'c'].map((name) => podOf(name, oneCpu)));
    expect([...batch].map(({ status }) => status)).toEqual(['scheduled', 'scheduled', 'unschedulable']);
    // c is pending still.
    expect(() => scheduler.addPod(podOf('c', oneCpu))).toThrow('pod default/c exists already');
    scheduler.removePod('default', 'a');
    expect(scheduler.scheduleBatch([podOf('c', oneCpu)]).nodeName(0)).toBe('n0');
    for (const name of ['b', 'c']) scheduler.removePod('default', name);
    expect(scheduler.scheduleBatch(range(3).map((i) => podOf(`again-${i}`, oneCpu))).scheduledCount).toBe(2);
  });

  test('a pod that fits nowhere is forgotten, and can be tried again', () => {
    const scheduler = withNodes([1]);
    const pods = [podOf('a', specOf(9)), podOf('b', oneCpu), podOf('c', specOf(9)), podOf('gated', specOf(1, GATED))];
    const statuses = () => [...scheduler.scheduleBatch(pods)].map(({ status }) => status);
    expect(statuses()).toEqual(['unschedulable', 'scheduled', 'unschedulable', 'gated']);
    expect(() => scheduler.removePod('default', 'a')).toThrow('not known');
    expect(() => scheduler.removePod('default', 'gated')).toThrow('not known');
    scheduler.removePod('default', 'b');
    scheduler.addNode(makeNode('large', { cpu: 20 }));
    expect(statuses()).toEqual(['scheduled', 'scheduled', 'scheduled', 'gated']);
  });

  test('a pod that evicts others keeps its room from pods behind it, until it comes', () => {
    const scheduler = withNodes([2, 1]);
    scheduler.addPod(podOf('victim', { ...specOf(2), nodeName: 'n0', priority: 0 }));
    const high = podOf('high', specOf(2, { priority: 10 }));
    const low = (name: string): Pod => podOf(name, specOf(1, { priority: 1 }));
    const batch = scheduler.scheduleBatch([high, low('a'), low('b')]);
    expect(batch.at(0)).toMatchObject({ status: 'unschedulable', nominatedNode: 'n0', victims: ['default/victim'] });
    expect([1, 2].map((i) => batch.nodeName(i))).toEqual(['n1', null]);
    scheduler.removePod('default', 'victim');
    expect(scheduler.scheduleBatch([low('b'), low('c')]).scheduledCount).toBe(0);
    // The nomination of `high` is known though its object does not show it.
    const later = scheduler.scheduleBatch([low('b'), high, low('c')]);
    expect([0, 1, 2].map((i) => later.nodeName(i))).toEqual([null, 'n0', null]);
    expect(later.at(1)).toEqual({ status: 'scheduled', node: 'n0', score: null, feasibleNodes: 1 });
  });

  test('what is placed together can be taken apart: sums of nodes that nobody had asked for', () => {
    const scheduler = withNodes([4, 4, 4]);
    const withPort = specOf('100m', { containers: [{ name: 'app', ports: [{ hostPort: 80 }], resources: {} }] });
    const pods = range(9).map((i) => podOf(`p${i}`, i % 3 === 2 ? withPort : specOf('500m')));
    const results = [...scheduler.scheduleBatch(pods)];
    expect(results.every(({ status }) => status === 'scheduled')).toBe(true);
    const fresh = withNodes([4, 4, 4]);
    results.forEach((result, i) => {
      if (result.status !== 'scheduled' || i % 2 > 0) scheduler.removePod('default', `p${i}`);
      else fresh.addPod(podOf(`p${i}`, { ...pods[i]?.spec, nodeName: result.node }));
    });
    const probes = [podOf('x', withPort), podOf('y', specOf(3)), podOf('z', specOf('3500m'))];
    for (const probe of probes) expect(scheduler.explain(probe)).toEqual(fresh.explain(probe));
  });

  test('pods of one template may differ in namespace, labels and status', () => {
    const scheduler = withNodes([4, 4]);
    const pods = [
      podOf('a', oneCpu, { metadata: { name: 'a', namespace: 'blue', labels: { app: 'web' } } }),
      podOf('b', oneCpu, { status: { phase: 'Pending' } }),
      podOf('c', oneCpu, { status: { nominatedNodeName: 'n1' } }),
      podOf('d', oneCpu, { status: { nominatedNodeName: 'nowhere' } }),
    ];
    const results = [...scheduler.scheduleBatch(pods)];
    expect(results).toMatchObject([{ node: 'n0' }, { node: 'n1' }, { node: 'n1', score: null }, { node: 'n0' }]);
    scheduler.removePod('blue', 'a');
  });

  test('an empty batch is no batch', () => {
    const scheduler = withNodes([1]);
    expect(scheduler.scheduleBatch([])).toMatchObject({ length: 0, scheduledCount: 0 });
  });
});

test('ends with the first pod that is not placed, if that is wanted; the pods after it can be scheduled later', () => {
  const scheduler = new Scheduler();
  scheduler.addNode(makeNode('n1', { allocatable: { cpu: '2', pods: '9' } }));
  const pods = ['1', '9', '1'].map((cpu, i) => makePod(`p${i}`, { requests: { cpu } }));
  const results = scheduler.scheduleBatch(pods, true);
  expect([...results].map(({ status }) => status)).toEqual(['scheduled', 'unschedulable']);
  expect([results.length, results.scheduledCount]).toEqual([2, 1]);
  expect(scheduler.schedule(pods[2] as Pod).status).toBe('scheduled');
});
