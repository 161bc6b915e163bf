import { beforeEach, expect, test } from 'vitest';
import { EvictionQueue } from '../../../src/controllers/node-lifecycle/eviction-queue.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

let loop: VirtualEventLoop;
let taken: string[];
let queue: EvictionQueue;

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  taken = [];
  queue = new EvictionQueue(loop, 10_000, (name) => taken.push(`${name} ${loop.nowMillis()}`));
});

test('the first node at once, then one at a time', () => {
  for (const name of ['a', 'b', 'a', 'c']) queue.add(name);
  loop.runUntil(15_000);
  queue.remove('c');
  queue.add('d');
  loop.runUntilIdle();
  expect(taken).toEqual(['a 0', 'b 10000', 'd 20000']);
});

test('a node that was taken can be added again, and waits for its turn', () => {
  queue.add('a');
  loop.runUntil(1000);
  for (const name of ['b', 'a']) queue.add(name);
  loop.runUntilIdle();
  expect(taken).toEqual(['a 0', 'b 10000', 'a 20000']);
});

test('waits when it is stopped, and for as long as no node may go', () => {
  queue.millisPerNode = Number.POSITIVE_INFINITY;
  queue.add('a');
  loop.runUntilIdle();
  expect(taken).toEqual([]);
  queue.millisPerNode = 100_000;
  queue.stop();
  loop.runUntilIdle();
  expect(taken).toEqual([]);
});
