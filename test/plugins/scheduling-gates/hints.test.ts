import { expect, test } from 'vitest';
import { ActionType } from '../../../src/framework/events.ts';
import { SchedulingGates } from '../../../src/plugins/scheduling-gates/plugin.ts';
import { makePod } from '../../builders/make-pod.ts';
import { askHint, known } from '../ask-hint.ts';

test('SchedulingGates: the pod itself has lost its last gate', () => {
  const [gated, other] = [known(makePod('p', { gates: ['a'] })), known(makePod('q'))];
  const event = ['UnschedulablePod', ActionType.UpdatePodSchedulingGatesEliminated] as const;
  const ask = (after: unknown) => askHint(new SchedulingGates(), event, gated, { before: gated, after });
  expect([ask(known(makePod('p'))), ask(other)]).toEqual(['Queue', 'QueueSkip']);
});
