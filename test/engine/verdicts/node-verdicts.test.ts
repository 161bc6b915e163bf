import { describe, expect, test } from 'vitest';
import { LEFT_OUT } from '../../../src/engine/verdicts/verdict-table.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { FilterPlugin, PreFilterPlugin, Reads, ScorePlugin } from '../../../src/framework/plugin.ts';
import { errorStatus, unresolvable, unschedulable } from '../../../src/framework/status.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const labelOf = ({ node }: NodeInfo, key: string): string | undefined => node.metadata?.labels?.[key];

/** Counts the nodes that it is asked about; looks at one label, or at the number of pods. */
function door(asked: string[], filterReads: Reads = 'node'): FilterPlugin {
  return {
    name: 'Door',
    filterReads,
    ...(filterReads === 'node' && { looksAt: () => ({ taints: false, labels: ['door'] }) }),
    filter: (_state, _pod, node) => {
      asked.push(node.name);
      if (filterReads === 'nodePods' && node.pods.length > 0) return unschedulable('Door', 'taken');
      if (labelOf(node, 'door') === 'broken') return errorStatus('Door', 'stuck');
      return labelOf(node, 'door') === 'shut' ? unresolvable('Door', 'shut') : null;
    },
  };
}

/** The number in a label. */
const stars: ScorePlugin = {
  name: 'Stars',
  scoreReads: 'node',
  normalize: { reverse: false },
  looksAt: () => ({ taints: false, labels: ['stars'] }),
  score: (_state, _pod, node) => Number(labelOf(node, 'stars') ?? 0),
};

const pod = makePod('p');
const node = (name: string, labels: Record<string, string> = {}) => makeNode(name, { labels });
const shut = { door: 'shut' };

describe('verdict ids', () => {
  test('of an empty cluster there is none but that of a slot without a node', () => {
    const world = new EngineColumns({ plugins: [door([])] });
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect(verdicts.idCount).toBe(1);
    expect(verdicts.accepts(0)).toBe(false);
    expect(verdicts.verdict(0)).toBe(null);
  });

  test('are equal where nodes are rejected for the same reason, or score the same', () => {
    const world = new EngineColumns({ plugins: [door([]), stars] });
    world.add(node('a', { stars: '3' }), node('b', shut), node('c', { stars: '3' }), node('d', { stars: '7' }));
    world.add(node('e', { ...shut, stars: '9' }));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    const [a, b, c, d, e] = verdicts.ids.values;
    expect([c, e]).toEqual([a, b]);
    expect(new Set([0, a, b, d]).size).toBe(4);
    expect(verdicts.idCount).toBe(4);
    expect(world.addedIds).toBe(3);
    expect(verdicts.verdict(1)).toEqual({ status: unresolvable('Door', 'shut'), position: 0 });
    expect([a, b, d].map((id) => verdicts.rawOfId('Stars', id ?? 0))).toEqual([3, 0, 7]);
    expect([a, b, d].map((id) => verdicts.rawsOf('Stars')[id ?? 0])).toEqual([3, 0, 7]);
    expect(verdicts.rawsOf('Stars')).toHaveLength(verdicts.idCount);
  });

  test('a node that looks like another is not asked about, until it changes', () => {
    const asked: string[] = [];
    const world = new EngineColumns({ plugins: [door(asked)] }).add(node('a'), node('b', shut), node('c'));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect(asked).toEqual(['a', 'b']);
    verdicts.sync();
    world.cluster.updateNode(node('c', shut));
    verdicts.sync();
    expect(asked).toEqual(['a', 'b', 'c']);
    expect(verdicts.ids.values[2]).toBe(verdicts.ids.values[1]);
  });

  test('a slot that loses its node accepts nothing; the next node there has a verdict of its own', () => {
    const world = new EngineColumns({ plugins: [door([])] }).add(node('a'), node('b'));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    const { mask } = verdicts;
    world.cluster.removeNode('a');
    verdicts.sync();
    expect([verdicts.ids.values[0], mask.values[0], verdicts.verdict(0)]).toEqual([0, 0, null]);
    world.add(node('late', shut));
    verdicts.sync();
    expect(world.cluster.node('late')?.slot).toBe(0);
    expect(verdicts.verdict(0)?.status.reasons).toEqual(['shut']);
    expect([...mask.values.subarray(0, 2)]).toEqual([0, 1]);
  });

  test('changes are reported by slot, after the first look', () => {
    const world = new EngineColumns({ plugins: [door([])] }).add(node('a'), node('b'));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect([world.changedSlots, verdicts.idsVersion]).toEqual([[], 2]);
    world.cluster.updateNode(node('b', shut));
    world.cluster.updateNode(node('a', { other: 'label' }));
    verdicts.sync();
    expect([world.changedSlots, verdicts.idsVersion]).toEqual([[1], 3]);
  });
});

