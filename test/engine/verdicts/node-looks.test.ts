import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NodeAttributes } from '../../../src/engine/verdicts/node-attributes.ts';
import { NodeLookSets } from '../../../src/engine/verdicts/node-looks.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import type { NodeParts } from '../../../src/framework/plugin.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { ColumnTable } from '../../../src/memory/column-table.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';
import { makeNode } from '../../builders/make-node.ts';

function start(): { readonly cluster: ClusterState; readonly sets: NodeLookSets } {
  const cluster = new ClusterState(podRequirements);
  const table = new ColumnTable(new SharedMemory());
  const attributes = new NodeAttributes(table, cluster);
  const sets = new NodeLookSets(table, cluster, attributes);
  cluster.observe({
    reserve: (slotCount) => table.reserve(slotCount),
    nodeChanged: (node) => {
      attributes.nodeChanged(node);
      sets.nodeChanged(node);
    },
    nodeRemoved: (node) => sets.nodeRemoved(node),
    podsAdded: () => {},
    podRemoved: () => {},
    clusterCopied: () => {},
  });
  return { cluster, sets };
}

const KEYS = ['zone', 'region'];
const labels = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom('', 'a', 'b'), { noNullPrototype: true });
const event = fc.record({ do: fc.constantFrom('add', 'add', 'update', 'remove'), name: fc.nat(9), labels });
const parts: fc.Arbitrary<NodeParts> = fc.record({ taints: fc.boolean(), labels: fc.subarray(KEYS) });

test('nodes have equal looks exactly if the parts are equal; every look that a node has is found', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(event, parts), { minLength: 4, maxLength: 30, size: 'max' }), (events) => {
      const { cluster, sets } = start();
      for (const [{ do: what, name, labels: given }, wanted] of events) {
        const node = makeNode(`n${name}`, { labels: given });
        const isKnown = cluster.node(`n${name}`) !== undefined;
        if (what === 'add' && !isKnown) cluster.addNode(node);
        if (what === 'update' && isKnown) cluster.updateNode(node);
        if (what === 'remove' && isKnown) cluster.removeNode(`n${name}`);
        const looks = sets.of(wanted);
        expect(looks).not.toBeNull();
        const texts = new Map<number, string>();
        for (const each of cluster.knownNodes()) {
          const own = each.node.metadata?.labels ?? {};
          const text = JSON.stringify(wanted.labels.map((key) => own[key] ?? null));
          const look = looks?.column.values[each.slot] ?? -1;
          expect(look).toBeLessThan(looks?.count ?? 0);
          expect(texts.get(look) ?? text).toBe(text);
          texts.set(look, text);
          const found = looks?.nodeWith(look);
          expect(looks?.column.values[found?.slot ?? -1]).toBe(look);
        }
        expect(new Set(texts.values()).size).toBe(texts.size);
        for (let look = 0; look < (looks?.count ?? 0); look++) {
          if (!texts.has(look)) expect(looks?.nodeWith(look)).toBeUndefined();
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('too many looks are none', () => {
  const { cluster, sets } = start();
  const wanted = { taints: false, labels: ['zone'] };
  for (let i = 0; i < 64; i++) cluster.addNode(makeNode(`n${i}`, { labels: { zone: `${i}` } }));
  expect(sets.of(wanted)?.count).toBe(64);
  cluster.addNode(makeNode('one-more', { labels: { zone: 'another' } }));
  expect(sets.of(wanted)).toBeNull();
});
