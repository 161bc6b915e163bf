import { expect, test } from 'vitest';
import { makeQueue, NODE_ADD, pendingPod } from '../../builders/make-queue.ts';

test('an observer is notified of events of interest, and of every hint that is asked for', () => {
  const observed: unknown[] = [];
  const { queue, failNext } = makeQueue({
    observer: {
      eventHandled: (...args) => observed.push(['event', ...args]),
      hintGiven: (...args) => observed.push(['hint', ...args]),
    },
  });
  queue.add(pendingPod('a'));
  failNext('Fit');
  expect(observed).toEqual([]);
  queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, 'QueueSkip');
  queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, 'Queue');
  const { label } = NODE_ADD;
  expect(observed).toEqual([
    ['hint', 'Fit', label, 'QueueSkip', 0, 1],
    ['event', label, 0],
    ['hint', 'Fit', label, 'Queue', 0, 1],
    ['event', label, 0],
  ]);
});
