import { expect, test } from 'vitest';
import { SignatureTotals } from '../../../src/engine/index/signature-totals.ts';
import { TotalsBlock } from '../../../src/engine/index/totals-block.ts';
import { TotalsScan } from '../../../src/engine/index/totals-scan.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { mustForm, totalsModules } from '../../builders/totals-parts.ts';

/** Nodes with so many CPUs; a pod fits where it has 2. */
function start(cpus: readonly number[]) {
  const world = new EngineColumns();
  world.add(...cpus.map((cpu, i) => makeNode(`n${i}`, { cpu, memory: '8Gi' })));
  const modules = totalsModules(world);
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 2 } }));
  const block = new TotalsBlock(modules, true, 0);
  const totals = new SignatureTotals(modules, block, signature, mustForm(world, signature));
  signature.verdicts.sync();
  totals.refresh();
  world.env.renew(world.cluster.slotCount);
  const pointer = world.memory.allocate(64);
  const results = new Int32Array(world.memory.memory.buffer, pointer, 16);
  const { table } = world.columns;
  const { framework, cluster, kernels, memory, columns, runner, env } = world;
  const scanModules = { framework, cluster, kernels, memory, columns, runner, env };
  return { totals, scan: new TotalsScan(scanModules, table.add('i32'), results) };
}

test('the best of all nodes, all of them or the first', () => {
  const { totals, scan } = start([4, 8, 1, 8]);
  const best = scan.best(totals, false);
  expect([...(best?.slots ?? [])].sort()).toEqual([1, 3]);
  expect(scan.best(totals, true)).toEqual({ total: best?.total, slots: Int32Array.of(1) });
});

test('the best of the nodes in a window', () => {
  const { totals, scan } = start([8, 4, 1, 8]);
  expect(scan.bestInWindow(totals, { start: 1, wanted: 2 })).toMatchObject({
    ...{ feasibleNodes: 2, processed: 3, ties: 1, first: 3, root: 3 },
  });
  expect(scan.bestInWindow(totals, { start: 1, wanted: 1 })).toMatchObject({
    feasibleNodes: 1,
    processed: 2,
    first: 1,
  });
});

test('nothing where no node fits', () => {
  const { totals, scan } = start([1, 1]);
  expect(scan.best(totals, false)).toBe(null);
  expect(scan.bestInWindow(totals, { start: 0, wanted: 2 })).toBe(null);
});
