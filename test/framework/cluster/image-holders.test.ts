import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';

const IMAGES = ['app', 'db', 'web'];

const step = fc.record({
  what: fc.constantFrom('add', 'update', 'remove'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  images: fc.subarray(IMAGES),
});

test('the holders of an image are the nodes that report it, whatever came and went', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const cluster = new ClusterState(podRequirements);
      for (const { what, name, images } of steps) {
        const node = makeNode(name, { images: Object.fromEntries(images.map((image) => [image, 10])) });
        const isThere = cluster.node(name) !== undefined;
        if (what === 'add' && !isThere) cluster.addNode(node);
        else if (what === 'update' && isThere) cluster.updateNode(node);
        else if (what === 'remove' && isThere) cluster.removeNode(name);
        cluster.updateSnapshot();
        for (const image of IMAGES) {
          const expected = cluster.nodeInfos().flatMap(({ slot, images: states }) => (states.has(image) ? [slot] : []));
          expect([...cluster.imageHolders(image)].sort()).toEqual(expected.sort());
        }
      }
    }),
  );
});
