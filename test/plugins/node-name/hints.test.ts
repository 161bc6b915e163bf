import { expect, test } from 'vitest';
import { ActionType } from '../../../src/framework/events.ts';
import { NodeName } from '../../../src/plugins/node-name/plugin.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { askHint } from '../ask-hint.ts';

test('NodeName: any new node, no changed one', () => {
  const ask = (action: number) => askHint(new NodeName(), ['Node', action], makePod('p'), { after: makeNode('n') });
  expect([ask(ActionType.Add), ask(ActionType.UpdateNodeLabel)]).toEqual(['Queue', 'not registered']);
});
