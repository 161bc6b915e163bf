import { describe, expect, test } from 'vitest';
import { type TopologyBucket, TopologyBuckets } from '../../../src/engine/index/topology-buckets.ts';
import type { DomainRule, TopologyRules } from '../../../src/engine/topology/topology-rules.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { FilterPlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const door: FilterPlugin = {
  ...{ name: 'Door', filterReads: 'node' },
  filter: (_state, _pod, { node }) => (node.metadata?.labels?.['door'] ? unschedulable('Door', 'shut') : null),
};

/** Rejects nodes with a pod. */
const inn: FilterPlugin = {
  ...{ name: 'Inn', filterReads: 'nodePods' },
  filter: (_state, _pod, { pods }) => (pods.length > 0 ? unschedulable('Inn', 'full') : null),
};

type Labels = Readonly<Record<string, string>>;

/** Counts all pods, by the keys that are named. */
function start(
  nodes: readonly Labels[],
  keys: readonly string[],
  exclusions: readonly string[] = [],
  plugins: readonly FilterPlugin[] = [door],
) {
  const world = new EngineColumns({ plugins });
  const put = (i: number, labels: Labels) => makeNode(`n${i}`, { labels: { host: `h${i}`, ...labels } });
  world.add(...nodes.map((labels, i) => put(i, labels)));
  const { topology, columns, cluster } = world;
  const ruleOf = (key: string, isExclusion: boolean): DomainRule => {
    const { count } = topology.domainCounter('all', () => 1, key);
    return {
      ...{ count, isExclusion, absentFits: isExclusion, least: () => 0, most: () => 9 },
      bound: { kind: 'fixed' },
    };
  };
  const all = [...keys.map((key) => ruleOf(key, false)), ...exclusions.map((key) => ruleOf(key, true))];
  const rules: TopologyRules = { rules: all, spread: [], keyless: 'none', affinity: [], kept: null };
  const verdicts = world.verdictsOf(makePod('p'));
  verdicts.sync();
  // The pods by node are the counter's, which makes a column of them when somebody reads it.
  for (const { count } of all) void count.pods.perNode;
  const before = world.memory.allocatedBytes;
  const buckets = new TopologyBuckets({ table: columns.table, cluster, topology }, verdicts, rules);
  buckets.sortAll();
  const idAt = (slot: number) => buckets.entries[buckets.column.values[slot] ?? 0] ?? null;
  /** The bucket of each slot; null: the node is rejected. */
  const bucketOf = () => nodes.map((_, slot) => idAt(slot)?.bucket ?? null);
  /** In the bucket of a slot, by rule. */
  const countsAt = (slot: number) =>
    all.map(({ count }) => buckets.countIn(buckets.buckets[idAt(slot)?.bucket ?? 0] as TopologyBucket, count));
  const place = (name: string, i: number) => cluster.pods.add(makePod(name, { nodeName: `n${i}` }));
  return { world, cluster, verdicts, buckets, rules, before, put, bucketOf, countsAt, idAt, place };
}

const ZONES: readonly Labels[] = [{ zone: 'a' }, { zone: 'b' }, { zone: 'a' }, {}];

