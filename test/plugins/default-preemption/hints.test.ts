import { expect, test } from 'vitest';
import { ActionType } from '../../../src/framework/events.ts';
import { DefaultPreemption } from '../../../src/plugins/default-preemption/plugin.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makePod } from '../../builders/make-pod.ts';
import { askHint } from '../ask-hint.ts';

test('DefaultPreemption: registers for deleted pods, which queue no pod by themselves', () => {
  const plugin = new DefaultPreemption(makeCluster([]));
  const ask = (action: number) => askHint(plugin, ['AssignedPod', action], makePod('p'), { before: makePod('v') });
  expect([ask(ActionType.Delete), ask(ActionType.Add)]).toEqual(['QueueSkip', 'not registered']);
});
