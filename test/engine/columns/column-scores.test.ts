import { describe, expect, test } from 'vitest';
import { ColumnScores, type ScoreSubject } from '../../../src/engine/columns/column-scores.ts';
import { FullScan } from '../../../src/engine/columns/full-scan.ts';
import { NodeScores } from '../../../src/engine/cycle/node-scores.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { Normalization, Plugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { ScoreFailure } from '../../../src/framework/runtime/guarded-plugin.ts';
import { errorStatus } from '../../../src/framework/status.ts';
import { InterPodAffinity } from '../../../src/plugins/inter-pod-affinity/plugin.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const labelOf = ({ node }: NodeInfo, key: string): number => Number(node.metadata?.labels?.[key] ?? 0);
const byLabel = (name: string, normalize?: Normalization): ScorePlugin => ({
  ...{ name, scoreReads: 'node', score: (_state, _pod, node) => labelOf(node, name) },
  ...(normalize && { normalize }),
});
const fit = new NodeResourcesFit();
const plain = byLabel('plain');
const scaled = byLabel('scaled', { reverse: false });
const reversed = byLabel('reversed', { reverse: true });
/** A plugin with its own way to normalise: the rank of each score. */
const ranked: ScorePlugin = {
  ...byLabel('ranked'),
  normalizeScores: (_state, _pod, _nodes, raw) => raw.map((score) => raw.filter((other) => other < score).length),
};

type Labels = Readonly<Record<string, number>>;
const texts = (labels: Labels) => Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, `${value}`]));

class ScoreWorld {
  readonly world: EngineColumns;
  readonly scores: ColumnScores;
  readonly subject: ScoreSubject;

  constructor(nodes: readonly Labels[], plugins: readonly Plugin[], isScanned = false) {
    const weights = new Map(plugins.map(({ name }, i) => [name, i + 1]));
    this.world = new EngineColumns({ plugins, weights });
    this.world.add(...nodes.map((labels, i) => makeNode(`n${i}`, { labels: texts(labels), cpu: 2 + i })));
    const { columns, cluster } = this.world;
    this.scores = new ColumnScores(this.world);
    const feasible = columns.table.add('i32');
    for (const { slot } of cluster.knownNodes()) feasible.values[slot] = -1;
    this.subject = {
      signature: this.world.signatureOf(makePod('p', { requests: { cpu: 1 } })),
      ...{ plan: null, kept: null, feasible, slots: cluster.slotCount, range: { from: 0, to: cluster.slotCount } },
      scan: isScanned ? new FullScan(this.world, this.scores) : null,
      feasibleNodes: () => cluster.nodeInfos().filter(({ slot }) => feasible.values[slot] !== 0),
    };
  }

  /** Totals of feasible nodes. */
  totals(): (number | undefined)[] {
    return this.subject.feasibleNodes().map(({ slot }) => this.scores.total.values[slot]);
  }

  reference(): NodeScores {
    const { signature, feasibleNodes } = this.subject;
    return new NodeScores(this.world.framework, signature.state.clone(), signature.pod, feasibleNodes());
  }
}

const NODES: readonly Labels[] = [
  { plain: 3, scaled: 10, reversed: 2, ranked: 7 },
  { plain: 0, scaled: 5, reversed: 8, ranked: 9 },
  { plain: 1, scaled: 0, reversed: 0, ranked: 7 },
];

describe.each([false, true])('scores by columns, scanned: %s', (isScanned) => {
  test('are the sum of all plugins, each normalised and weighted', () => {
    const world = new ScoreWorld(NODES, [plain, scaled, reversed], isScanned);
    expect(world.scores.score(world.subject)).toBe(null);
    expect(world.totals()).toEqual([3 + 2 * 100 + 3 * 75, 0 + 2 * 50 + 3 * 0, 1 + 2 * 0 + 3 * 100]);
    expect(world.scores.best).toEqual(isScanned ? { total: 428, ties: 1, slot: 0 } : null);
  });

  test('only feasible nodes count for a maximum', () => {
    const world = new ScoreWorld(NODES, [scaled], isScanned);
    world.subject.feasible.values[0] = 0;
    world.scores.score(world.subject);
    expect(world.totals()).toEqual([100, 0]);
  });

  test('are those of the methods, for kernels, plugins without scores, and each plugin by itself', () => {
    const world = new ScoreWorld(NODES, [fit, scaled, byLabel('absent', { reverse: true })], isScanned);
    const expected = world.reference();
    expected.run();
    world.scores.score(world.subject);
    expect(world.totals()).toEqual(expected.totals);
    const table = (scores: ReturnType<NodeScores['pluginScores']>) =>
      scores.map(({ plugin, weight, raw, normalized }) => {
        return [plugin, weight, world.subject.feasibleNodes().map((node) => [raw(node), normalized(node)])];
      });
    expect(table(world.scores.pluginScores())).toEqual(table(expected.pluginScores()));
  });
});

