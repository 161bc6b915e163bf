import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { NodeDeclaredFeatures } from '../../../src/plugins/node-declared-features/plugin.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { askHint, known } from '../ask-hint.ts';

const plugin = new NodeDeclaredFeatures();
const needy = (name: string): Pod => {
  const pod = known(makePod(name));
  const restartPolicyRules = [{ action: 'RestartAllContainers' }];
  return { ...pod, spec: { containers: [{ name: 'app', restartPolicyRules }] } };
};

test('NodeDeclaredFeatures: new nodes, and those that declare something else', () => {
  const ask = (before: unknown, action: number) =>
    askHint(plugin, ['Node', action], makePod('p'), { before, after: makeNode('n', { features: ['F'] }) });
  expect([
    ask(undefined, ActionType.Add),
    ask(makeNode('n'), ActionType.UpdateNodeDeclaredFeature),
    ask(makeNode('n', { features: ['F'] }), ActionType.UpdateNodeDeclaredFeature),
    ask(makeNode('n'), ActionType.UpdateNodeLabel),
  ]).toEqual(['Queue', 'Queue', 'QueueSkip', 'not registered']);
});

test('NodeDeclaredFeatures: the pod itself needs something else', () => {
  const event = ['UnschedulablePod', ActionType.UpdatePodOther] as const;
  const ask = (after: Pod) => askHint(plugin, event, needy('p'), { before: needy('p'), after });
  expect([ask(known(makePod('p'))), ask(needy('p')), ask(known(makePod('q')))]).toEqual([
    ...['Queue', 'QueueSkip', 'QueueSkip'],
  ]);
});
