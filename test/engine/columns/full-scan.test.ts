import { describe, expect, test } from 'vitest';
import { FullScan, type ScanSubject } from '../../../src/engine/columns/full-scan.ts';
import { NodeScores } from '../../../src/engine/cycle/node-scores.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { FilterPlugin, Normalization, Plugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { NodeResourcesBalancedAllocation } from '../../../src/plugins/node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { EngineColumns, type EngineColumnsOptions } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const labelOf = ({ node }: NodeInfo, key: string): number => Number(node.metadata?.labels?.[key] ?? 0);
/** The number in the label that is called as the plugin. */
const byLabel = (name: string, normalize?: Normalization): ScorePlugin => ({
  ...{ name, scoreReads: 'node', score: (_state, _pod, node) => labelOf(node, name) },
  ...(normalize && { normalize }),
});
const plain = byLabel('plain');
const scaled = byLabel('scaled', { reverse: false });
const reversed = byLabel('reversed', { reverse: true });
const open: FilterPlugin = {
  ...{ name: 'Open', filterReads: 'node' },
  filter: (_state, _pod, node) => (labelOf(node, 'shut') > 0 ? unschedulable('Open', 'shut') : null),
};
/** This plugin is always there: without it no register counts room. */
const fit = new NodeResourcesFit();
const weights = new Map([
  ['plain', 1],
  ['scaled', 2],
  ['reversed', 3],
  [fit.name, 0],
]);

type Labels = Readonly<Record<string, number>>;

/** A scan of nodes with such labels. */
function start(nodes: readonly Labels[], options: EngineColumnsOptions) {
  const world = new EngineColumns({ weights, ...options });
  world.add(...nodes.map((labels, i) => makeNode(`n${i}`, { labels: texts(labels) })));
  const { memory, columns, resourceKernels, runner, cluster } = world;
  const { table } = columns;
  const own = { raw: table.add('i32'), normalized: table.add('i32'), total: table.add('i32') };
  const feasible = table.add('i32');
  const scan = new FullScan({ memory, columns, resourceKernels, runner }, own);
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 1 } }));
  const subject: ScanSubject = { signature, feasible, slots: { from: 0, to: cluster.slotCount }, isFinal: true };
  const totals = () => [...own.total.values.subarray(0, cluster.slotCount)];
  return { world, scan, subject, feasible, totals };
}

const texts = (labels: Labels) => Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, `${value}`]));

describe.each(['scalar', 'simd'] as const)('a full scan by %s kernels', (kind) => {
  test('of no nodes finds none', () => {
    const { scan, subject } = start([], { plugins: [fit, plain, scaled], kind });
    expect(scan.filter(subject, true)).toBe(0);
    scan.score(subject);
    expect(scan.best).toEqual({ total: 0, ties: 0, slot: -1 });
  });

  test('adds up scores as they are, and finds the best in one step', () => {
    const nodes = [{ plain: 5 }, { plain: 9 }, { plain: 9, shut: 1 }, { plain: 9 }];
    const { scan, subject, feasible, totals } = start(nodes, { plugins: [open, fit, plain], kind });
    expect(scan.filter(subject, true)).toBe(3);
    expect([...feasible.values.subarray(0, 4)]).toEqual([-1, -1, 0, -1]);
    scan.score(subject);
    expect([totals()[0], totals()[1], totals()[3]]).toEqual([5, 9, 9]);
    expect(scan.best).toEqual({ total: 9, ties: 2, slot: 1 });
  });

  test('normalises by what feasible nodes have, and counts constant scores', () => {
    // The 40 of the node that is shut does not count; `reversed` is 0 everywhere: 3 times 100 for each.
    const nodes = [{ scaled: 10 }, { scaled: 3, plain: 1 }, { scaled: 40, shut: 1 }];
    const { scan, subject, totals } = start(nodes, { plugins: [open, fit, plain, scaled, reversed], kind });
    scan.filter(subject, true);
    scan.score(subject);
    expect(totals().slice(0, 2)).toEqual([2 * 100 + 300, 2 * 30 + 300 + 1]);
    expect(scan.best).toEqual({ total: 500, ties: 1, slot: 0 });
  });

  test('several normalised plugins are added one after the other', () => {
    const nodes = [
      { scaled: 7, reversed: 2 },
      { scaled: 2, reversed: 0 },
    ];
    const { scan, subject, totals } = start(nodes, { plugins: [fit, scaled, reversed], kind });
    scan.filter(subject, true);
    scan.score(subject);
    expect(totals()).toEqual([2 * 100 + 3 * 0, 2 * 28 + 3 * 100]);
    expect(scan.best?.slot).toBe(1);
  });

  test('says the same when something else rejects between filter and scores', () => {
    const nodes = [{ scaled: 10 }, { scaled: 4 }, { scaled: 2 }];
    const { scan, subject, feasible, totals } = start(nodes, { plugins: [fit, scaled], kind });
    expect(scan.filter(subject, false)).toBe(3);
    feasible.values[0] = 0;
    scan.score(subject);
    expect(totals().slice(1)).toEqual([200, 100]);
    expect(scan.best).toEqual({ total: 200, ties: 1, slot: 1 });
  });

  test('leaves the best to others when the totals are not final', () => {
    const { scan, subject } = start([{ plain: 5 }], { plugins: [fit, plain], kind });
    scan.filter(subject, true);
    scan.score(subject);
    expect(scan.best?.slot).toBe(0);
    scan.score({ ...subject, isFinal: false });
    expect(scan.best).toBe(null);
  });

  test('takes the node that was learned of first, wherever it stands', () => {
    const { world, scan, subject } = start([{ plain: 4 }, { plain: 4 }], { plugins: [fit, plain], kind });
    world.cluster.removeNode('n0');
    world.add(makeNode('late', { labels: { plain: '4' } }));
    subject.signature.verdicts.sync();
    scan.filter(subject, true);
    scan.score(subject);
    expect(scan.best).toEqual({ total: 4, ties: 2, slot: 1 });
  });

  test('looks at no slot outside of its range', () => {
    const nodes = Array.from({ length: 130 }, (_, i) => ({ plain: i % 100 }));
    const { scan, subject, totals } = start(nodes, { plugins: [fit, plain], kind });
    scan.filter({ ...subject, slots: { from: 0, to: 130 } }, false);
    scan.score({ ...subject, slots: { from: 64, to: 90 } });
    expect(scan.best).toEqual({ total: 89, ties: 1, slot: 89 });
    expect([totals()[63], totals()[64], totals()[90]]).toEqual([0, 64, 0]);
  });

  test("equals the plugins' own methods where resources are scored, too", () => {
    const plugins: Plugin[] = [fit, new NodeResourcesBalancedAllocation(), plain, scaled];
    const nodes = Array.from({ length: 11 }, (_, i) => ({ plain: i, scaled: (i * 7) % 5 }));
    const { world, scan, subject, totals } = start(nodes, { plugins, weights: new Map([[fit.name, 2]]), kind });
    for (const i of [1, 4]) world.cluster.pods.add(makePod(`p${i}`, { nodeName: `n${i}`, requests: { cpu: i } }));
    expect(scan.filter(subject, true)).toBe(10);
    scan.score(subject);
    const found = world.cluster.nodeInfos().filter(({ slot }) => slot !== 4);
    const { pod, state } = subject.signature;
    const expected = new NodeScores(world.framework, state, pod, found);
    expect(expected.run()).toBe(null);
    expect(found.map(({ slot }) => totals()[slot])).toEqual(expected.totals);
  });
});