describe('columns', () => {
  test('of mask and raw scores follow the verdicts, also when the table grows under them', () => {
    const world = new EngineColumns({ plugins: [door([]), stars] }).add(node('a', { stars: '5' }), node('b', shut));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    const { mask } = verdicts;
    const raw = verdicts.raw('Stars');
    const before = mask.pointer;
    for (let i = 0; i < 70; i++) world.add(node(`n${i}`, { stars: String(i % 3) }));
    verdicts.sync();
    expect(verdicts.mask).toBe(mask);
    expect(mask.pointer).not.toBe(before);
    expect([...mask.values.subarray(0, 72)]).toEqual([1, 0, ...Array<number>(70).fill(1)]);
    expect([...(raw?.values.subarray(0, 6) ?? [])]).toEqual([5, 0, 0, 1, 2, 0]);
  });

  test('are not kept of a plugin that scores every node 0', () => {
    const world = new EngineColumns({ plugins: [stars] }).add(node('a'), node('b'));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect([verdicts.isZero('Stars'), verdicts.raw('Stars')]).toEqual([true, undefined]);
    world.cluster.updateNode(node('b', { stars: '1' }));
    verdicts.sync();
    expect(verdicts.isZero('Stars')).toBe(false);
    expect([...(verdicts.raw('Stars')?.values.subarray(0, 2) ?? [])]).toEqual([0, 1]);
  });

  test('are given back', () => {
    const world = new EngineColumns({ plugins: [door([]), stars] }).add(node('a', { stars: '5' }));
    world.verdictsOf(pod).sync();
    const before = world.memory.allocatedBytes;
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect(verdicts.mask.values[0]).toBe(1);
    expect(verdicts.raw('Stars')?.values[0]).toBe(5);
    expect(world.memory.allocatedBytes).toBeGreaterThan(before);
    verdicts.release();
    expect(world.memory.allocatedBytes).toBe(before);
  });
});

