import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { recordsOfParts } from '../../../src/framework/cluster/restricted-record.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { makeNode } from '../../builders/make-node.ts';

const IMAGES = ['app', 'db', 'web'];

const step = fc.record({
  what: fc.constantFrom('add', 'update', 'remove'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  images: fc.subarray(IMAGES),
});

function expectHolders(cluster: ClusterState): void {
  for (const image of IMAGES) {
    const expected = cluster.nodeInfos().flatMap(({ slot, images }) => (images.has(image) ? [slot] : []));
    expect([...cluster.imageHolders(image)].sort()).toEqual(expected.sort());
  }
}

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
        expectHolders(cluster);
        // The states of images in a part of a cluster are those of the whole.
        const part = new ClusterState(podRequirements);
        part.load(recordsOfParts(cluster.record(), new Map([['part', new Set(['a', 'c'])]])).get('part')!);
        part.updateSnapshot();
        expectHolders(part);
      }
    }),
  );
});
