import { describe, expect, test, vi } from 'vitest';
import { KeptRows } from '../../../src/engine/columns/kept-rows.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const pod = makePod('p', { requests: { cpu: 2 } });
const FIT = 'NodeResourcesFit';
const BALANCED = 'NodeResourcesBalancedAllocation';

/** Rows of the pod's signature; with `sync` for all that has to come first. */
function start(nodeCount: number, scorePlugins: readonly string[] = [FIT, BALANCED]) {
  const world = new EngineColumns();
  for (let i = 0; i < nodeCount; i++) world.cluster.addNode(makeNode(`n${i}`, { cpu: 1 + (i % 4) }));
  const { columns, cluster, resourceKernels } = world;
  const modules = { table: columns.table, changes: cluster.changes, resourceKernels };
  const signature = world.signatureOf(pod);
  const rows = new KeptRows(modules, scorePlugins);
  const computed = vi.spyOn(resourceKernels, 'filter');
  const compared = vi.spyOn(resourceKernels, 'accepts');
  const sync = (): void => {
    world.renew(signature);
    computed.mockClear();
    compared.mockClear();
    rows.sync(signature, cluster.slotCount);
  };
  /** The ranges of slots that the last `sync` computed, all in one go or each by itself. */
  const ranges = () => [
    ...computed.mock.calls.map(([, , from, to]) => [from, to]),
    ...compared.mock.calls.map(([, slot]) => [slot, slot + 1]),
  ];
  /** What one go over everything says. */
  const anew = (): KeptRows => {
    const all = new KeptRows(modules, scorePlugins);
    all.sync(signature, cluster.slotCount);
    return all;
  };
  const raw = (plugin: string, of = rows) => of.raw(plugin, signature, cluster.slotCount)?.values;
  return { world, rows, sync, ranges, anew, raw };
}

describe('kept rows', () => {
  test('of an empty cluster are none', () => {
    const { rows, sync } = start(0);
    sync();
    expect(rows.feasibleCount).toBe(0);
  });

  test('say which nodes have room, and score them', () => {
    const { rows, sync, raw } = start(5);
    sync();
    expect([...rows.feasible.values.subarray(0, 6)]).toEqual([0, -1, -1, -1, 0, 0]);
    expect(rows.feasibleCount).toBe(3);
    // The pods take 2 of 2, 3 and 4 cpus, and nearly no memory.
    expect([...(raw(FIT)?.subarray(1, 4) ?? [])]).toEqual([49, 65, 74]);
    expect(raw(BALANCED)?.length).toBe(64);
    expect(raw('ImageLocality')).toBe(undefined);
  });

  test('a pod that comes or goes costs one row', () => {
    const { world, rows, sync, ranges, anew, raw } = start(64);
    sync();
    raw(FIT);
    expect([ranges(), rows.feasibleCount]).toEqual([[[0, 64]], 48]);
    world.cluster.pods.add(makePod('there', { nodeName: 'n1', requests: { cpu: 1 } }));
    sync();
    expect([ranges(), rows.feasibleCount, rows.feasible.values[1]]).toEqual([[[1, 2]], 47, 0]);
    expect(raw(FIT)).toEqual(raw(FIT, anew()));
    world.cluster.pods.remove('default', 'there');
    sync();
    expect([ranges(), rows.feasibleCount, rows.feasible.values[1]]).toEqual([[[1, 2]], 48, -1]);
    sync();
    expect(ranges()).toEqual([]);
    expect(raw(FIT)).toEqual(raw(FIT, anew()));
  });

  test('a node that goes takes its row along, the next in its slot gets it', () => {
    const { world, rows, sync, ranges } = start(64);
    sync();
    world.cluster.removeNode('n3');
    sync();
    expect([rows.feasibleCount, rows.feasible.values[3]]).toEqual([47, 0]);
    world.cluster.addNode(makeNode('large', { cpu: 64 }));
    sync();
    expect([ranges(), rows.feasibleCount, rows.feasible.values[3]]).toEqual([[[3, 4]], 48, -1]);
  });

  test('more than a sixteenth of changed rows are computed in one go', () => {
    const { world, rows, sync, ranges, anew } = start(64);
    sync();
    const place = (i: number) => world.cluster.pods.add(makePod(`p${i}`, { nodeName: `n${i}`, requests: { cpu: 1 } }));
    for (const i of [1, 2, 3, 5]) place(i);
    sync();
    expect(ranges()).toEqual([1, 2, 3, 5].map((slot) => [slot, slot + 1]));
    for (const i of [6, 7, 9, 10, 11]) place(i);
    sync();
    expect(ranges()).toEqual([[0, 64]]);
    expect(rows.feasible.values).toEqual(anew().feasible.values);
    expect(rows.feasibleCount).toBe(anew().feasibleCount);
  });

  test('follow the table when it grows', () => {
    const { world, rows, sync, anew, raw } = start(60);
    sync();
    raw(BALANCED);
    const before = rows.feasible.pointer;
    for (let i = 60; i < 70; i++) world.cluster.addNode(makeNode(`n${i}`, { cpu: 4 }));
    sync();
    expect(rows.feasible.pointer).not.toBe(before);
    expect(rows.feasibleCount).toBe(45 + 10);
    expect(raw(BALANCED)).toEqual(raw(BALANCED, anew()));
  });

  test('give their columns back', () => {
    const { world, rows, sync, raw } = start(3);
    sync();
    // The memory holds a row for feasibility, and two for scores from the first score on, each of 64 entries.
    const unscored = world.memory.allocatedBytes;
    raw(FIT);
    const before = world.memory.allocatedBytes;
    expect(before - unscored).toBe(2 * 64 * 4);
    rows.release();
    expect(before - world.memory.allocatedBytes).toBe(3 * 64 * 4);
  });
});
