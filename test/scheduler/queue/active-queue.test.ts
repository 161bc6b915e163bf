import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ActiveQueue, PrioritySortedPods, SortedPods } from '../../../src/scheduler/queue/active-queue.ts';
import { isBeforeByPriority } from '../../../src/scheduler/queue/pod-order.ts';
import { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { pendingPodInfo } from '../../builders/make-queue.ts';

let arrivals = 0;

function queued(name: string, priority: number, timestampMillis: number): QueuedPodInfo {
  return new QueuedPodInfo(pendingPodInfo(name, priority), timestampMillis, arrivals++);
}

function namesOf(queue: ActiveQueue): string[] {
  const names: string[] = [];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) names.push(next.podInfo.name);
  return names;
}

const ORDERS = {
  PrioritySortedPods: () => new PrioritySortedPods(),
  SortedPods: () => new SortedPods(isBeforeByPriority),
};

describe.each(Object.entries(ORDERS))('%s', (_name, create) => {
  it('gives the highest priority first, then who waits longer, then who came first', () => {
    const queue = create();
    for (const pod of [queued('a', 0, 5), queued('b', 10, 9), queued('c', 0, 1), queued('d', 10, 9)]) queue.push(pod);
    expect(queue.length).toBe(4);
    expect(namesOf(queue)).toEqual(['b', 'd', 'c', 'a']);
    expect(queue.length).toBe(0);
  });

  it('takes pods out of the middle', () => {
    const queue = create();
    const pods = [queued('a', 0, 1), queued('b', 0, 2), queued('c', 0, 3)];
    for (const pod of pods) queue.push(pod);
    queue.remove(pods[0] as QueuedPodInfo);
    queue.remove(pods[1] as QueuedPodInfo);
    expect(namesOf(queue)).toEqual(['c']);
  });

  it('moves a pod whose priority changed', () => {
    const queue = create();
    const low = queued('low', 0, 1);
    for (const pod of [low, queued('middle', 5, 2)]) queue.push(pod);
    low.podInfo = pendingPodInfo('low', 9);
    queue.update(low);
    expect(namesOf(queue)).toEqual(['low', 'middle']);
  });
});

it('SortedPods: pods that the queue sort takes for equal go in order of arrival', () => {
  const queue = new SortedPods(() => false);
  for (const name of ['a', 'b', 'c', 'd', 'e']) queue.push(queued(name, 0, 0));
  expect(namesOf(queue)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

type Step =
  | readonly ['push', priority: number, timestampMillis: number]
  | readonly ['pop']
  | readonly ['remove', number];

function steps(priorityMax: number, timeMax: number): fc.Arbitrary<readonly Step[]> {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(fc.constant('push' as const), fc.nat(priorityMax), fc.nat(timeMax)) },
    fc.tuple(fc.constant('pop' as const)),
    fc.tuple(fc.constant('remove' as const), fc.nat()),
  );
  return fc.array(step, { minLength: 50, maxLength: 200 });
}

it.each([
  ['more priorities than it has runs', steps(80, 20)],
  ['few priorities, whose pods come in many orders', steps(1, 20)],
  ['few times, whose pods come in few orders', steps(2, 1)],
])('PrioritySortedPods: is a sorted list, with %s', (_what, arbitrary) => {
  fc.assert(
    fc.property(arbitrary, (script) => {
      const queue = new PrioritySortedPods();
      let model: QueuedPodInfo[] = [];
      for (const [kind, first = 0, second = 0] of script) {
        if (kind === 'push') {
          const pod = queued('p', first, second);
          queue.push(pod);
          model = [...model, pod].sort((a, b) => (isBeforeByPriority(a, b) ? -1 : 1));
        } else if (kind === 'pop') {
          expect(queue.pop()).toBe(model.shift());
        } else if (model.length > 0) {
          const [removed] = model.splice(first % model.length, 1);
          queue.remove(removed as QueuedPodInfo);
        }
        expect(queue.length).toBe(model.length);
      }
      for (const expected of model) expect(queue.pop()).toBe(expected);
      expect(queue.pop()).toBeUndefined();
    }),
  );
});
