import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { FIELD } from '../../../src/engine/index/layout.ts';
import { SignatureTotals } from '../../../src/engine/index/signature-totals.ts';
import { TotalsBlock } from '../../../src/engine/index/totals-block.ts';
import type { FilterPlugin, Normalization, Plugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { mustForm, newBlock, totalsModules } from '../../builders/totals-parts.ts';

const fit = new NodeResourcesFit();
const stars = (normalize?: Normalization): ScorePlugin => ({
  ...{ name: 'Stars', scoreReads: 'node' },
  score: (_state, _pod, { node }) => Number(node.metadata?.labels?.['stars'] ?? 0),
  ...(normalize && { normalize }),
});
const door: FilterPlugin = {
  ...{ name: 'Door', filterReads: 'node' },
  filter: (_state, _pod, { node }) => (node.metadata?.labels?.['door'] ? unschedulable('Door', 'shut') : null),
};
const SCALED = stars({ reverse: false });

/** A node for each: so many stars, shut or full. Resources score nothing. */
function start(nodes: readonly (number | 'shut')[], plugins: readonly Plugin[] = [door, fit, SCALED], hasRows = true) {
  const world = new EngineColumns({ plugins, weights: new Map([[fit.name, 0]]) });
  const nodeOf = (i: number, what: number | 'shut', cpu = 4) =>
    makeNode(`n${i}`, { cpu, labels: what === 'shut' ? { door: 'shut' } : { stars: `${what}` } });
  world.add(...nodes.map((what, i) => nodeOf(i, what)));
  const modules = totalsModules(world);
  const block = hasRows ? newBlock(world, modules) : new TotalsBlock(modules, true, 0);
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 3 } }));
  const totals = new SignatureTotals(modules, block, signature, mustForm(world, signature));
  world.onIdAdded = () => totals.hasTables && totals.extendTables();
  world.onIdChanged = (slot, before) => totals.idChanged(slot, before);
  const refresh = (): void => {
    signature.verdicts.sync();
    totals.refresh();
  };
  /** Follows the log; whether scores have to be normalised anew is up to the caller. */
  const follow = (): void => {
    signature.verdicts.sync();
    expect(world.kernels.syncBlock(world.env.pointer, block.pointer)).toBe(1);
  };
  const list = () => nodes.map((_, slot) => totals.totalAt(slot));
  const fill = (i: number) => world.cluster.pods.add(makePod(`on-${i}`, { nodeName: `n${i}`, requests: { cpu: 4 } }));
  return { world, block, signature, totals, refresh, follow, list, fill, nodeOf };
}

describe('the totals of a signature', () => {
  test('are where the signature finds them', () => {
    const { signature, totals, refresh } = start([1]);
    expect(signature.totals).toBe(totals);
    refresh();
    totals.release();
    expect([signature.totals, totals.isReleased]).toEqual([undefined, true]);
  });

  test('are normalised by what feasible nodes have', () => {
    const { refresh, list, totals } = start([2, 'shut', 4, 1]);
    refresh();
    expect([list(), totals.bestTotal, totals.feasibleNodes]).toEqual([[50, -1, 100, 25], 100, 3]);
  });

  test('leave out the stars of a full node from the first scan on', () => {
    const { refresh, list, fill } = start([2, 8, 4]);
    fill(1);
    refresh();
    expect(list()).toEqual([50, -1, 100]);
  });

  test('without nodes are none', () => {
    const { refresh, totals } = start([]);
    refresh();
    expect([totals.bestTotal, totals.feasibleNodes]).toEqual([-1, 0]);
  });
});

describe('whether nodes are counted by verdict id', () => {
  test('depends on scores that are normalised, and not 0 everywhere', () => {
    expect(start([1, 2]).totals.isTracked).toBe(true);
    expect(start([0, 0]).totals.isTracked).toBe(false);
    expect(start([1, 2], [door, fit, stars()]).totals.isTracked).toBe(false);
  });

  test('may begin when a first score is not 0', () => {
    const { world, totals, refresh, list, nodeOf } = start([0, 0]);
    refresh();
    expect([list(), totals.isTracked]).toEqual([[0, 0], false]);
    world.cluster.updateNode(nodeOf(1, 3));
    refresh();
    expect([list(), totals.isTracked]).toEqual([[0, 100], true]);
  });
});

