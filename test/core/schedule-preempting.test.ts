import { expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { ScheduleResult } from '../../src/core/decision/result.ts';
import { schedulePreempting } from '../../src/core/schedule-preempting.ts';
import { Scheduler } from '../../src/core/scheduler.ts';

const POD: Pod = { metadata: { name: 'p' } };

function script(...results: readonly ScheduleResult[]) {
  const removed: string[] = [];
  let turn = 0;
  return {
    removed,
    schedule: () => results[turn++] as ScheduleResult,
    removePod: (namespace: string, name: string) => void removed.push(`${namespace}/${name}`),
  };
}

const scheduled: ScheduleResult = { status: 'scheduled', node: 'n', score: null, feasibleNodes: 1, ties: 1 };
const nominated = (nominatedNode: string, ...victims: readonly string[]): ScheduleResult => ({
  status: 'unschedulable',
  message: 'no room',
  nominatedNode,
  victims,
});

it('removes the victims in order and tries again', () => {
  const scheduler = script(nominated('n', 'a/x', 'b/y'), scheduled);
  expect(schedulePreempting(scheduler, POD)).toEqual({
    result: scheduled,
    preemption: { nominatedNode: 'n', victims: ['a/x', 'b/y'], message: 'no room' },
  });
  expect(scheduler.removed).toEqual(['a/x', 'b/y']);
});

it('remembers every victim when one round was not enough', () => {
  const scheduler = script(nominated('n', 'a/x'), nominated('m', 'a/y'), scheduled);
  expect(schedulePreempting(scheduler, POD).preemption).toMatchObject({ nominatedNode: 'm', victims: ['a/x', 'a/y'] });
});

it('takes any other answer as it is', () => {
  const answers: ScheduleResult[] = [scheduled, { status: 'unschedulable', message: 'no' }, nominated('n')];
  for (const answer of answers) {
    expect(schedulePreempting(script(answer), POD)).toEqual({ result: answer, preemption: null });
  }
});

it('ends with the pod on its nominated node', () => {
  const scheduler = new Scheduler();
  const containers = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
  scheduler.addNode({ metadata: { name: 'n1' }, status: { allocatable: { cpu: '1', memory: '1Gi', pods: '9' } } });
  scheduler.addPod({ metadata: { name: 'low' }, spec: { nodeName: 'n1', priority: 0, containers } });
  const attempt = schedulePreempting(scheduler, { metadata: { name: 'high' }, spec: { priority: 1, containers } });
  expect(attempt.result).toMatchObject({ status: 'scheduled', node: 'n1' });
  expect(attempt.preemption?.victims).toEqual(['default/low']);
});
