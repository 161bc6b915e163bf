import { describe, expect, it, test } from 'vitest';
import { BackoffQueue } from '../../../src/scheduler/queue/backoff-queue.ts';
import { isBeforeByPriority } from '../../../src/scheduler/queue/pod-order.ts';
import { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { pendingPodInfo } from '../../builders/make-queue.ts';

/** Every pod may leave its back-off early. */
const ANY = (): boolean => true;

interface Failed {
  readonly unschedulable?: number;
  readonly errors?: number;
  readonly priority?: number;
}

let arrivals = 0;

function failed(
  name: string,
  atMillis: number,
  { unschedulable = 0, errors = 0, priority = 0 }: Failed,
): QueuedPodInfo {
  const pod = new QueuedPodInfo(pendingPodInfo(name, priority), atMillis, arrivals++);
  pod.attempts = unschedulable + errors;
  pod.unschedulableCount = unschedulable;
  pod.consecutiveErrorsCount = errors;
  if (errors === 0) pod.unschedulablePlugins = new Set(['Fit']);
  return pod;
}

function newQueue(): BackoffQueue {
  return new BackoffQueue({ podInitialBackoffMillis: 1000, podMaxBackoffMillis: 10_000 }, isBeforeByPriority);
}

test.each([
  [{ unschedulable: 1 }, 813, 1000],
  [{ unschedulable: 2 }, 813, 2000],
  [{ unschedulable: 4 }, 813, 8000],
  [{ unschedulable: 5 }, 813, 10_000],
  [{ unschedulable: 60 }, 813, 10_000],
  [{ errors: 1, unschedulable: 4 }, 0, 1000],
  [{}, 813, Number.NEGATIVE_INFINITY],
])('failures %j, the last at %i ms: backs off until %i ms', (failures, atMillis, expirationMillis) => {
  expect(newQueue().expirationMillis(failed('p', atMillis, failures))).toBe(expirationMillis);
});

describe('BackoffQueue', () => {
  it('lets a pod go only when the second of its expiry is over', () => {
    const queue = newQueue();
    queue.push(failed('p', 813, { unschedulable: 1 }));
    expect(queue.popCompleted(1999)).toBeUndefined();
    expect(queue.popCompleted(2000)?.podInfo.name).toBe('p');
    expect(queue.length).toBe(0);
  });

  it('orders by second, and within one as the active queue does', () => {
    const queue = newQueue();
    const pods = [
      failed('low', 100, { unschedulable: 1 }),
      failed('later', 1100, { unschedulable: 1, priority: 99 }),
      failed('high', 900, { unschedulable: 1, priority: 5 }),
    ];
    for (const pod of pods) queue.push(pod);
    expect([queue.popEarly(ANY), queue.popEarly(ANY), queue.popEarly(ANY)].map((pod) => pod?.podInfo.name)).toEqual([
      'high',
      'low',
      'later',
    ]);
  });

  it('never gives a pod early that met an error', () => {
    const queue = newQueue();
    const pod = failed('p', 0, { errors: 1 });
    queue.push(pod);
    expect(pod.place).toBe('errorBackoff');
    expect(queue.popEarly(ANY)).toBeUndefined();
    expect(queue.popCompleted(2000)).toBe(pod);
  });

  it('keeps pods that must stay, and their order', () => {
    const queue = newQueue();
    for (const name of ['a', 'b', 'c']) queue.push(failed(name, 100, { unschedulable: 1 }));
    expect(queue.popEarly(({ podInfo }) => podInfo.name === 'b')?.podInfo.name).toBe('b');
    expect(queue.popEarly(() => false)).toBeUndefined();
    expect([queue.popEarly(ANY), queue.popEarly(ANY)].map((pod) => pod?.podInfo.name)).toEqual(['a', 'c']);
  });

  it('takes a pod out of either half', () => {
    const queue = newQueue();
    const pods = [failed('a', 0, { errors: 1 }), failed('b', 0, { unschedulable: 1 })];
    for (const pod of pods) queue.push(pod);
    for (const pod of pods) queue.remove(pod);
    expect(queue.length).toBe(0);
  });
});
