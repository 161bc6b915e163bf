import { describe, expect, test } from 'vitest';
import type { Taint } from '../../../src/api/node.ts';
import type { Toleration } from '../../../src/api/taints.ts';
import { TaintToleration } from '../../../src/plugins/taint-toleration/plugin.ts';
import { makeNodeInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { filterVerdict, rawScore } from '../ask-plugin.ts';

const REJECTED = 'UnschedulableAndUnresolvable: node(s) had untolerated taint(s)';
const taint = (effect: string, key = 'dedicated', value = 'batch'): Taint => ({ key, value, effect });
const nodeWith = (...taints: Taint[]) => makeNodeInfo(makeNode('n', { taints }));

describe('TaintToleration filters', () => {
  test.each<[string, Taint[], Toleration[], string]>([
    ['no taints', [], [], 'fits'],
    ['NoSchedule', [taint('NoSchedule')], [], REJECTED],
    ['NoExecute', [taint('NoExecute')], [], REJECTED],
    ['PreferNoSchedule', [taint('PreferNoSchedule')], [], 'fits'],
    ['an equal toleration', [taint('NoSchedule')], [{ key: 'dedicated', value: 'batch' }], 'fits'],
    ['another value', [taint('NoSchedule')], [{ key: 'dedicated', operator: 'Equal', value: 'web' }], REJECTED],
    ['an existing key', [taint('NoSchedule')], [{ key: 'dedicated', operator: 'Exists' }], 'fits'],
    ['another effect', [taint('NoExecute')], [{ operator: 'Exists', effect: 'NoSchedule' }], REJECTED],
    [
      'one of two taints',
      [taint('NoSchedule'), taint('NoSchedule', 'x')],
      [{ key: 'x', operator: 'Exists' }],
      REJECTED,
    ],
    ['everything', [taint('NoSchedule'), taint('NoExecute', 'x')], [{ operator: 'Exists' }], 'fits'],
    [
      'by comparison, which is gated off',
      [taint('NoSchedule', 'k', '5')],
      [{ key: 'k', operator: 'Gt', value: '1' }],
      REJECTED,
    ],
  ])('%s', (_, taints, tolerations, verdict) => {
    expect(filterVerdict(new TaintToleration(), makePod('p', { tolerations }), nodeWith(...taints))).toBe(verdict);
  });
});

describe('TaintToleration scores', () => {
  const soft = (key: string) => taint('PreferNoSchedule', key);

  test.each<[string, Toleration[], number]>([
    ['nothing', [], 2],
    ['one soft taint', [{ key: 'a', operator: 'Exists', effect: 'PreferNoSchedule' }], 1],
    ['one soft taint, by any effect', [{ key: 'a', value: 'batch' }], 1],
    ['a hard effect only', [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }], 2],
    ['everything', [{ operator: 'Exists' }], 0],
  ])('the soft taints that are not tolerated; tolerated: %s', (_, tolerations, score) => {
    const node = nodeWith(soft('a'), taint('NoSchedule', 'hard'), soft('b'));
    expect(rawScore(new TaintToleration(), makePod('p', { tolerations }), node)).toBe(score);
  });

  test('takes part even where there is nothing to count, reversed', () => {
    expect(rawScore(new TaintToleration(), makePod('p'), nodeWith())).toBe(0);
    expect(new TaintToleration().normalize).toEqual({ reverse: true });
  });
});

test('TaintToleration gives pods with other tolerations columns of their own', () => {
  const keyOf = (key: string): unknown =>
    new TaintToleration().dependsOn(makePod('p', { tolerations: [{ key, operator: 'Exists' }] }));
  expect(keyOf('a')).toEqual(keyOf('a'));
  expect(keyOf('a')).not.toEqual(keyOf('b'));
});
