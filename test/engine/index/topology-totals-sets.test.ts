import { afterEach, describe, expect, test, vi } from 'vitest';
import { SignatureIndex } from '../../../src/engine/index/signature-index.ts';
import { TopologyTotals } from '../../../src/engine/index/topology-totals.ts';
import { TopologyTotalsSets } from '../../../src/engine/index/topology-totals-sets.ts';
import type { TopologyRules } from '../../../src/engine/topology/topology-rules.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Four nodes in two zones. */
function start() {
  const world = new EngineColumns();
  const { columns, cluster, topology, kernelPlugins } = world;
  world.add(...[0, 1, 2, 3].map((i) => makeNode(`n${i}`, { labels: { zone: `z${i % 2}`, rack: `r${i >> 1}` } })));
  const index = new SignatureIndex({ ...world, fit: kernelPlugins.allocation?.form }, true);
  world.envs.push(index.env);
  index.begin();
  const sets = new TopologyTotalsSets({ index, table: columns.table, cluster, topology });
  /** Rules that accept at most `most` pods of an app in a domain before the new one. */
  const rulesFor = (app: string, key: string, most = 0): TopologyRules => {
    const isApp = ({ pod }: PodInfo) => (pod.metadata?.labels?.['app'] === app ? 1 : 0);
    const { count } = topology.domainCounter(app, isApp, key);
    const bound = { kind: 'fixed' } as const;
    const rule = { count, absentFits: true, isExclusion: false, bound, least: () => 0, most: () => most };
    return { rules: [rule], spread: [], keyless: 'none', affinity: [], kept: null };
  };
  const signatureFor = (cpu: number) => world.signatureOf(makePod('p', { requests: { cpu } }));
  const best = (signature: ReturnType<typeof signatureFor>, rules: TopologyRules) => {
    index.begin();
    world.renew(signature);
    return sets.best(signature, rules);
  };
  const place = (app: string, i: number) => {
    const pod = makePod(`${app}-${i}`, { nodeName: `n${i}` });
    cluster.pods.add({ ...pod, metadata: { ...pod.metadata, labels: { app } } });
  };
  const made = vi.spyOn(SignatureIndex.prototype, 'formOf');
  return { world, index, sets, rulesFor, signatureFor, best, place, made };
}

describe('totals by signature and rules', () => {
  test('say how many nodes fit, and which totals columns are best', () => {
    const { rulesFor, signatureFor, best, place } = start();
    const [signature, rules] = [signatureFor(1), rulesFor('web', 'zone')];
    expect(best(signature, rules)).toMatchObject({ feasibleNodes: 4, columns: [{}, {}] });
    place('web', 0);
    expect(best(signature, rules)).toMatchObject({ feasibleNodes: 2, columns: [{}] });
    place('web', 1);
    expect(best(signature, rules)).toBe(null);
  });

  test('are made once, and found again by what rules count', () => {
    const { rulesFor, signatureFor, best, made } = start();
    const signature = signatureFor(1);
    for (const app of ['web', 'db', 'web']) best(signature, rulesFor(app, 'zone', 9));
    expect(made).toHaveBeenCalledTimes(1);
    best(signature, rulesFor('web', 'rack', 9));
    best(signatureFor(2), rulesFor('web', 'zone', 9));
    expect(made).toHaveBeenCalledTimes(3);
  });

  test('are known to other apps as long as no node changes', () => {
    const { world, sets, rulesFor, signatureFor, best } = start();
    const signature = signatureFor(1);
    const [web, db, cache] = ['web', 'db', 'cache'].map((app) => rulesFor(app, 'zone', 9)) as [
      TopologyRules,
      TopologyRules,
      TopologyRules,
    ];
    expect(sets.known(signature, web)).toBe(null);
    best(signature, web);
    expect(sets.known(signature, web)).not.toBe(null);
    expect(sets.known(signature, db)).toBe(sets.known(signature, web));
    world.cluster.updateNode(makeNode('n0', { labels: { zone: 'z1' } }));
    expect([web, db, cache].map((rules) => sets.known(signature, rules))).toEqual([null, null, null]);
  });

  test('apps that share them are counted apart', () => {
    const { rulesFor, signatureFor, best, place } = start();
    const signature = signatureFor(1);
    const [web, db] = [rulesFor('web', 'zone'), rulesFor('db', 'zone')];
    place('web', 0);
    expect([best(signature, web)?.feasibleNodes, best(signature, db)?.feasibleNodes]).toEqual([2, 4]);
  });

  test('of a key whose nodes come to lie apart are others', () => {
    const { world, rulesFor, signatureFor, best, made } = start();
    const [signature, rules] = [signatureFor(1), rulesFor('web', 'zone')];
    best(signature, rules);
    for (const i of [0, 1, 2, 3]) world.cluster.updateNode(makeNode(`n${i}`, { labels: { zone: `only-${i}` } }));
    expect(best(signature, rules)?.feasibleNodes).toBe(4);
    expect(made).toHaveBeenCalledTimes(2);
  });

  test('are none of pods that are not placed by index', () => {
    const { rulesFor, signatureFor, best } = start();
    const signature = { ...signatureFor(1), isInexact: true };
    expect(best(signature, rulesFor('web', 'zone'))).toBe(null);
  });
});

