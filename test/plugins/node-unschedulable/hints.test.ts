import { expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { NodeUnschedulable } from '../../../src/plugins/node-unschedulable/plugin.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { askHint, known } from '../ask-hint.ts';

const cordoned = makeNode('n', { unschedulable: true });
const open = makeNode('n', { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] });

test.each<[string, Node | undefined, Node, string]>([
  ['a new node that takes pods, whatever its taints', undefined, open, 'Queue'],
  ['a new node that is cordoned', undefined, cordoned, 'QueueSkip'],
  ['uncordoned', cordoned, open, 'Queue'],
  ['open before and after', open, makeNode('n'), 'QueueSkip'],
  ['cordoned before and after', cordoned, cordoned, 'QueueSkip'],
])('NodeUnschedulable: %s', (_what, before, after, hint) => {
  const action = before === undefined ? ActionType.Add : ActionType.UpdateNodeTaint;
  expect(askHint(new NodeUnschedulable(), ['Node', action], makePod('p'), { before, after })).toBe(hint);
});

test('NodeUnschedulable: the pod itself tolerates cordoned nodes now', () => {
  const tolerating = (name: string, key: string) =>
    known(makePod(name, { tolerations: [{ key, operator: 'Exists', effect: 'NoSchedule' }] }));
  const event = ['UnschedulablePod', ActionType.UpdatePodToleration] as const;
  const pod = known(makePod('p'));
  const ask = (after: unknown) => askHint(new NodeUnschedulable(), event, pod, { before: pod, after });
  const cordon = 'node.kubernetes.io/unschedulable';
  expect([ask(tolerating('p', cordon)), ask(tolerating('p', 'other')), ask(tolerating('q', cordon))]).toEqual([
    ...['Queue', 'QueueSkip', 'QueueSkip'],
  ]);
});
