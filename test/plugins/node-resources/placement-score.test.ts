import { expect, test } from 'vitest';
import { placementFullness } from '../../../src/plugins/node-resources/placement-score.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

test('the fullness of a placement counts all of its nodes, the pods on them and those to come', () => {
  const nodes = ['a', 'b'].map((name) => makeNode(name, { allocatable: { cpu: '2', memory: '1Gi', pods: '10' } }));
  const running = makePod('r', { requests: { cpu: '1', memory: '512Mi' } });
  const cluster = makeCluster(nodes, [{ ...running, spec: { ...running.spec, nodeName: 'a' } }]);
  const infos = [...cluster.knownNodes()];
  expect(placementFullness(infos, [])).toBe(25);
  const next = makePodInfo(makePod('n', { requests: { cpu: '2', memory: '512Mi' } }));
  // 3 of 4 processors, and half of the memory.
  expect(placementFullness(infos, [next])).toBe(62);
  expect(placementFullness(infos, [next, next, next])).toBe(100);
  expect(placementFullness([], [])).toBe(0);
});
