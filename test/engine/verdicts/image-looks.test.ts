import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalHolders, imageLooksOf } from '../../../src/engine/verdicts/image-looks.ts';
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

test('nodes that look alike hold equal states of the images, whatever came before', () => {
  const names = ['a', 'b', 'c'];
  const step = fc.record({
    node: fc.constantFrom('n0', 'n1', 'n2', 'n3'),
    images: fc.option(fc.dictionary(fc.constantFrom(...names), fc.constantFrom(10, 20)), { freq: 6 }),
    attempts: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.subarray(names, { minLength: 1 }), (steps, images) => {
      const cluster = new ClusterState(podRequirements);
      for (const { node, images: held, attempts } of steps) {
        const isThere = cluster.node(node) !== undefined;
        if (held === null && isThere) cluster.removeNode(node);
        else if (isThere) cluster.updateNode(makeNode(node, { images: held ?? {} }));
        else if (held !== null) cluster.addNode(makeNode(node, { images: held }));
        if (!attempts) continue;
        cluster.updateSnapshot();
        const looks = imageLooksOf(cluster, images);
        const holders = equalHolders(cluster, images);
        const seen = new Map<unknown, string>();
        for (let slot = 0; slot < cluster.slotCount; slot++) {
          const states = cluster.nodeAt(slot)?.images;
          if (states === undefined) continue;
          const text = JSON.stringify(images.map((image) => states.get(image) ?? null));
          const look = looks?.bySlot[slot];
          expect(seen.get(look) ?? text).toBe(text);
          seen.set(look, text);
          if (holders === null) continue;
          const isHolder = images.some((image) => states.has(image));
          expect(holders.includes(slot)).toBe(isHolder);
          if (!isHolder) continue;
          expect(seen.get('holder') ?? text).toBe(text);
          seen.set('holder', text);
        }
      }
    }),
    { numRuns: 300 },
  );
});
