import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PodWorkQueue } from '../../src/kubelet/sync-ticker.ts';
import { FakeClock } from '../../src/lib/clock.ts';

test('a pod comes out after its time, not at it, and once', () => {
  const clock = new FakeClock();
  const queue = new PodWorkQueue(clock);
  queue.enqueue('a', 0);
  queue.enqueue('b', 10);
  expect(queue.takeDue()).toEqual([]);
  clock.advance(1);
  expect(queue.takeDue()).toEqual(['a']);
  clock.advance(9);
  expect(queue.takeDue()).toEqual([]);
  clock.advance(1);
  expect(queue.takeDue()).toEqual(['b']);
  expect(queue.takeDue()).toEqual([]);
});

test('the latest time of a pod is the one that counts', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(20), fc.nat(20)), { maxLength: 30 }), (steps) => {
      const clock = new FakeClock();
      const queue = new PodWorkQueue(clock);
      const dueMillis: Record<string, number> = {};
      for (const [pod, delayMillis, advanceMillis] of steps) {
        queue.enqueue(`p${pod}`, delayMillis);
        dueMillis[`p${pod}`] = clock.nowMillis() + delayMillis;
        clock.advance(advanceMillis);
        const expected = Object.keys(dueMillis).filter((uid) => dueMillis[uid]! < clock.nowMillis());
        expect(queue.takeDue().toSorted()).toEqual(expected.toSorted());
        for (const uid of expected) delete dueMillis[uid];
      }
    }),
  );
});
