import { expect, test } from 'vitest';
import { NodeName } from '../../../src/plugins/node-name/plugin.ts';
import { makeNodeInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { filterVerdict } from '../ask-plugin.ts';

test.each([
  [{}, 'fits'],
  [{ nodeName: '' }, 'fits'],
  [{ nodeName: 'n1' }, 'fits'],
  [{ nodeName: 'n2' }, "UnschedulableAndUnresolvable: node(s) didn't match the requested node name"],
])('NodeName: %j on n1: %s', (options, verdict) => {
  expect(filterVerdict(new NodeName(), makePod('p', options), makeNodeInfo(makeNode('n1')))).toBe(verdict);
});