describe('what a verdict depends on', () => {
  test('pods on nodes make plugins look again only if one of them reads pods', () => {
    const asked: string[] = [];
    const [byNode, byPods] = [door(asked), door([], 'nodePods')].map((plugin) => {
      const world = new EngineColumns({ plugins: [plugin] }).add(node('a'), node('b'));
      const verdicts = world.verdictsOf(pod);
      verdicts.sync();
      asked.length = 0;
      world.cluster.pods.add(makePod('there', { nodeName: 'b' }));
      verdicts.sync();
      return verdicts;
    });
    expect([byNode?.readsPods, byPods?.readsPods]).toEqual([false, true]);
    expect(asked).toEqual([]);
    expect(byNode?.verdict(1)).toBe(null);
    expect(byPods?.verdict(1)?.status).toEqual(unschedulable('Door', 'taken'));
  });

  test('of a plugin that reads host ports, only nodes on which pods use some are asked about by themselves', () => {
    const asked: string[] = [];
    const gate: FilterPlugin = {
      name: 'Gate',
      filterReads: 'hostPorts',
      filter: (_state, _pod, { name, usedPorts }) => {
        asked.push(name);
        return usedPorts.conflictsWith([{ ip: '0.0.0.0', protocol: 'TCP', port: 80 }])
          ? unschedulable('Gate', 'used')
          : null;
      },
    };
    const world = new EngineColumns({ plugins: [gate] }).add(node('a'), node('b'), node('c'));
    const { pods } = world.cluster;
    pods.add(makePod('first', { nodeName: 'b', ports: [{ hostPort: 80 }] }));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect([...asked].sort()).toEqual(['a', 'b']);
    expect([0, 1, 2].map((slot) => verdicts.accepts(verdicts.ids.values[slot] ?? 0))).toEqual([true, false, true]);
    pods.add(makePod('plain', { nodeName: 'a' }));
    pods.add(makePod('second', { nodeName: 'c', ports: [{ hostPort: 80 }] }));
    verdicts.sync();
    pods.remove('default', 'first');
    verdicts.sync();
    expect(asked.slice(2)).toEqual(['c', 'b']);
    expect([0, 1, 2].map((slot) => verdicts.accepts(verdicts.ids.values[slot] ?? 0))).toEqual([true, true, false]);
  });

  test('a node that PreFilter left out is not asked about', () => {
    const asked: string[] = [];
    const only: PreFilterPlugin = {
      name: 'Only',
      dependsOn: () => null,
      preFilter: () => ({ nodeNames: new Set('b') }),
    };
    const world = new EngineColumns({ plugins: [only, door(asked)] }).add(node('a'), node('b'));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect(verdicts.verdict(0)?.position).toBe(LEFT_OUT);
    expect(verdicts.verdict(0)?.status.reasons).toEqual(["node(s) didn't satisfy plugin(s) [Only]"]);
    expect(asked).toEqual(['b']);
  });

  test('a plugin that PreFilter skips is not asked', () => {
    const asked: string[] = [];
    const world = new EngineColumns({ plugins: [door(asked)] }).add(node('a', shut));
    const verdictsPod = world.preFiltered(pod);
    verdictsPod.state.skipFilter.add('Door');
    const verdicts = world.verdictsOf(pod, verdictsPod);
    verdicts.sync();
    expect([asked, verdicts.verdict(0)]).toEqual([[], null]);
  });

  test('after `renew` everything is asked again', () => {
    const asked: string[] = [];
    const world = new EngineColumns({ plugins: [door(asked)] }).add(node('a'), node('b', shut));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    verdicts.renew(world.preFiltered(pod));
    expect(verdicts.idCount).toBe(1);
    verdicts.sync();
    expect(asked).toEqual(['a', 'b', 'a', 'b']);
    expect(verdicts.verdict(1)?.status.reasons).toEqual(['shut']);
  });
});

test('scores by images are asked for anew when there is another number of nodes', () => {
  const share: ScorePlugin = {
    name: 'Share',
    scoreReads: 'images',
    score: () => Math.trunc(100 / world.cluster.nodeCount),
  };
  const world = new EngineColumns({ plugins: [share] });
  world.add(makeNode('a', { images: { app: 1 } }), makeNode('b'));
  const verdicts = world.verdictsOf(pod);
  const scores = () => [...verdicts.ids.values.subarray(0, 3)].map((id) => verdicts.rawOfId('Share', id));
  verdicts.sync();
  expect(scores()).toEqual([50, 50, 0]);
  world.add(makeNode('c'));
  verdicts.sync();
  expect(scores()).toEqual([33, 33, 33]);
  world.cluster.removeNode('b');
  verdicts.sync();
  expect(scores()).toEqual([50, 0, 50]);
});