describe('buckets by domains that nodes share', () => {
  test('are one for each domain, and one for nodes in none', () => {
    const { buckets, bucketOf, countsAt, place } = start(ZONES, ['zone']);
    expect(bucketOf()).toEqual([0, 1, 0, 2]);
    expect(buckets.isOverflown).toBe(false);
    place('p0', 0);
    place('p1', 2);
    expect([0, 1, 2, 3].map((slot) => countsAt(slot))).toEqual([[2], [0], [2], [-1]]);
  });

  test('a pod that comes moves no node', () => {
    const { buckets, place } = start(ZONES, ['zone']);
    place('p0', 0);
    expect([buckets.takeMoves(), buckets.isOutdated]).toEqual([[], false]);
  });

  test('of two keys are their combinations', () => {
    const { bucketOf, countsAt, place } = start(
      [
        { zone: 'a', rack: 'r' },
        { zone: 'a', rack: 's' },
        { zone: 'b', rack: 'r' },
        { zone: 'a', rack: 's' },
      ],
      ['zone', 'rack'],
    );
    expect(bucketOf()).toEqual([0, 1, 2, 1]);
    place('p', 0);
    expect([0, 1, 2].map((slot) => countsAt(slot))).toEqual([
      [1, 1],
      [1, 0],
      [0, 1],
    ]);
  });

  test('keep verdicts apart: a bucket may have several verdict ids of the nodes, and rejected ones are in none', () => {
    const { idAt } = start([{ zone: 'a' }, { zone: 'a', door: 'shut' }], ['zone']);
    expect([idAt(0)?.bucket, idAt(1)]).toEqual([0, null]);
  });

  test('are too many from 65 on', () => {
    const zones = (count: number) => Array.from({ length: 2 * count }, (_, i) => ({ zone: `z${i >> 1}` }));
    expect(start(zones(64), ['zone']).buckets.isOverflown).toBe(false);
    expect(start(zones(65), ['zone']).buckets.isOverflown).toBe(true);
  });
});

describe('buckets by counts that differ from node to node', () => {
  test('are one for each number of pods', () => {
    const { buckets, bucketOf, countsAt, place } = start([{}, {}, {}], ['host']);
    expect([bucketOf(), countsAt(0)]).toEqual([[0, 0, 0], [0]]);
    place('p0', 1);
    expect(buckets.isOutdated).toBe(false);
    const moves = buckets.takeMoves();
    expect(moves).toEqual([{ slot: 1, id: 2 }]);
    expect(bucketOf()).toEqual([0, 0, 0]);
    buckets.column.values[1] = 2;
    expect([bucketOf(), countsAt(1)]).toEqual([[0, 1, 0], [1]]);
    expect(buckets.takeMoves()).toEqual([]);
  });

  test('a node that came back to where it was has not moved', () => {
    const { cluster, buckets, place } = start([{}, {}], ['host']);
    place('p0', 1);
    cluster.pods.remove('default', 'p0');
    expect(buckets.takeMoves()).toEqual([]);
  });

  test('more changes than rows are not noted one by one', () => {
    const { cluster, buckets, bucketOf, place } = start([{}, {}], ['host']);
    for (let i = 0; i < 33; i++) {
      place('p', 1);
      cluster.pods.remove('default', 'p');
    }
    place('last', 0);
    expect(buckets.isOutdated).toBe(true);
    buckets.sortAll();
    expect([buckets.isOutdated, buckets.takeMoves()]).toEqual([false, []]);
    const [first, second] = bucketOf();
    expect(first).not.toBe(second);
  });
});

describe('nodes where no counted pod may be', () => {
  test('are rejected while there is one', () => {
    const { cluster, buckets, bucketOf, place } = start([{}, {}], [], ['host']);
    expect([bucketOf(), buckets.buckets]).toEqual([[0, 0], [{ domains: [], counts: [] }]]);
    place('p', 1);
    expect(buckets.takeMoves()).toEqual([{ slot: 1, id: 0 }]);
    buckets.sortAll();
    expect(bucketOf()).toEqual([0, null]);
    cluster.pods.remove('default', 'p');
    expect(buckets.takeMoves()).toEqual([{ slot: 1, id: 1 }]);
  });

  test('are looked at once, not by bucket, unless nodes share the domain', () => {
    const byHost = start([{}, {}], [], ['host']);
    const [host] = byHost.rules.rules;
    expect(host && byHost.buckets.isByBucket(host.count)).toBe(false);
    const byZone = start(ZONES, [], ['zone']);
    const [zone] = byZone.rules.rules;
    expect(zone && byZone.buckets.isByBucket(zone.count)).toBe(true);
    byZone.place('p', 0);
    expect([byZone.bucketOf()[0], byZone.countsAt(0)]).toEqual([0, [1]]);
  });
});

