import { expect, test } from 'vitest';
import { Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

/** Longer than lists that V8 keeps among other objects, so that the batch keeps entries of the known pods. */
const PODS = 40_000;
const NODES = 50;

function newScheduler(): Scheduler {
  const scheduler = new Scheduler();
  for (let i = 0; i < NODES; i++) scheduler.addNode(makeNode(`n${i}`, { cpu: 100 + i, pods: PODS }));
  return scheduler;
}

const pods = Array.from({ length: PODS }, (_, i) => makePod(`p${i}`, { requests: { cpu: i % 7 === 0 ? '2m' : '1m' } }));

test('a long batch is placed as its parts are', () => {
  const [whole, parted] = [newScheduler(), newScheduler()];
  // Entries of pods that are gone are used again, in another order.
  for (const scheduler of [whole, parted]) {
    scheduler.scheduleBatch(Array.from({ length: 100 }, (_, i) => makePod(`old-${i}`)));
    for (let i = 0; i < 100; i += 3) scheduler.removePod('default', `old-${i}`);
  }
  const result = whole.scheduleBatch(pods);
  const names: (string | null)[] = [];
  for (let i = 0; i < PODS; i += 1000) {
    const part = parted.scheduleBatch(pods.slice(i, i + 1000));
    for (let k = 0; k < part.length; k++) names.push(part.nodeName(k));
  }
  expect(Array.from({ length: PODS }, (_, i) => result.nodeName(i))).toEqual(names);
  expect(whole.node('n7')?.pods).toEqual(parted.node('n7')?.pods);
});

test('of a long batch with a pod twice, nothing is placed', () => {
  const scheduler = newScheduler();
  expect(() => scheduler.scheduleBatch([...pods, makePod('p5')])).toThrow('pod default/p5 is twice in the batch');
  expect(scheduler.pod('default', 'p6')).toBeUndefined();
  expect(scheduler.scheduleBatch(pods).scheduledCount).toBe(PODS);
});
