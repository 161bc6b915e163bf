import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NodeTree, ZoneKeys } from '../../../src/framework/cluster/node-tree.ts';
import { makeNode } from '../../builders/make-node.ts';

function treeOf(...zones: string[]): NodeTree {
  const tree = new NodeTree();
  for (const [slot, zone] of zones.entries()) tree.add(zone, slot);
  return tree;
}

describe('NodeTree', () => {
  test('zones take turns, in order of first appearance', () => {
    expect([...treeOf('a', 'b', 'c', 'a', 'b').order()]).toEqual([0, 1, 2, 3, 4]);
    expect([...treeOf('b', 'b', 'b', 'a', '').order()]).toEqual([0, 3, 4, 1, 2]);
  });

  test('a zone that was emptied comes back last; a node that comes back is last in its zone', () => {
    const tree = treeOf('a', 'b', 'b');
    tree.remove('a', 0);
    tree.add('a', 0);
    tree.remove('b', 1);
    tree.add('b', 1);
    expect([...tree.order()]).toEqual([2, 0, 1]);
  });

  test('the order is one array until the node set changes, and is never written to again', () => {
    const tree = treeOf('a', 'b');
    const before = tree.order();
    expect(tree.order()).toBe(before);
    tree.add('a', 2);
    expect([...before]).toEqual([0, 1]);
    expect([...tree.order()]).toEqual([0, 1, 2]);
  });

  test('removing what is not there changes nothing', () => {
    const tree = treeOf('a');
    tree.remove('a', 7);
    tree.remove('b', 0);
    expect([...tree.order()]).toEqual([0]);
  });

  test('equals taking one of each zone in rounds, after any adds and removes', () => {
    const change = fc.record({ zone: fc.constantFrom('a', 'b', 'c'), slot: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const tree = new NodeTree();
        const zones: { zone: string; slots: number[] }[] = [];
        for (const { zone, slot } of changes) {
          const holder = zones.find(({ slots }) => slots.includes(slot));
          if (holder === undefined) {
            tree.add(zone, slot);
            const known = zones.find((candidate) => candidate.zone === zone);
            if (known) known.slots.push(slot);
            else zones.push({ zone, slots: [slot] });
          } else {
            tree.remove(holder.zone, slot);
            holder.slots.splice(holder.slots.indexOf(slot), 1);
            if (holder.slots.length === 0) zones.splice(zones.indexOf(holder), 1);
          }
        }
        const rounds = Array.from({ length: 10 }, (_, round) => zones.flatMap(({ slots }) => slots[round] ?? []));
        expect([...tree.order()]).toEqual(rounds.flat());
      }),
    );
  });
});

describe('the key of a zone', () => {
  const keys = new ZoneKeys();
  const keyOf = (labels: Record<string, string>): string => keys.of(makeNode('n', { labels }));

  test('is empty for a node without region and zone', () => {
    expect(keyOf({})).toBe('');
    expect(keys.of({})).toBe('');
  });

  test('distinguishes regions with a zone of the same name', () => {
    const [region, zone] = ['topology.kubernetes.io/region', 'topology.kubernetes.io/zone'];
    expect(keyOf({ [region]: 'r1', [zone]: 'z' })).not.toBe(keyOf({ [region]: 'r2', [zone]: 'z' }));
    expect(keyOf({ [region]: 'z' })).not.toBe(keyOf({ [zone]: 'z' }));
  });

  test('is the same each time, also after those of more zones than are kept', () => {
    const labels = (i: number) => ({ 'topology.kubernetes.io/region': 'r', 'topology.kubernetes.io/zone': `z${i}` });
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 5000; i++) expect(keyOf(labels(i))).toBe(`r:\u0000:z${i}`);
    }
  });

  test('the older labels count first', () => {
    const older = 'failure-domain.beta.kubernetes.io/zone';
    const newer = 'topology.kubernetes.io/zone';
    expect(keyOf({ [older]: 'a', [newer]: 'b' })).toBe(keyOf({ [newer]: 'a' }));
  });
});
