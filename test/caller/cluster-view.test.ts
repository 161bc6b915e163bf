import { expect, test } from 'vitest';
import { Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

function start() {
  const scheduler = new Scheduler();
  const allocatable = { cpu: '4', memory: '8Gi', pods: 10 };
  scheduler.addNode(makeNode('b', { allocatable: { ...allocatable, 'example.com/gpu': 2 } }));
  scheduler.addNode(makeNode('a', { allocatable }));
  return scheduler;
}

test('nodes are listed in the order in which they were added, with their pods and what is free', () => {
  const scheduler = start();
  scheduler.schedule(makePod('p', { requests: { cpu: '1500m', 'example.com/gpu': 1 } }));
  expect(scheduler.nodes().map(({ name }) => name)).toEqual(['b', 'a']);
  const state = scheduler.node('b');
  expect(state?.pods.map(({ metadata }) => metadata?.name)).toEqual(['p']);
  expect(state?.usage).toEqual({
    pods: { allocatable: 10, requested: 1, free: 9 },
    cpu: { allocatable: 4000, requested: 1500, free: 2500 },
    memory: { allocatable: 8 * 2 ** 30, requested: 0, free: 8 * 2 ** 30 },
    'ephemeral-storage': { allocatable: 0, requested: 0, free: 0 },
    'example.com/gpu': { allocatable: 2, requested: 1, free: 1 },
  });
  expect(scheduler.usage()['cpu']).toEqual({ allocatable: 8000, requested: 1500, free: 6500 });
  expect(scheduler.node('c')).toBeUndefined();
});

test('pods are on nodes, on unknown nodes, or pending', () => {
  const scheduler = start();
  scheduler.schedule(makePod('p'));
  scheduler.addPod(makePod('ghost', { spec: { nodeName: 'gone' } }));
  scheduler.addPod(makePod('pending'));
  const places = scheduler.pods().map(({ pod, node }) => [pod.metadata?.name, node]);
  expect(places.toSorted()).toEqual([
    ['ghost', 'gone'],
    ['p', 'b'],
    ['pending', null],
  ]);
  expect(scheduler.pod('default', 'p')).toMatchObject({ node: 'b', nominatedNode: null });
  expect(scheduler.pod('default', 'nobody')).toBeUndefined();
});

test('objects of all kinds are known or not', () => {
  const scheduler = start();
  scheduler.schedule(makePod('p'));
  scheduler.setObject('Service', { metadata: { name: 's', namespace: 'x' }, spec: {} });
  const known = [
    scheduler.has('Node', 'a'),
    scheduler.has('Pod', 'p'),
    scheduler.has('Pod', 'p', 'default'),
    scheduler.has('Service', 's', 'x'),
  ];
  expect(known).toEqual([true, true, true, true]);
  expect([scheduler.has('Node', 'c'), scheduler.has('Pod', 'p', 'x'), scheduler.has('Service', 's')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(() => scheduler.has('Table' as never, 'x')).toThrow('is no kind of object');
});
