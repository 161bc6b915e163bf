import { describe, expect, test, vi } from 'vitest';
import { COLUMNS, FIELD } from '../../../src/engine/index/layout.ts';
import { TotalsBlock } from '../../../src/engine/index/totals-block.ts';
import { TotalsColumn } from '../../../src/engine/index/totals-column.ts';
import { OutOfMemoryError } from '../../../src/memory/shared-memory.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { mustForm, newBlock, totalsModules } from '../../builders/totals-parts.ts';

function start(nodeCount = 3) {
  const world = new EngineColumns();
  for (let i = 0; i < nodeCount; i++) world.cluster.addNode(makeNode(`n${i}`, { cpu: 1 + (i % 4) }));
  world.env.renew(nodeCount);
  const modules = totalsModules(world);
  const block = newBlock(world, modules);
  /** Adds a column for pods that request so many cpus; plugins outside the kernels add nothing to its totals. */
  const add = (cpu: number): TotalsColumn => {
    const signature = world.signatureOf(makePod('p', { requests: { cpu } }));
    const column = new TotalsColumn(modules, block, signature, mustForm(world, signature), signature.verdicts.ids);
    column.setTotals(Int16Array.of(-1, 0));
    return column;
  };
  const sync = (): number => world.kernels.syncBlock(world.env.pointer, block.pointer);
  return { world, modules, block, add, sync };
}

describe('a block', () => {
  test('has room for eight totals columns', () => {
    const { block, add } = start();
    expect(Array.from({ length: COLUMNS }, () => add(1).number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(block.freeColumn).toBe(-1);
    block.columns[5]?.release();
    expect(block.freeColumn).toBe(5);
  });

  test('keeps bits of its columns apart', () => {
    const { block } = start();
    for (const column of [0, 7]) block.setBit(FIELD.dirty, column, true);
    block.setBit(FIELD.dirty, 0, false);
    expect([0, 1, 7].map((column) => block.hasBit(FIELD.dirty, column))).toEqual([false, false, true]);
    expect(block.hasBit(FIELD.tracked, 7)).toBe(false);
  });

  test('without rows has no totals, and may be scanned into columns only', () => {
    const { modules } = start();
    const block = new TotalsBlock(modules, true, 0);
    expect([block.rows, block.bestTotal(0)]).toEqual([null, -1]);
    block.rebuildTree();
    expect(block.bestTotal(0)).toBe(-1);
  });

  test('of an empty cluster fits nothing', () => {
    const { block, add } = start(0);
    const column = add(1);
    block.rescan();
    expect([column.bestTotal, column.feasibleNodes]).toEqual([-1, 0]);
  });
});

describe('totals side by side', () => {
  test('are scanned together, with the best on top', () => {
    const { block, add } = start(4);
    const columns = [1, 3].map(add);
    block.rescan();
    expect(columns.map(({ feasibleNodes }) => feasibleNodes)).toEqual([4, 2]);
    for (const column of columns) {
      const totals = [0, 1, 2, 3].map((slot) => column.totalAt(slot));
      expect(column.bestTotal).toBe(Math.max(...totals));
    }
    expect([0, 1].map((slot) => columns[1]?.totalAt(slot))).toEqual([-1, -1]);
  });

  test('of some columns are scanned without the others', () => {
    const { block, add } = start(4);
    const [one, other] = [add(1), add(2)];
    block.scan([other]);
    expect([one.bestTotal, other.bestTotal > 0]).toEqual([-1, true]);
  });

  test('follow the log of changed nodes from the last scan on', () => {
    const { world, block, add, sync } = start(4);
    const column = add(3);
    block.rescan();
    const before = column.totalAt(3);
    world.cluster.pods.add(makePod('there', { nodeName: 'n3', requests: { cpu: 2 } }));
    expect([column.totalAt(3), sync(), column.totalAt(3)]).toEqual([before, 1, -1]);
    expect(column.feasibleNodes).toBe(1);
    world.cluster.removeNode('n2');
    expect([sync(), column.feasibleNodes, column.bestTotal]).toEqual([1, 0, -1]);
    world.cluster.addNode(makeNode('late', { cpu: 8 }));
    column.signature.verdicts.sync();
    expect([sync(), column.feasibleNodes]).toEqual([1, 1]);
    expect(column.bestTotal).toBe(column.totalAt(2));
  });

  test('start over when the log went round', () => {
    const { world, block, add, sync } = start(4);
    const column = add(3);
    block.rescan();
    for (let i = 0; i < 1025; i++) world.cluster.updateNode(makeNode('n0', { cpu: 3 + (i % 2) }));
    expect(sync()).toBe(0);
    block.rescan();
    expect([sync(), column.feasibleNodes]).toEqual([1, 3]);
  });

  test('are written again for totals by verdict id that are others, without a count', () => {
    const { block, add } = start(4);
    const column = add(3);
    block.rescan();
    const { bestTotal, feasibleNodes } = column;
    column.setTotals(Int16Array.of(-1, 50));
    block.writeTotals([]);
    block.rebuildTree();
    expect(column.bestTotal).toBe(bestTotal);
    block.writeTotals([column]);
    block.rebuildTree();
    expect([column.bestTotal, column.feasibleNodes]).toEqual([bestTotal + 50, feasibleNodes]);
  });
});

describe('the memory of a block', () => {
  test('is given back with that of its columns', () => {
    const { world, modules } = start();
    const signature = world.signatureOf(makePod('p', { requests: { cpu: 1 } }));
    const form = mustForm(world, signature);
    const before = world.memory.allocatedBytes;
    const block = newBlock(world, modules);
    const column = new TotalsColumn(modules, block, signature, form, signature.verdicts.ids);
    column.setTotals(Int16Array.of(-1, 0));
    block.release();
    expect([column.isReleased, world.memory.allocatedBytes]).toEqual([true, before]);
  });

  test('is none when there is no room for rows', () => {
    const { world, modules } = start();
    const before = world.memory.allocatedBytes;
    const { allocate } = world.memory;
    const spy = vi.spyOn(world.memory, 'allocate').mockImplementation((bytes, owner) => {
      if (owner === 'rows of a block') throw new OutOfMemoryError(bytes);
      return allocate.call(world.memory, bytes, owner);
    });
    expect(() => newBlock(world, modules)).toThrow(OutOfMemoryError);
    spy.mockRestore();
    expect(world.memory.allocatedBytes).toBe(before);
  });
});
