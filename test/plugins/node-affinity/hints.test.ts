import { expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { NodeAffinity } from '../../../src/plugins/node-affinity/plugin.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { askHint } from '../ask-hint.ts';

const ssd = makeNode('n', { labels: { disk: 'ssd', more: 'x' } });
const hdd = makeNode('n', { labels: { disk: 'hdd' } });
const pod = makePod('p', { nodeSelector: { disk: 'ssd' } });

test.each<[string, Node | undefined, Node, string]>([
  ['a new node that matches', undefined, ssd, 'Queue'],
  ['a new node that does not', undefined, hdd, 'QueueSkip'],
  ['begins to match', hdd, ssd, 'Queue'],
  ['still matches', makeNode('n', { labels: { disk: 'ssd' } }), ssd, 'QueueSkip'],
  ['matches no more', ssd, hdd, 'QueueSkip'],
])('NodeAffinity: %s', (_what, before, after, hint) => {
  const action = before === undefined ? ActionType.Add : ActionType.UpdateNodeLabel;
  expect(askHint(new NodeAffinity(), ['Node', action], pod, { before, after })).toBe(hint);
});

test('NodeAffinity: what the arguments add must match, too', () => {
  const terms = [{ matchExpressions: [{ key: 'more', operator: 'Exists' }] }];
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  const plugin = new NodeAffinity({ addedAffinity: required });
  const plain = makeNode('n', { labels: { disk: 'ssd' } });
  const ask = (before: Node, after: Node) =>
    askHint(plugin, ['Node', ActionType.UpdateNodeLabel], pod, { before, after });
  expect([ask(hdd, plain), ask(hdd, ssd), ask(plain, ssd)]).toEqual(['QueueSkip', 'Queue', 'QueueSkip']);
});

test('NodeAffinity: fails where only a term that cannot be read could match', () => {
  const malformed = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['-bad-'] }] };
  const onSsd = { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] };
  const ask = (who: Pod, after: Node, before?: Node) => {
    const action = before === undefined ? ActionType.Add : ActionType.UpdateNodeLabel;
    return askHint(new NodeAffinity(), ['Node', action], who, { before, after });
  };
  const either = makePod('p', { required: [malformed, onSsd] });
  expect(() => ask(makePod('p', { required: [malformed] }), ssd)).toThrow('-bad-');
  expect(() => ask(either, hdd)).toThrow('-bad-');
  expect(() => ask(either, ssd, hdd)).toThrow('-bad-');
  expect(ask(either, ssd)).toBe('Queue');
  expect(ask(makePod('p', { required: [malformed], nodeSelector: { disk: 'ssd' } }), hdd)).toBe('QueueSkip');
});
