import { expect, test } from 'vitest';
import { BatchResult } from '../../src/core/batch-result.ts';
import { type ScheduleResult, Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { batchAnswerOf, expectedBatchAnswer } from './batch-answer.ts';

const ALONE: readonly ScheduleResult[] = [
  { status: 'scheduled', node: 'n1', score: 471, feasibleNodes: 3, ties: 2 },
  { status: 'scheduled', node: 'n1', score: null, feasibleNodes: 1, ties: 1 },
  { status: 'scheduled', node: 'n1', score: 0, feasibleNodes: 2, ties: 1 },
  { status: 'unschedulable', message: '0/1 nodes are available', nominatedNode: 'n1', victims: ['default/v'] },
  { status: 'gated', plugin: 'SchedulingGates', reasons: ['waiting'] },
  { status: 'notResponsible', schedulerName: 'nobody' },
  { status: 'error', message: 'no' },
];

test('says of each pod what a decision for it alone says, however it was written down', () => {
  const byCycle = new BatchResult(ALONE.length);
  const byIndex = new BatchResult(ALONE.length, ['n0', 'n1']);
  ALONE.forEach((result, i) => {
    byCycle.set(i, result);
    if (result.status !== 'scheduled') byIndex.set(i, result);
    // An index has a total for the only feasible node, too, but the result has none.
    else byIndex.setPlaced(i, 1, result.score ?? 99, result.feasibleNodes);
  });
  const expected = expectedBatchAnswer(ALONE);
  expect(batchAnswerOf(byCycle)).toEqual(expected);
  expect(batchAnswerOf(byIndex)).toEqual(expected);
  expect(expected.nodeNames).toEqual(['n1', 'n1', 'n1', null, null, null, null]);
  expect(expected.scores).toEqual([471, -1, 0, -1, -1, -1, -1]);
  expect(expected.feasibleNodes).toEqual([3, 1, 2, -1, -1, -1, -1]);
  expect(expected.scheduledCount).toBe(3);
});

test('can be iterated over more than once, and is of no pods when there were none', () => {
  const batch = new BatchResult(1);
  batch.set(0, ALONE[3] as ScheduleResult);
  expect([...batch]).toEqual([...batch]);
  expect(batchAnswerOf(new BatchResult(0))).toEqual(expectedBatchAnswer([]));
});

test('there is nothing before the first and behind the last', () => {
  const batch = new BatchResult(2);
  for (const index of [-1, 2]) {
    expect(() => batch.at(index)).toThrow(`result ${index} of 2`);
    expect(() => batch.nodeName(index)).toThrow(`result ${index} of 2`);
  }
});

test('keeps the names of nodes that others have replaced since', () => {
  const scheduler = new Scheduler();
  scheduler.addNode(makeNode('a'));
  const batch = scheduler.scheduleBatch([makePod('p'), makePod('q')]);
  scheduler.removeNode('a');
  scheduler.addNode(makeNode('b'));
  const later = scheduler.scheduleBatch([makePod('r')]);
  expect([batch.nodeName(0), batch.nodeName(1), later.nodeName(0)]).toEqual(['a', 'a', 'b']);
  expect(batch.at(1)).toMatchObject({ status: 'scheduled', node: 'a' });
});
