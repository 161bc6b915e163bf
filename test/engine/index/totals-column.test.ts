import { describe, expect, test, vi } from 'vitest';
import { FIELD } from '../../../src/engine/index/layout.ts';
import { TotalsColumn } from '../../../src/engine/index/totals-column.ts';
import { OutOfMemoryError } from '../../../src/memory/shared-memory.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { mustForm, newBlock, totalsModules } from '../../builders/totals-parts.ts';

/** Nodes with 4, 2 and 1 cpus, and a pod that asks for 2; the test chooses the verdict id of each node. */
function start(verdictIds: readonly number[] = [1, 2, 1]) {
  const world = new EngineColumns();
  world.add(...[4, 2, 1].map((cpu, i) => makeNode(`n${i}`, { cpu })));
  const modules = totalsModules(world);
  const block = newBlock(world, modules);
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 2 } }));
  const idColumn = world.columns.table.add('u16');
  idColumn.values.set(verdictIds);
  const newColumn = () => new TotalsColumn(modules, block, signature, mustForm(world, signature), idColumn);
  const column = newColumn();
  const scan = (): void => block.scan([column]);
  const totals = () => [0, 1, 2].map((slot) => column.totalAt(slot));
  return { world, modules, block, column, newColumn, scan, totals };
}
const totalsOf = (...totals: number[]): Int16Array => Int16Array.from(totals);

describe('a totals column', () => {
  test('takes the first free place of its block', () => {
    const { block, column, newColumn } = start();
    expect([column.number, newColumn().number, block.freeColumn]).toEqual([0, 1, 2]);
    expect(block.columns[0]).toBe(column);
    column.release();
    expect([block.freeColumn, column.isReleased, newColumn().number]).toEqual([0, true, 0]);
  });

  test('fits nowhere before it has tables', () => {
    const { column, scan, totals } = start();
    expect(column.hasTables).toBe(false);
    scan();
    expect([totals(), column.bestTotal, column.feasibleNodes, column.counts().length]).toEqual([
      [-1, -1, -1],
      -1,
      0,
      0,
    ]);
  });

  test('adds the total of the verdict id to the score of the resources', () => {
    const { column, scan, totals } = start();
    column.setTotals(totalsOf(-1, 0, 0));
    scan();
    const [first = 0, second = 0] = totals();
    expect([totals()[2], column.feasibleNodes]).toEqual([-1, 2]);
    column.setTotals(totalsOf(-1, 7, 300));
    scan();
    expect(totals()).toEqual([first + 7, second + 300, -1]);
    expect(column.bestTotal).toBe(second + 300);
  });

  test('rejects nodes of a verdict id with -1, and slots of id 0', () => {
    const { column, scan, totals } = start([0, 2, 1]);
    column.setTotals(totalsOf(-1, 5, -1));
    scan();
    expect([totals(), column.feasibleNodes]).toEqual([[-1, -1, -1], 0]);
  });
});

describe('totals by verdict id', () => {
  test('are written only when they are others', () => {
    const { column } = start();
    expect(column.setTotals(totalsOf(-1, 5, 6))).toBe(true);
    expect(column.setTotals(totalsOf(-1, 5, 6))).toBe(false);
    expect(column.setTotals(totalsOf(-1, 5, 7))).toBe(true);
  });

  test('of more ids than before get other tables, and counts begin anew', () => {
    const { world, column, scan } = start();
    column.setTotals(totalsOf(-1, 0, 0));
    column.setTracked(true);
    scan();
    expect([...column.counts()]).toEqual([0, 1, 1]);
    const before = world.memory.allocatedBytes;
    column.setTotals(totalsOf(-1, 0, 0, 0));
    expect([...column.counts()]).toEqual([0, 0, 0, 0]);
    expect(world.memory.allocatedBytes).toBe(before);
    scan();
    expect([...column.counts()]).toEqual([0, 1, 1, 0]);
  });

  test('stay as they were when there is no room for more', () => {
    const { world, column, scan, totals } = start();
    column.setTotals(totalsOf(-1, 5, 6));
    scan();
    const before = totals();
    const bytes = world.memory.allocatedBytes;
    const { allocate } = world.memory;
    for (const failing of [0, 1]) {
      let calls = 0;
      const spy = vi.spyOn(world.memory, 'allocate').mockImplementation((size, owner) => {
        if (calls++ === failing) throw new OutOfMemoryError(size);
        return allocate.call(world.memory, size, owner);
      });
      expect(() => column.setTotals(totalsOf(-1, 5, 6, 7))).toThrow(OutOfMemoryError);
      spy.mockRestore();
      expect(world.memory.allocatedBytes).toBe(bytes);
    }
    scan();
    expect(totals()).toEqual(before);
  });
});

describe('a scan', () => {
  test('counts feasible nodes by verdict id where that is wanted', () => {
    const { column, scan } = start([1, 1, 2]);
    column.setTotals(totalsOf(-1, 0, 0));
    scan();
    expect([[...column.counts()], column.feasibleNodes]).toEqual([[0, 0, 0], 2]);
    column.setTracked(true);
    scan();
    expect([[...column.counts()], column.feasibleNodes]).toEqual([[0, 2, 0], 2]);
  });

  test('counts more verdict ids than a register holds', () => {
    const idCount = 5000;
    const { column, scan } = start([1, idCount - 1, 2]);
    column.setTotals(new Int16Array(idCount));
    column.setTracked(true);
    scan();
    expect([column.counts()[1], column.counts()[idCount - 1], column.counts()[2]]).toEqual([1, 1, 0]);
    expect(column.feasibleNodes).toBe(2);
  });

  test('may write into a column of its own, side by side', () => {
    const { world, modules, column, totals } = start();
    column.setTotals(totalsOf(-1, 7, 300));
    const out = world.columns.table.add('i32');
    const { program } = modules;
    program.clear();
    column.planScan(program, out);
    world.runner.run(program, 3);
    expect(column.takeScan(program, out)).toBe(false);
    const { pointer, stride } = column.totalsIn(out);
    expect([pointer, stride]).toEqual([out.pointer, 2]);
    const written = [...new Int16Array(world.memory.memory.buffer, pointer, 3)];
    expect([totals(), column.feasibleNodes]).toEqual([[-1, -1, -1], 2]);
    column.block.scan([column]);
    expect(totals()).toEqual(written);
  });
});

test('what is released gives its memory back, and rejects every node', () => {
  const { world, block, newColumn } = start();
  const before = world.memory.allocatedBytes;
  const column = newColumn();
  column.setTotals(totalsOf(-1, 7, 300));
  block.scan([column]);
  expect(column.bestTotal).toBeGreaterThan(0);
  column.release();
  column.form.extraEntries.release();
  expect(world.memory.allocatedBytes).toBe(before);
  expect([FIELD.used, FIELD.tracked, FIELD.dirty, FIELD.extras].map((bit) => block.hasBit(bit, 1))).toEqual(
    Array(4).fill(false),
  );
  world.cluster.updateNode(makeNode('n0', { cpu: 64 }));
  world.kernels.syncBlock(world.env.pointer, block.pointer);
  expect(block.rows?.totalAt(1, 0)).toBe(-1);
});
