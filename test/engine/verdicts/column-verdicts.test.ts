import { describe, expect, test } from 'vitest';
import { ColumnVerdicts, scoreOrUndefined } from '../../../src/engine/verdicts/column-verdicts.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { FilterPlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { ScoreFailure } from '../../../src/framework/runtime/guarded-plugin.ts';
import { errorStatus, unresolvable, unschedulable } from '../../../src/framework/status.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNodeInfo, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const pod = makePodInfo(makePod('p'));
const never = (): never => {
  throw new Error('the method is not called');
};

/** Rejects nodes with fewer than 4 cpus, and in other words those with fewer than 2. */
const size: FilterPlugin = {
  name: 'Size',
  filterReads: 'node',
  filter: never,
  columnStatuses: () => [
    { code: 'Unschedulable', reasons: ['small'] },
    { code: 'UnschedulableAndUnresolvable', reasons: ['tiny'] },
  ],
  filterColumns: (_pod, nodes, out, from, to) => {
    const { allocatable } = nodes.resource('cpu');
    for (let slot = from; slot < to; slot++) {
      const milliCPU = allocatable[slot] ?? 0;
      if (milliCPU < 4000) out[slot] = milliCPU < 2000 ? 2 : 1;
    }
  },
};
const cpus: ScorePlugin = {
  name: 'Cpus',
  scoreReads: 'node',
  score: never,
  scoreColumns: (_pod, nodes, out, from, to) => {
    for (let slot = from; slot < to; slot++) out[slot] = (nodes.resource('cpu').allocatable[slot] ?? 0) / 1000;
  },
};
const byMethod: FilterPlugin & ScorePlugin = {
  ...{ name: 'ByMethod', filterReads: 'node', scoreReads: 'node' },
  ...{ filter: () => null, score: () => 0 },
};

function start(filters: readonly FilterPlugin[], scores: readonly ScorePlugin[], ...nodeCpus: readonly number[]) {
  const world = new EngineColumns().add(...nodeCpus.map((cpu, i) => makeNode(`n${i}`, { cpu })));
  const verdicts = new ColumnVerdicts(pod, world.pluginColumns, filters, scores);
  if (verdicts === null) throw new Error('no plugin has column functions');
  verdicts.sync();
  return { world, verdicts };
}

describe('verdicts by columns', () => {
  test('are none where no plugin has column functions', () => {
    const { pluginColumns } = new EngineColumns();
    expect(new ColumnVerdicts(pod, pluginColumns, [byMethod], [byMethod]).isEmpty).toBe(true);
    expect(new ColumnVerdicts(pod, pluginColumns, [], []).isEmpty).toBe(true);
  });

  test("are the plugin's statuses under its name", () => {
    const { verdicts } = start([size], [cpus], 4, 3, 1);
    verdicts.compute(0, 3);
    expect([0, 1, 2].map((slot) => verdicts.verdict(size, slot))).toEqual([
      null,
      unschedulable('Size', 'small'),
      unresolvable('Size', 'tiny'),
    ]);
    expect([0, 1, 2].map((slot) => verdicts.score(cpus, slot))).toEqual([4, 3, 1]);
  });

  test('are not known before they are computed, nor of plugins without such functions', () => {
    const { verdicts } = start([size, byMethod], [cpus, byMethod], 4);
    expect([verdicts.verdict(size, 0), verdicts.score(cpus, 0)]).toEqual([undefined, undefined]);
    verdicts.compute(0, 1);
    expect([verdicts.verdict(byMethod, 0), verdicts.score(byMethod, 0)]).toEqual([undefined, undefined]);
  });

  test('of a slot are computed anew without those of others', () => {
    const { world, verdicts } = start([size], [cpus], 4, 3, 1);
    verdicts.compute(0, 3);
    for (const i of [0, 1]) world.cluster.updateNode(makeNode(`n${i}`, { cpu: 9 - 8 * i }));
    verdicts.sync();
    verdicts.compute(1, 2);
    expect([0, 1, 2].map((slot) => verdicts.score(cpus, slot))).toEqual([4, 1, 1]);
    expect(verdicts.verdict(size, 1)).toEqual(unresolvable('Size', 'tiny'));
  });

  test('a function finds 0 where it writes, whatever it wrote before', () => {
    const found: number[] = [];
    const rejecting: FilterPlugin = {
      ...size,
      filterColumns: (_pod, _nodes, out) => {
        found.push(out[0] ?? -1);
        out[0] = 1;
      },
    };
    const { verdicts } = start([rejecting], [], 4);
    verdicts.compute(0, 1);
    verdicts.compute(0, 1);
    expect(found).toEqual([0, 0]);
  });

  test('keep what is known when there are more nodes than before', () => {
    const { world, verdicts } = start([size], [cpus], 4, 3);
    verdicts.compute(0, 2);
    world.add(...Array.from({ length: 100 }, (_, i) => makeNode(`more${i}`, { cpu: 1 })));
    verdicts.sync();
    verdicts.compute(101, 102);
    expect([0, 1, 101].map((slot) => verdicts.score(cpus, slot))).toEqual([4, 3, 1]);
    expect([0, 1, 101].map((slot) => verdicts.verdict(size, slot)?.reasons)).toEqual([undefined, ['small'], ['tiny']]);
  });

  test('a code without a status is for the method to explain', () => {
    const odd: FilterPlugin = { ...size, filterColumns: (_pod, _nodes, out) => out.fill(3) };
    const { verdicts } = start([odd], [], 4);
    verdicts.compute(0, 1);
    expect(verdicts.verdict(odd, 0)).toBe(undefined);
  });

  test('what a function throws is thrown', () => {
    const { pluginColumns } = new EngineColumns().add(makeNode('a'));
    expect(() => new ColumnVerdicts(pod, pluginColumns, [{ ...size, columnStatuses: never }], [])).toThrow(
      'not called',
    );
    const { verdicts } = start([{ ...size, filterColumns: never }], [], 4);
    expect(() => verdicts.compute(0, 1)).toThrow('not called');
  });
});

test('a score that failed is none, another error is thrown', () => {
  const scoreBy = (score: ScorePlugin['score']): number | undefined =>
    scoreOrUndefined({ ...cpus, score }, new CycleState(), pod, makeNodeInfo(makeNode('n')));
  expect(scoreBy(() => 0)).toBe(0);
  const failed = (): number => {
    throw new ScoreFailure(errorStatus('P', 'no'));
  };
  expect(scoreBy(failed)).toBe(undefined);
  expect(() => scoreBy(never)).toThrow('not called');
});