describe('a plugin that normalises in its own way', () => {
  test('is shown raw scores of feasible nodes', () => {
    const world = new ScoreWorld(NODES, [plain, ranked]);
    expect(world.scores.score(world.subject)).toBe(null);
    expect(world.totals()).toEqual([3, 2 * 2, 1]);
    const scores = world.scores.pluginScores()[1];
    expect(world.subject.feasibleNodes().map((node) => [scores?.raw(node), scores?.normalized(node)])).toEqual([
      [7, 0],
      [9, 2],
      [7, 0],
    ]);
  });

  test('fails the attempt when its scores are out of range, or when it throws', () => {
    const wild: ScorePlugin = { ...ranked, normalizeScores: (_state, _pod, _nodes, raw) => raw.map(() => 101) };
    const invalid = new ScoreWorld(NODES, [wild]);
    expect(invalid.scores.score(invalid.subject)?.reasons[0]).toContain('plugin "ranked" returns an invalid score 101');
    const throwing: ScorePlugin = {
      ...ranked,
      normalizeScores: () => {
        throw new ScoreFailure(errorStatus('ranked', 'no rank'));
      },
    };
    const broken = new ScoreWorld(NODES, [throwing]);
    expect(broken.scores.score(broken.subject)?.reasons).toEqual(['no rank']);
  });

  test('of two that fail the one is reported that fails first node by node', () => {
    let asked = 0;
    const second: ScorePlugin = {
      ...byLabel('second'),
      // Verdicts were found before; it fails when it is asked again.
      score: () => {
        if (asked++ < NODES.length) return 0;
        throw new ScoreFailure(errorStatus('second', 'no score'));
      },
    };
    const wild: ScorePlugin = { ...ranked, normalizeScores: (_state, _pod, _nodes, raw) => raw.map(() => 101) };
    const world = new ScoreWorld(NODES, [wild, second]);
    expect(world.scores.score(world.subject)?.reasons).toEqual(['no score']);
  });
});

test('a signature that keeps nothing has its plugins asked about feasible nodes', () => {
  const world = new ScoreWorld(NODES, [plain, scaled]);
  world.subject.feasible.values[1] = 0;
  const signature = { ...world.subject.signature, preScore: null };
  expect(world.scores.score({ ...world.subject, signature })).toBe(null);
  expect(world.totals()).toEqual([3 + 200, 1]);
});

test('a plugin for which there is no plan is skipped', () => {
  const affinity = new InterPodAffinity(makeCluster([]));
  const world = new ScoreWorld(NODES, [plain, affinity]);
  expect(world.scores.score(world.subject)).toBe(null);
  expect(world.totals()).toEqual([3, 0, 1]);
  expect(world.scores.pluginScores().map(({ plugin }) => plugin)).toEqual(['plain']);
});

describe('ties', () => {
  const nodes = Array.from({ length: 70 }, (_, i) => ({ plain: i % 2 }));

  test('are the feasible slots with the total', () => {
    const world = new ScoreWorld(nodes, [plain]);
    for (const slot of [1, 69]) world.subject.feasible.values[slot] = 0;
    world.scores.score(world.subject);
    const { feasible, slots } = world.subject;
    const ties = [...world.scores.ties(1, 33, feasible, slots)];
    expect(ties).toEqual(Array.from({ length: 33 }, (_, i) => 2 * i + 3));
  });

  test('are in the order in which their nodes were learned of', () => {
    const world = new ScoreWorld(nodes, [plain]);
    const { columns, env } = world.world;
    columns.fixed.order.values.set([900, 901], 3);
    env.isOrdered = false;
    world.scores.score(world.subject);
    const { feasible, slots } = world.subject;
    const ties = [...world.scores.ties(1, 35, feasible, slots)];
    expect([ties[0], ties[1], ties.at(-2), ties.at(-1)]).toEqual([1, 5, 69, 3]);
  });
});
