import { expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { TaintToleration } from '../../../src/plugins/taint-toleration/plugin.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { askHint, known } from '../ask-hint.ts';

const tainted = (effect: string) => makeNode('n', { taints: [{ key: 'k', effect }] });

test.each<[string, Node | undefined, Node, string]>([
  ['a new node that is tolerated', undefined, makeNode('n'), 'Queue'],
  ['a new node that is not', undefined, tainted('NoExecute'), 'QueueSkip'],
  ['a hard taint is gone', tainted('NoSchedule'), makeNode('n'), 'Queue'],
  ['a hard taint becomes soft', tainted('NoSchedule'), tainted('PreferNoSchedule'), 'Queue'],
  ['tolerated before and after', tainted('PreferNoSchedule'), makeNode('n'), 'QueueSkip'],
  ['still not tolerated', tainted('NoSchedule'), tainted('NoExecute'), 'QueueSkip'],
])('TaintToleration: %s', (_what, before, after, hint) => {
  const action = before === undefined ? ActionType.Add : ActionType.UpdateNodeTaint;
  expect(askHint(new TaintToleration(), ['Node', action], makePod('p'), { before, after })).toBe(hint);
});

test('TaintToleration: any change of the pod’s own tolerations', () => {
  const pod = known(makePod('p'));
  const event = ['UnschedulablePod', ActionType.UpdatePodToleration] as const;
  const ask = (name: string) =>
    askHint(new TaintToleration(), event, pod, { before: pod, after: known(makePod(name, { tolerations: [] })) });
  expect([ask('p'), ask('q')]).toEqual(['Queue', 'QueueSkip']);
});
