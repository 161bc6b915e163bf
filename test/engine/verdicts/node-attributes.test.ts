import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import { NodeAttributes } from '../../../src/engine/verdicts/node-attributes.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import type { NodeParts } from '../../../src/framework/plugin.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { ColumnTable } from '../../../src/memory/column-table.ts';
import { SharedMemory } from '../../../src/memory/shared-memory.ts';
import { makeNode } from '../../builders/make-node.ts';

const KEYS = ['pool', 'zone', 'constructor'];

function start(): { readonly cluster: ClusterState; readonly attributes: NodeAttributes } {
  const cluster = new ClusterState(podRequirements);
  const table = new ColumnTable(new SharedMemory());
  const attributes = new NodeAttributes(table, cluster);
  cluster.observe({
    reserve: (slotCount) => table.reserve(slotCount),
    nodeChanged: (node) => attributes.nodeChanged(node),
    nodeRemoved: (node) => attributes.nodeRemoved(node),
    podsAdded: () => {},
    podRemoved: () => {},
    clusterCopied: () => {},
  });
  return { cluster, attributes };
}

const arbitraryNode = fc.record({
  labels: fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom('', 'x', 'y', '=x', '[]'), { noNullPrototype: true }),
  taints: fc.constantFrom(
    undefined,
    [],
    [{ key: 'a', effect: 'NoSchedule' }],
    [{ key: 'a', effect: 'PreferNoSchedule' }],
    [
      { key: 'a', effect: 'NoSchedule' },
      { key: 'b', effect: 'NoSchedule' },
    ],
  ),
  unschedulable: fc.constantFrom(undefined, false, true),
});
const parts: fc.Arbitrary<NodeParts> = fc.record({ taints: fc.boolean(), labels: fc.subarray(KEYS) });
const event = fc
  .record({ do: fc.constantFrom('add', 'add', 'update', 'remove'), name: fc.nat(9), node: arbitraryNode })
  .map(({ do: what, name, node: { labels, taints, unschedulable } }) => ({
    what,
    node: { metadata: { name: `n${name}`, labels }, spec: { taints, unschedulable } },
  }));

/** What such parts of a node are, as text. */
function textOf({ metadata, spec }: Node, { taints, labels }: NodeParts): string {
  const own = labels.map((key) => (Object.hasOwn(metadata?.labels ?? {}, key) ? metadata?.labels?.[key] : null));
  return JSON.stringify([own, taints ? [spec?.taints ?? [], spec?.unschedulable === true] : null]);
}