test('a node that has no room any more is not counted', () => {
  const { world, rulesFor, signatureFor, best } = start();
  const [signature, rules] = [signatureFor(1), rulesFor('web', 'zone', 9)];
  expect(best(signature, rules)?.feasibleNodes).toBe(4);
  world.cluster.pods.add(makePod('large', { nodeName: 'n2', requests: { cpu: 4 } }));
  expect(best(signature, rules)?.feasibleNodes).toBe(3);
});

describe('room for them', () => {
  test('is made by those that were used longest ago', () => {
    const { world, rulesFor, signatureFor, best, made } = start();
    // With two bytes a row, 64 MiB hold no more than the sixteen sets that are always kept.
    vi.spyOn(world.columns.table, 'capacity', 'get').mockReturnValue(2 ** 25);
    const release = vi.spyOn(TopologyTotals.prototype, 'release');
    vi.spyOn(SignatureIndex.prototype, 'newColumn').mockReturnValue(null);
    const rules = rulesFor('web', 'zone', 9);
    const signatures = Array.from({ length: 17 }, (_, i) => signatureFor(i + 1));
    for (const signature of signatures.slice(0, 16)) best(signature, rules);
    expect(release).not.toHaveBeenCalled();
    best(signatures[16] as (typeof signatures)[0], rules);
    expect(release).toHaveBeenCalledTimes(1);
    made.mockClear();
    best(signatures[1] as (typeof signatures)[0], rules);
    expect(made).not.toHaveBeenCalled();
    best(signatures[0] as (typeof signatures)[0], rules);
    expect(made).toHaveBeenCalledTimes(1);
  });

  test('is given back, and what is needed is made anew', () => {
    const { world, index, sets, rulesFor, signatureFor, best } = start();
    const [signature, rules] = [signatureFor(1), rulesFor('web', 'zone')];
    // The sums by zone are the counter's, which makes them when they are first read.
    expect(rules.rules[0]?.count.counts).not.toBe(null);
    const before = world.memory.allocatedBytes;
    best(signature, rules);
    sets.release(signature);
    index.clear();
    expect(world.memory.allocatedBytes).toBe(before);
    expect(best(signature, rules)?.feasibleNodes).toBe(4);
  });

  test('of a totals column that went to another signature, all are made anew', () => {
    const { rulesFor, signatureFor, best, made } = start();
    const [signature, rules] = [signatureFor(1), rulesFor('web', 'zone')];
    best(signature, rules)?.columns[0]?.release();
    expect(best(signature, rules)?.feasibleNodes).toBe(4);
    expect(made).toHaveBeenCalledTimes(2);
  });
});
