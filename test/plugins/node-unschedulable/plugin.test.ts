import { describe, expect, test } from 'vitest';
import type { Toleration } from '../../../src/api/taints.ts';
import { NodeUnschedulable } from '../../../src/plugins/node-unschedulable/plugin.ts';
import { makeNodeInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { filterVerdict } from '../ask-plugin.ts';

const REJECTED = 'UnschedulableAndUnresolvable: node(s) were unschedulable';
const KEY = 'node.kubernetes.io/unschedulable';

describe('NodeUnschedulable', () => {
  test('lets every pod onto a node that is not cordoned', () => {
    for (const unschedulable of [false, undefined]) {
      const node = makeNodeInfo({ metadata: { name: 'n' }, spec: { unschedulable } });
      expect(filterVerdict(new NodeUnschedulable(), makePod('p'), node)).toBe('fits');
    }
    expect(filterVerdict(new NodeUnschedulable(), makePod('p'), makeNodeInfo({ metadata: { name: 'n' } }))).toBe(
      'fits',
    );
  });

  test.each<[string, Toleration | undefined, string]>([
    ['no toleration', undefined, REJECTED],
    ['the key exists', { key: KEY, operator: 'Exists' }, 'fits'],
    ['the key with its effect', { key: KEY, operator: 'Exists', effect: 'NoSchedule' }, 'fits'],
    ['the key with another effect', { key: KEY, operator: 'Exists', effect: 'NoExecute' }, REJECTED],
    ['the key with an empty value', { key: KEY }, 'fits'],
    ['the key with a value', { key: KEY, value: 'true' }, REJECTED],
    ['another key', { key: 'other', operator: 'Exists' }, REJECTED],
    ['everything', { operator: 'Exists' }, 'fits'],
  ])('a cordoned node, %s tolerated', (_, toleration, verdict) => {
    const pod = makePod('p', { tolerations: toleration ? [toleration] : [] });
    const node = makeNodeInfo(makeNode('n', { unschedulable: true }));
    expect(filterVerdict(new NodeUnschedulable(), pod, node)).toBe(verdict);
  });

  test('the taint alone does not matter here', () => {
    const node = makeNodeInfo(makeNode('n', { taints: [{ key: KEY, effect: 'NoSchedule' }] }));
    expect(filterVerdict(new NodeUnschedulable(), makePod('p'), node)).toBe('fits');
  });
});
