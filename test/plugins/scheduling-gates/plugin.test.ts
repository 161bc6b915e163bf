import { expect, test } from 'vitest';
import { SchedulingGates } from '../../../src/plugins/scheduling-gates/plugin.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';

test('SchedulingGates holds a pod back until its last gate is gone', () => {
  const ask = (...gates: string[]) => new SchedulingGates().preEnqueue(makePodInfo(makePod('p', { gates })));
  expect(ask()).toBeNull();
  expect(new SchedulingGates().preEnqueue(makePodInfo({}))).toBeNull();
  expect(ask('example.com/a', 'example.com/b')).toEqual({
    code: 'UnschedulableAndUnresolvable',
    plugin: 'SchedulingGates',
    reasons: ['waiting for scheduling gates: [example.com/a example.com/b]'],
  });
});
