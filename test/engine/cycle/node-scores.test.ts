import { describe, expect, test } from 'vitest';
import { invalidScore, NodeScores, normalizedBy, selectNode } from '../../../src/engine/cycle/node-scores.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { Normalization, Plugin, PreScorePlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { Framework } from '../../../src/framework/runtime/framework.ts';
import { ScoreFailure } from '../../../src/framework/runtime/guarded-plugin.ts';
import { errorStatus, skip } from '../../../src/framework/status.ts';
import { atEveryPoint } from '../../builders/framework-plugins.ts';
import { makeCluster, makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const pod = makePodInfo(makePod('p'));
const state = new CycleState();
const names = ['a', 'b', 'c'];
const cluster = makeCluster(names.map((name) => makeNode(name)));
const nodes = cluster.nodeInfos();

/** Scores by the order in which nodes were learned of. */
const listed = (name: string, scores: readonly number[], normalize?: Normalization): ScorePlugin => ({
  ...{ name, scoreReads: 'node', score: (_state, _pod, { order }) => scores[order] ?? 0 },
  ...(normalize && { normalize }),
});

function scoresBy(plugins: readonly Plugin[], weights: Readonly<Record<string, number>> = {}, of = nodes): NodeScores {
  const framework = new Framework(atEveryPoint(plugins, new Map(Object.entries(weights))));
  return new NodeScores(framework, new CycleState(), pod, of);
}

describe('scores node by node', () => {
  test('are normalised, weighted and added', () => {
    const scores = scoresBy([listed('A', [1, 2, 4], { reverse: false }), listed('B', [7, 0, 1])], { A: 2, B: 3 });
    expect(scores.run()).toBe(null);
    expect(scores.totals).toEqual([2 * 25 + 21, 2 * 50, 2 * 100 + 3]);
    const [a, b] = scores.pluginScores();
    expect([a?.plugin, a?.weight, b?.plugin, b?.weight]).toEqual(['A', 2, 'B', 3]);
    expect(nodes.map((node) => [a?.raw(node), a?.normalized(node), b?.normalized(node), scores.total(node)])).toEqual([
      [1, 25, 7, 71],
      [2, 50, 0, 100],
      [4, 100, 1, 203],
    ]);
  });

  test('are 0 for a node that was not among them, and none without nodes', () => {
    const scores = scoresBy([listed('A', [5, 6, 7])], {}, nodes.slice(1));
    expect([scores.run(), scores.totals]).toEqual([null, [6, 7]]);
    expect(scores.total(nodes[0] as NodeInfo)).toBe(0);
    const none = scoresBy([listed('A', [5])], {}, []);
    expect([none.run(), none.totals]).toEqual([null, []]);
  });

  test('every plugin scores before the first one normalises', () => {
    const calls: string[] = [];
    const noting = (name: string): ScorePlugin => ({
      ...listed(name, []),
      score: (_state, _pod, node) => calls.push(`${name} ${node.name}`),
      normalizeScores: (_state, _pod, _nodes, raw) => {
        calls.push(`${name} normalises`);
        return raw.map(() => 0);
      },
    });
    scoresBy([noting('A'), noting('B')], {}, nodes.slice(0, 2)).run();
    expect(calls).toEqual(['A a', 'B a', 'A b', 'B b', 'A normalises', 'B normalises']);
  });

  test('a plugin that PreScore skips takes no part', () => {
    const skipped: ScorePlugin & PreScorePlugin = { ...listed('A', [9, 9, 9]), preScore: () => skip('A') };
    const scores = scoresBy([skipped, listed('B', [1, 2, 3])]);
    expect([scores.run(), scores.totals]).toEqual([null, [1, 2, 3]]);
    expect(scores.pluginScores().map(({ plugin }) => plugin)).toEqual(['B']);
  });

  test('fail with what PreScore, a score or a normalisation says', () => {
    const broken = errorStatus('A', 'broken');
    const fail = (): never => {
      throw new ScoreFailure(broken);
    };
    const preScore: ScorePlugin & PreScorePlugin = { ...listed('A', []), preScore: () => broken };
    expect(scoresBy([preScore]).run()?.reasons).toEqual(['running PreScore plugin "A": broken']);
    const score: ScorePlugin = { ...listed('A', []), score: fail };
    expect(scoresBy([score]).run()).toBe(broken);
    const normalising: ScorePlugin = { ...listed('A', []), normalizeScores: fail };
    expect(scoresBy([normalising]).run()).toBe(broken);
  });

  test('of several invalid ones the first plugin is named', () => {
    const status = scoresBy([listed('A', [100, 0, 0]), listed('B', [0, 101, 0]), listed('C', [-1, 0, 0])]).run();
    expect(status).toMatchObject({ code: 'Error', plugin: 'B' });
    expect(status?.reasons[0]).toContain('plugin "B" returns an invalid score 101');
  });
});

describe('normalised scores', () => {
  const by = (plugin: ScorePlugin, raw: number[]) => normalizedBy(plugin, state, pod, nodes, raw);

  test('are scaled by the largest, and truncated', () => {
    expect(by(listed('A', [], { reverse: false }), [3, 2, 1])).toEqual([100, 66, 33]);
    expect(by(listed('A', [], { reverse: true }), [3, 2, 1])).toEqual([0, 34, 67]);
  });

  test('are 0 where all are 0, and 100 where less is better', () => {
    expect(by(listed('A', [], { reverse: false }), [0, 0])).toEqual([0, 0]);
    expect(by(listed('A', [], { reverse: true }), [0, 0])).toEqual([100, 100]);
  });

  test("are the plugin's own, or the raw ones", () => {
    expect(by({ ...listed('A', []), normalizeScores: (_s, _p, _n, raw) => raw.map((x) => x + 1) }, [1, 2])).toEqual([
      2, 3,
    ]);
    expect(by(listed('A', []), [7, 8])).toEqual([7, 8]);
  });

  test('are valid from 0 to 100', () => {
    const a = listed('A', []);
    expect(invalidScore(a, [0, 100])).toBe(null);
    expect(invalidScore(a, [])).toBe(null);
    expect(invalidScore(a, [0, 101, -1])?.reasons[0]).toContain('invalid score 101,');
    expect(invalidScore(a, [0, -1])?.reasons[0]).toContain('invalid score -1, it should in the range of [0, 100]');
  });
});

describe('the selected node', () => {
  const backwards = nodes.toReversed();
  const never = (): never => {
    throw new Error('nothing is drawn');
  };

  test('is the only best one, whatever the tie-break', () => {
    for (const tieBreak of ['first', 'random', 'upstream'] as const) {
      expect(selectNode(nodes, [1, 3, 2], tieBreak, never)).toEqual({ node: nodes[1], total: 3, ties: 1 });
    }
  });

  test('is among equals the one that was learned of first, however they were found', () => {
    expect(selectNode(backwards, [5, 5, 5], 'first', never)).toEqual({ node: nodes[0], total: 5, ties: 3 });
  });

  test('is drawn among equals by rank, in the order in which they were learned of', () => {
    const seen: string[] = [];
    const draw = (ties: number, nameOf?: (rank: number) => string): number => {
      for (let rank = 0; rank < ties; rank++) seen.push(nameOf?.(rank) ?? '');
      return 1;
    };
    expect(selectNode(backwards, [5, 1, 5], 'random', draw)).toEqual({ node: nodes[2], total: 5, ties: 2 });
    expect(seen).toEqual(['a', 'c']);
  });

  test('is the root of the heap over the nodes as they were found', () => {
    expect(selectNode(backwards, [5, 5, 5], 'upstream', never).node.name).toBe('c');
    expect(selectNode(backwards, [1, 5, 5], 'upstream', never).node.name).toBe('b');
  });

  test('may have a total below 0', () => {
    expect(selectNode(nodes, [-3, -1, -2], 'first', never)).toEqual({ node: nodes[1], total: -1, ties: 1 });
    expect(() => selectNode([], [], 'first', never)).toThrow('select needs a feasible node');
  });
});
