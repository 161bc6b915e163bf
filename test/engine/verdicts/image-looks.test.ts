import { expect, test } from 'vitest';
import { imageLooksOf } from '../../../src/engine/verdicts/image-looks.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';

function clusterOf(...images: readonly (readonly string[])[]): ClusterState {
  const cluster = new ClusterState(podRequirements);
  images.forEach((held, i) => {
    cluster.addNode(makeNode(`n${i}`, { images: Object.fromEntries(held.map((image) => [image, 10])) }));
  });
  cluster.updateSnapshot();
  return cluster;
}

const looksOf = (cluster: ClusterState, ...images: readonly string[]) =>
  Array.from(imageLooksOf(cluster, images)?.bySlot ?? []);

test('nodes look alike if they hold the same of the images', () => {
  const cluster = clusterOf(['a', 'b'], ['c'], ['a'], [], ['b', 'a', 'c']);
  const [both, other, one, none, more] = looksOf(cluster, 'a', 'b', 'a');
  expect([other, none]).toEqual([0, 0]);
  expect(both).toBe(more);
  expect(new Set([both, one, none]).size).toBe(3);
});

test('a node whose snapshot has an older number of holders looks different', () => {
  const cluster = clusterOf(['a'], ['a'], ['b']);
  cluster.addNode(makeNode('late', { images: { a: 10 } }));
  cluster.updateSnapshot();
  const [old, older, none, late] = looksOf(cluster, 'a');
  expect([old === older, none, late === old]).toEqual([true, 0, false]);
});

test('too many looks are none', () => {
  const names = Array.from({ length: 13 }, (_, i) => `image-${i}`);
  expect(imageLooksOf(clusterOf(names), names)).toBe(null);
});