describe('combinations of attributes', () => {
  test('are equal exactly for nodes whose parts are equal, also in slots of others and for later nodes', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 4, maxLength: 30, size: 'max' }), fc.array(parts), (events, asked) => {
        const { cluster, attributes } = start();
        for (const [i, { what, node }] of events.entries()) {
          const { name } = node.metadata;
          const known = cluster.node(name) !== undefined;
          if (what === 'add' && !known) cluster.addNode(node);
          if (what === 'update' && known) cluster.updateNode(node);
          if (what === 'remove' && known) cluster.removeNode(name);
          // Attributes begin to be kept one after the other, in the middle of it all.
          const wanted = asked[i % Math.max(1, asked.length)];
          if (wanted !== undefined) expectAlike(cluster, attributes, wanted);
        }
        expectAlike(cluster, attributes, { taints: true, labels: KEYS });
      }),
      { numRuns: 100 },
    );
  });

  function expectAlike(cluster: ClusterState, attributes: NodeAttributes, wanted: NodeParts): void {
    const combinations = attributes.combinationsOf(wanted);
    const textOfNumber = new Map<number, string>();
    const numberOfText = new Map<string, number>();
    for (const info of cluster.knownNodes()) {
      const number = combinations?.of(info.slot) ?? -1;
      const text = textOf(info.node, wanted);
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(combinations?.count ?? 0);
      expect(textOfNumber.get(number) ?? text).toBe(text);
      // A node that says "not cordoned" and one that says nothing need not be seen as one.
      if (info.node.spec?.unschedulable === undefined) expect(numberOfText.get(text) ?? number).toBe(number);
      textOfNumber.set(number, text);
      if (info.node.spec?.unschedulable === undefined) numberOfText.set(text, number);
    }
  }

  test('of a copied cluster are its own, also after nodes have changed on either side', () => {
    const [origin, copy] = [start(), start()];
    const tainted = (name: string, key: string) => makeNode(name, { taints: [{ key, effect: 'NoSchedule' }] });
    origin.cluster.addNode(tainted('a', 'x'));
    origin.cluster.addNode(makeNode('b', { labels: { pool: 'p' } }));
    origin.attributes.combinationsOf({ taints: true, labels: ['pool'] });
    copy.cluster.copyFrom(origin.cluster);
    copy.attributes.copyFrom(origin.attributes);
    origin.cluster.addNode(tainted('c', 'y'));
    for (const key of ['z', 'x']) copy.cluster.addNode(tainted(`of ${key}`, key));
    copy.cluster.updateNode(tainted('b', 'z'));
    for (const { cluster, attributes } of [origin, copy]) {
      expectAlike(cluster, attributes, { taints: true, labels: [] });
      expectAlike(cluster, attributes, { taints: true, labels: ['pool'] });
    }
  });

  test('of a label of which few values are told apart are as many as these, and two', () => {
    const plan = fc.record({
      nodes: fc.array(fc.option(fc.nat(60), { nil: undefined }), { minLength: 1, maxLength: 90, size: 'max' }),
      told: fc.array(fc.nat(80), { maxLength: 4 }),
      taints: fc.boolean(),
    });
    fc.assert(
      fc.property(plan, ({ nodes, told, taints }) => {
        const { cluster, attributes } = start();
        for (const [i, value] of nodes.entries()) {
          const labels = value === undefined ? {} : { own: `v${value}` };
          cluster.addNode(
            makeNode(`n${i}`, { labels, ...(i % 2 === 0 && { taints: [{ key: 'a', effect: 'NoSchedule' }] }) }),
          );
        }
        const values = told.map((value) => `v${value}`);
        const combinations = attributes.combinationsOf({ taints, labels: ['own'], values: new Map([['own', values]]) });
        const classOf = (slot: number) => {
          const value = nodes[slot];
          const own = value === undefined ? 'absent' : told.includes(value) ? value : 'other';
          return `${own} ${taints && slot % 2 === 0}`;
        };
        const classes = new Map<number, string>();
        const bySlot = combinations?.bySlot();
        for (const slot of nodes.keys()) {
          const number = combinations?.of(slot) ?? -1;
          expect(bySlot?.[slot]).toBe(number);
          expect(classes.get(number) ?? classOf(slot)).toBe(classOf(slot));
          classes.set(number, classOf(slot));
        }
        const numbers = new Set(nodes.map((value) => value)).size;
        const most = numbers >= 4 * (told.length + 2) ? told.length + 2 : numbers + 1;
        expect(combinations?.count).toBeLessThanOrEqual(most * (taints ? 2 : 1));
      }),
    );
  });

  test('an empty label is not one that is absent', () => {
    const { cluster, attributes } = start();
    cluster.addNode(makeNode('absent'));
    cluster.addNode(makeNode('empty', { labels: { pool: '' } }));
    const combinations = attributes.combinationsOf({ taints: false, labels: ['pool'] });
    expect(combinations?.of(0)).not.toBe(combinations?.of(1));
  });

  test('who looks at nothing sees all nodes alike', () => {
    const { cluster, attributes } = start();
    for (const name of ['a', 'b']) cluster.addNode(makeNode(name, { labels: { pool: name } }));
    const combinations = attributes.combinationsOf({ taints: false, labels: [] });
    expect([combinations?.count, combinations?.of(0), combinations?.of(1)]).toEqual([1, 0, 0]);
  });

  test('too many combinations are not distinguished', () => {
    const { cluster, attributes } = start();
    const each = Math.sqrt(65_536);
    for (let i = 0; i < each; i++) cluster.addNode(makeNode(`n${i}`, { labels: { a: `${i}`, b: `${i}` } }));
    expect(attributes.combinationsOf({ taints: false, labels: ['a'] })?.count).toBe(each + 1);
    expect(attributes.combinationsOf({ taints: false, labels: ['a', 'b'] })).toBe(null);
  });
});

test('values of a label are the same whether they were read before or not', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 4, maxLength: 20, size: 'max' }),
      fc.constantFrom(...KEYS),
      (events, key) => {
        const { cluster, attributes } = start();
        const half = events.length >> 1;
        const values = (): [number, string | undefined][] => {
          const found: [number, string | undefined][] = [];
          attributes.forEachValue(key, (slot, value) => found.push([slot, value]));
          return found;
        };
        for (const [i, { what, node }] of events.entries()) {
          const isKnown = cluster.node(node.metadata.name) !== undefined;
          if (what === 'add' && !isKnown) cluster.addNode(node);
          if (what === 'update' && isKnown) cluster.updateNode(node);
          if (what === 'remove' && isKnown) cluster.removeNode(node.metadata.name);
          if (i === half) attributes.combinationsOf({ taints: false, labels: [key] });
          const own = [...cluster.knownNodes()].map(({ slot, node: { metadata } }) => {
            const labels: Readonly<Record<string, string>> = metadata?.labels ?? {};
            return [slot, Object.hasOwn(labels, key) ? labels[key] : undefined];
          });
          expect(values()).toEqual(own);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('a label that is named twice has one column', () => {
  const { attributes } = start();
  const [first, second] = attributes.columnsOf({ taints: false, labels: ['a', 'a'] });
  expect(first).toBe(second);
});