test('verdicts that nobody has read are judged as those that are read', () => {
  const prng = new Prng(3);
  const share: ScorePlugin = {
    name: 'Share',
    scoreReads: 'images',
    normalize: { reverse: false },
    scoredImages: () => ['app', 'web'],
    score: (_state, _pod, { images }) => ['app', 'web'].filter((name) => images.has(name)).length,
  };
  for (let round = 0; round < 20; round++) {
    const world = new EngineColumns({ plugins: [door([]), stars, share] });
    const some = (value: string) => (prng.below(3) === 0 ? undefined : value);
    for (let i = 0; i < 30; i++) {
      const [door, app, web] = [some('open') ?? 'shut', some('app'), some('web')];
      const images = Object.fromEntries([app, web].flatMap((name) => (name === undefined ? [] : [[name, 1]])));
      world.add(makeNode(`n${i}`, { labels: { door, stars: String(prng.below(4)) }, images }));
    }
    for (let i = 0; i < 3; i++) world.cluster.removeNode(`n${i * 7}`);
    const [unread, read] = [world.verdictsOf(pod), world.verdictsOf(pod)];
    expect(read.mask.values.some((passes) => passes === 1)).toBe(false);
    for (const verdicts of [unread, read]) verdicts.sync();
    const answers = (verdicts: typeof read) => {
      // Ids are numbers in the order in which answers were found; they matter as equal or not.
      const first = new Map<number, number>();
      return Array.from({ length: 30 }, (_, slot) => {
        const id = verdicts.ids.values[slot] ?? -1;
        if (!first.has(id)) first.set(id, slot);
        return [
          first.get(id),
          id === 0,
          verdicts.verdict(slot)?.status.reasons,
          verdicts.rawOfId('Stars', id),
          verdicts.rawOfId('Share', id),
        ];
      });
    };
    expect(answers(unread), `round ${round}`).toEqual(answers(read));
  }
});

describe('a failure', () => {
  test('of a column function lets the methods decide from then on', () => {
    const asked: string[] = [];
    let calls = 0;
    const byColumns: FilterPlugin = {
      ...door(asked),
      filterColumns: () => {
        if (++calls > 1) throw new Error('broken');
      },
    };
    const world = new EngineColumns({ plugins: [byColumns] }).add(node('a'), node('b'));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect([asked, verdicts.accepts(verdicts.ids.values[0] ?? 0)]).toEqual([[], true]);
    for (const state of ['shut', 'open']) {
      world.cluster.updateNode(node('b', { door: state }));
      verdicts.sync();
      expect(verdicts.verdict(1)?.status.reasons).toEqual(state === 'shut' ? ['shut'] : undefined);
    }
    expect([asked, calls, verdicts.hasFailed]).toEqual([['b', 'b'], 2, false]);
  });

  test('of a filter is remembered, also when its node is gone, until everything is renewed', () => {
    const world = new EngineColumns({ plugins: [door([])] }).add(node('a'), node('b', { door: 'broken' }));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect(verdicts.hasFailed).toBe(true);
    world.cluster.removeNode('b');
    verdicts.sync();
    expect(verdicts.hasFailed).toBe(true);
    verdicts.renew(world.preFiltered(pod));
    verdicts.sync();
    expect(verdicts.hasFailed).toBe(false);
  });

  test.each([
    ['-1', true, true],
    ['100', true, false],
    ['101', true, false],
    ['2147483647', true, false],
    ['2147483648', true, true],
    ['100', false, false],
    ['101', false, true],
  ])('a score of %s, normalised %s, is none that columns hold: %s', (points, isNormalised, hasFailed) => {
    const { normalize, ...plain } = stars;
    const world = new EngineColumns({ plugins: [isNormalised ? { ...plain, normalize } : plain] as ScorePlugin[] });
    world.add(node('a', { stars: points }));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect(verdicts.hasFailed).toBe(hasFailed);
    expect(verdicts.rawOfId('Stars', verdicts.ids.values[0] ?? 0)).toBe(hasFailed ? 0 : Number(points));
  });

  test('more verdicts than there are ids for are one', () => {
    const everyNode: FilterPlugin = {
      name: 'EveryNode',
      filterReads: 'node',
      filter: (_state, _pod, { name }) => unschedulable('EveryNode', name),
    };
    const world = new EngineColumns({ plugins: [everyNode] });
    // Id 0 stands for slots without a node.
    for (let i = 0; i < 16_383; i++) world.cluster.addNode(node(`n${i}`));
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    expect([verdicts.idCount, verdicts.hasFailed]).toEqual([16_384, false]);
    world.add(node('one-more'));
    verdicts.sync();
    expect([verdicts.idCount, verdicts.hasFailed]).toEqual([16_384, true]);
  });
});
