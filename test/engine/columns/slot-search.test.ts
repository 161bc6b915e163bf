import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZONE_LABEL } from '../../../src/api/topology-spread.ts';
import { KernelSelection, SlotSearch } from '../../../src/engine/columns/slot-search.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';

const MOST = 80;
const node = fc.record({ zone: fc.constantFrom('a', 'b', 'c'), isFeasible: fc.boolean(), isLeft: fc.boolean() });
const search = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: MOST }),
  start: fc.nat(MOST - 1),
  wanted: fc.integer({ min: 1, max: MOST }),
  nominated: fc.option(fc.nat(MOST - 1)),
});

test('a search reaches, finds and counts the nodes that a walk in snapshot order does', () => {
  fc.assert(
    fc.property(search, ({ nodes, wanted, ...drawn }) => {
      const world = new EngineColumns();
      world.add(...nodes.map(({ zone }, i) => makeNode(`n${i}`, { labels: { [ZONE_LABEL]: zone } })));
      const { memory, columns, cluster } = world;
      const count = nodes.length;
      const start = drawn.start % count;
      const isFeasible = (slot: number): boolean => nodes[slot]?.isFeasible === true;
      const feasible = columns.table.add('i32');
      for (let slot = 0; slot < count; slot++) feasible.values[slot] = isFeasible(slot) ? 1 : 0;
      const slotSearch = new SlotSearch(world, new KernelSelection(memory));
      slotSearch.begin(start, cluster.slotCount);
      const found = slotSearch.find(feasible, wanted);

      const order = cluster.snapshotOrder();
      const walk = Array.from(order, (_, i) => order[(start + i) % count] ?? 0);
      // The search goes on until it sees one more than wanted.
      const tooMany = walk.filter(isFeasible)[wanted];
      const reached = tooMany === undefined ? walk : walk.slice(0, walk.indexOf(tooMany));
      const expected = reached.filter(isFeasible);
      expect(found).toBe(expected.length);
      expect([...slotSearch.found(feasible)]).toEqual(expected);
      expect(slotSearch.reach).toEqual({ start, searched: reached.length, nodeCount: count });
      const marked = Array.from({ length: count }, (_, slot) => slot).filter((slot) => feasible.values[slot] !== 0);
      expect(marked).toEqual([...expected].sort((a, b) => a - b));
      const { from, to } = slotSearch.range;
      for (const slot of expected) expect(slot >= from && slot < to).toBe(true);

      const own = drawn.nominated === null ? null : (cluster.nodeAt(drawn.nominated % count) ?? null);
      const extra = own !== null && !reached.includes(own.slot) ? 1 : 0;
      expect(slotSearch.countProcessed(null, own)).toBe(reached.length + extra);
      const isLeft = (slot: number): boolean => nodes[slot]?.isLeft === true;
      const left = new Set(cluster.nodeInfos().flatMap(({ name, slot }) => (isLeft(slot) ? [name] : [])));
      const counted = reached.filter(isLeft);
      const uncounted = own !== null && !counted.includes(own.slot) ? 1 : 0;
      expect(slotSearch.countProcessed(left, own)).toBe(counted.length + uncounted);
    }),
  );
});

test('a search that has not begun to look lists all feasible slots in snapshot order', () => {
  const world = new EngineColumns();
  world.add(makeNode('n0'), makeNode('n1'), makeNode('n2'));
  const feasible = world.columns.table.add('i32');
  feasible.values.set([1, 0, 1]);
  const slotSearch = new SlotSearch(world, new KernelSelection(world.memory));
  slotSearch.begin(0, 3);
  slotSearch.reachAll();
  expect(slotSearch.isWhole).toBe(true);
  expect([...slotSearch.found(feasible)]).toEqual([0, 2]);
});