describe('when nodes change', () => {
  test('verdicts of which nobody told are scanned anew', () => {
    const { world, refresh, list, nodeOf } = start([2, 4]);
    refresh();
    world.onIdChanged = null;
    world.cluster.updateNode(nodeOf(1, 'shut'));
    refresh();
    expect(list()).toEqual([100, -1]);
  });

  test('nodes are counted by the verdicts that they have now, without a scan', () => {
    const change = fc.record({
      slot: fc.nat(3),
      what: fc.constantFrom<number | 'shut' | 'full' | 'follow'>(0, 1, 2, 'shut', 'full', 'follow'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        // With few nodes a short log would make a scan cheaper.
        const others = new Array<'shut'>(300).fill('shut');
        const { world, block, totals, signature, refresh, follow, list, fill, nodeOf } = start([
          1,
          2,
          'shut',
          1,
          ...others,
        ]);
        const { cluster } = world;
        refresh();
        const scan = vi.spyOn(block, 'scan');
        const full = new Set<number>();
        for (const { slot, what } of changes) {
          if (what === 'full') {
            if (!full.has(slot)) fill(slot);
            full.add(slot);
          } else if (what === 'follow') follow();
          else cluster.updateNode(nodeOf(slot, what));
          // An index synchronises verdicts before it uses totals, and may follow the log later.
          refresh();
        }
        follow();
        if (block.hasBit(FIELD.dirty, totals.number)) totals.renormalize();
        expect(scan).not.toHaveBeenCalled();
        const counts = [...totals.counts()];
        const fresh = new SignatureTotals(totalsModules(world), block, signature, mustForm(world, signature));
        fresh.refresh();
        expect(list()).toEqual(list().map((_, slot) => fresh.totalAt(slot)));
        expect(totals.feasibleNodes).toBe(fresh.feasibleNodes);
        if (totals.isTracked) expect(counts).toEqual([...fresh.counts()]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('nothing is scanned while verdicts are the same', () => {
    const { block, refresh } = start([2, 4]);
    refresh();
    const scan = vi.spyOn(block, 'scan');
    refresh();
    expect(scan).not.toHaveBeenCalled();
  });

  test('the last feasible node of the maximum gone, scores are normalised by the next', () => {
    const { refresh, follow, totals, list, fill } = start([2, 4, 4]);
    refresh();
    fill(1);
    follow();
    totals.renormalize();
    expect(list()).toEqual([50, -1, 100]);
    fill(2);
    follow();
    totals.renormalize();
    expect([list(), totals.bestTotal, totals.feasibleNodes]).toEqual([[100, -1, -1], 100, 1]);
  });

  test('a new verdict id has totals before it has nodes', () => {
    const { world, refresh, follow, list, nodeOf } = start([2, 4, 4]);
    refresh();
    world.cluster.updateNode(nodeOf(0, 3));
    follow();
    expect(list()).toEqual([75, 100, 100]);
  });
});

describe.each([true, false])('the best by a scan into a column, with rows: %s', (hasRows) => {
  const best = (nodes: readonly (number | 'shut')[], full: readonly number[] = []) => {
    const { world, totals, refresh, fill } = start(nodes, [door, fit, SCALED], hasRows);
    for (const i of full) fill(i);
    refresh();
    const out = world.columns.table.add('i32');
    return [totals.bestIn(out, world.columns.fixed.order), totals.feasibleNodes];
  };

  test('is the first of those with the largest total', () => {
    expect(best([1, 3, 3])).toEqual([{ total: 100, ties: 2, slot: 1 }, 3]);
    expect(best([0, 0, 'shut'])).toEqual([{ total: 0, ties: 2, slot: 0 }, 2]);
  });

  test('is normalised by who is feasible', () => {
    expect(best([1, 3, 2], [1])).toEqual([{ total: 100, ties: 1, slot: 2 }, 2]);
  });

  test('is none where nothing fits', () => {
    expect(best(['shut', 1], [1])).toEqual([{ total: 0, ties: 0, slot: -1 }, 0]);
  });
});

test('what is released gives its memory back', () => {
  const world = new EngineColumns({ plugins: [door, fit, SCALED] }).add(makeNode('n0', { labels: { stars: '3' } }));
  const modules = totalsModules(world);
  const block = newBlock(world, modules);
  const signature = world.signatureOf(makePod('p'));
  const before = world.memory.allocatedBytes;
  const totals = new SignatureTotals(modules, block, signature, mustForm(world, signature));
  totals.refresh();
  totals.release();
  expect(world.memory.allocatedBytes).toBe(before);
  expect(block.freeColumn).toBe(0);
});
