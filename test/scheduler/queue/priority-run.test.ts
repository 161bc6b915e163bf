import { expect, it } from 'vitest';
import { PriorityRun } from '../../../src/scheduler/queue/priority-run.ts';
import { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { pendingPodInfo } from '../../builders/make-queue.ts';

function queued(timestampMillis: number): QueuedPodInfo {
  return new QueuedPodInfo(pendingPodInfo(`p${timestampMillis}`), timestampMillis, timestampMillis);
}

it('takes no pod that belongs further ahead', () => {
  const run = new PriorityRun(0);
  expect(run.append(queued(5))).toBe(true);
  expect(run.append(queued(4))).toBe(false);
  expect(run.length).toBe(1);
});

it('begins anew when it is empty', () => {
  const run = new PriorityRun(0);
  const late = queued(5);
  run.append(late);
  run.remove(late);
  expect(run.head()).toBeUndefined();
  expect(run.append(queued(4))).toBe(true);
});

it('keeps its order while it grows and shrinks at once', () => {
  const run = new PriorityRun(0);
  let taken = 0;
  for (let time = 0; time < 1000; time++) {
    run.append(queued(time));
    if (time % 3 === 0) continue;
    const head = run.head() as QueuedPodInfo;
    expect(head.timestampMillis).toBe(taken++);
    run.remove(head);
  }
  expect(run.length).toBe(1000 - taken);
});