test('verdicts that change with pods move their nodes alone, also where several changed since', () => {
  const { cluster, verdicts, buckets, bucketOf, place } = start(ZONES, ['zone'], [], [door, inn]);
  const take = () => {
    verdicts.sync();
    expect(buckets.isOutdated).toBe(false);
    const moves = buckets.takeMoves();
    for (const { slot, id } of moves) buckets.column.values[slot] = id;
    return moves.map(({ slot }) => slot);
  };
  place('p0', 1);
  place('p1', 3);
  expect([take(), bucketOf()]).toEqual([
    [1, 3],
    [0, null, 0, null],
  ]);
  cluster.pods.remove('default', 'p0');
  verdicts.sync();
  place('p2', 2);
  expect([take(), bucketOf()]).toEqual([
    [1, 2],
    [0, 1, null, null],
  ]);
  buckets.release();
  expect(verdicts.listeners.size).toBe(0);
});

describe('everything is to be sorted again', () => {
  test('when a node or a verdict is another', () => {
    const { world, verdicts, buckets, bucketOf, put } = start(ZONES, ['zone']);
    world.cluster.updateNode(put(1, { zone: 'a' }));
    expect(buckets.isOutdated).toBe(true);
    buckets.sortAll();
    expect([bucketOf(), buckets.isOutdated]).toEqual([[0, 0, 0, 2], false]);
    world.cluster.updateNode(put(1, { zone: 'a', door: 'shut' }));
    verdicts.sync();
    buckets.sortAll();
    expect(bucketOf()).toEqual([0, null, 0, 2]);
  });

  test('when a node goes, and when another comes to its slot', () => {
    const { world, verdicts, buckets, bucketOf } = start(ZONES, ['zone']);
    world.cluster.removeNode('n0');
    verdicts.sync();
    buckets.sortAll();
    expect(bucketOf()).toEqual([null, 1, 0, 2]);
    world.cluster.addNode(makeNode('late', { labels: { zone: 'b' } }));
    verdicts.sync();
    expect(buckets.isOutdated).toBe(true);
    buckets.sortAll();
    expect(bucketOf()).toEqual([1, 1, 0, 2]);
  });

  test('when what the column holds was forgotten', () => {
    const { buckets } = start(ZONES, ['zone']);
    buckets.forget();
    expect(buckets.isOutdated).toBe(true);
    buckets.sortAll();
    expect(buckets.isOutdated).toBe(false);
  });
});

test('released buckets give their column back, and note no pods any more', () => {
  const { world, rules, before, buckets, place } = start([{}, {}], ['host']);
  const listeners = rules.rules[0]?.count.pods.listeners;
  expect(listeners?.size).toBe(1);
  buckets.release();
  expect([listeners?.size, world.memory.allocatedBytes]).toEqual([0, before]);
  place('p', 1);
});

test('nodes share a bucket exactly if they share all domains and counts, whether few pods or very many', () => {
  const prng = new Prng(7);
  for (let round = 0; round < 12; round++) {
    const keys = ['zone', 'rack', 'row', 'hall'].slice(0, 1 + prng.below(4));
    const labels = () => Object.fromEntries(keys.map((key) => [key, `${prng.below(2)}`]));
    const { world, buckets, bucketOf, verdicts, put } = start(Array.from({ length: 12 }, labels), [...keys, 'host']);
    for (let slot = 0; slot < 12; slot++) {
      const pods = [0, 1, 126, 127, 140][prng.below(5)] ?? 0;
      for (let i = 0; i < pods; i++) world.cluster.pods.add(makePod(`p${slot} ${i}`, { nodeName: `n${slot}` }));
    }
    // Another label makes all nodes be sorted anew.
    world.cluster.updateNode(put(3, { ...labels(), other: 'label' }));
    verdicts.sync();
    buckets.sortAll();
    const textOf = (slot: number): string => {
      const { node, pods } = world.cluster.nodeAt(slot) as NodeInfo;
      return [...keys.map((key) => node.metadata?.labels?.[key]), pods.length].join();
    };
    const expected = Array.from({ length: 12 }, (_, slot) => textOf(slot));
    const byBucket = bucketOf().map((bucket) => expected[bucketOf().indexOf(bucket)]);
    expect(byBucket, `round ${round}`).toEqual(expected);
    expect(new Set(bucketOf()).size).toBe(new Set(expected).size);
  }
});
