import { describe, expect, test, vi } from 'vitest';
import { COLUMNS } from '../../../src/engine/index/layout.ts';
import type { PodSignature } from '../../../src/engine/index/pod-signature.ts';
import { SignatureTotals } from '../../../src/engine/index/signature-totals.ts';
import type { TotalsBlock } from '../../../src/engine/index/totals-block.ts';
import { TotalsBlocks } from '../../../src/engine/index/totals-blocks.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { mustForm, totalsModules } from '../../builders/totals-parts.ts';

function start(hasRows = true) {
  const world = new EngineColumns();
  world.cluster.addNode(makeNode('n0'));
  const modules = totalsModules(world);
  const blocks = new TotalsBlocks(modules, hasRows);
  const signatureOf = (cpu: number): PodSignature => world.signatureOf(makePod('p', { requests: { cpu: `${cpu}m` } }));
  const rows = world.columns.table.capacity;
  const add = (cpu: number, run: number): SignatureTotals | null => {
    const signature = signatureOf(cpu);
    const form = mustForm(world, signature);
    const block = blocks.withFreeColumn(form, rows, run);
    if (block === null) return null;
    const totals = new SignatureTotals(modules, block, signature, form);
    totals.lastRun = run;
    return totals;
  };
  return { world, blocks, add };
}

describe('the blocks of the index', () => {
  test('are filled one after the other; a place that is left is taken first', () => {
    const { add } = start();
    const totals = Array.from({ length: COLUMNS + 1 }, (_, i) => add(i + 1, 1));
    expect(new Set(totals.map((each) => each?.block)).size).toBe(2);
    totals[3]?.release();
    totals[COLUMNS]?.release();
    expect(add(100, 1)?.block).toBe(totals[0]?.block);
  });

  test('that are empty give their memory back, but for one', () => {
    const { world, add } = start();
    add(1, 1)?.release();
    const free = vi.spyOn(world.memory, 'free');
    const totals = Array.from({ length: COLUMNS * 5 }, (_, i) => add(i + 1, 1));
    free.mockClear();
    for (const each of totals) each?.release();
    const blocks = new Set(totals.map((each) => each?.block.pointer));
    expect(blocks.size).toBe(5);
    expect(free.mock.calls.filter(([pointer]) => blocks.has(pointer)).length).toBe(4);
  });

  test('give up the column that was used longest ago, and none of the present run', () => {
    const { add } = start(false);
    const most = 512 * COLUMNS;
    const totals = Array.from({ length: most }, (_, i) => add(i + 1, i < 2 ? 1 : 2));
    expect(add(most + 1, 2)?.isReleased).toBe(false);
    expect([totals[0]?.isReleased, totals[1]?.isReleased, totals[2]?.isReleased]).toEqual([true, false, false]);
    expect(add(most + 2, 2)).not.toBeNull();
    expect(add(most + 3, 2)).toBeNull();
  });

  test('for pods with rare resources are few, and a column that was given up rejects all nodes', () => {
    const { world, blocks, add } = start();
    const modules = totalsModules(world);
    const rows = world.columns.table.capacity;
    const most = 8 * COLUMNS;
    const rare = Array.from({ length: most + 1 }, (_, i) => {
      world.columns.setResource('allocatable', `example.com/${i}`, 0, 1);
      const signature = world.signatureOf(makePod('p', { requests: { [`example.com/${i}`]: 1 } }));
      const form = mustForm(world, signature);
      const block = blocks.withFreeColumn(form, rows, i + 1) as TotalsBlock;
      const totals = new SignatureTotals(modules, block, signature, form);
      totals.lastRun = i + 1;
      signature.verdicts.sync();
      totals.refresh();
      expect([totals.feasibleNodes, totals.bestTotal >= 0]).toEqual([1, true]);
      return totals;
    });
    expect(rare.map(({ isReleased }) => isReleased)).toEqual(rare.map((_, i) => i === 0));
    expect(new Set(rare.map(({ block }) => block)).size).toBe(8);
    // Other pods have blocks of their own.
    expect(rare.some(({ block }) => block === add(1, 1)?.block)).toBe(false);
    const { block, number } = rare[most] as SignatureTotals;
    rare[most]?.release();
    expect([block.bestTotal(number), block.takeBlank(number)]).toEqual([-1, true]);
  });

  test('know the totals that share verdicts', () => {
    const { blocks, add } = start();
    const [a, b] = [add(1, 1), add(2, 1)] as [SignatureTotals, SignatureTotals];
    const { verdicts } = a.signature;
    expect([...blocks.totalsWith(verdicts)]).toEqual(b.signature.verdicts === verdicts ? [a, b] : [a]);
    a.release();
    expect([...blocks.totalsWith(verdicts)]).not.toContain(a);
    blocks.clear();
    expect([...blocks.totalsWith(verdicts)]).toEqual([]);
  });
});
