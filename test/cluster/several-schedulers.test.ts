import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { checkConfiguration } from '../../src/caller/load-configuration.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import type { ShardingOptions } from '../../src/scheduler/shards/scheduler-shards.ts';
import type { StoreSchedulerOptions } from '../../src/scheduler/store-scheduler.ts';

const SHARDING: ShardingOptions = {
  ...{ count: 2, by: 'pods', decisionMillis: 5, decisionMillisPerNode: 0, commitMillis: 0 },
};
/** Packing makes all schedulers want the same node. */
const PACKING: StoreSchedulerOptions = { configuration: packing() };

function packing() {
  const loaded = checkConfiguration(`apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - pluginConfig:
      - name: NodeResourcesFit
        args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
`);
  if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
  return loaded.configuration;
}

interface Case {
  readonly nodeCpus: readonly number[];
  readonly podCpus: readonly number[];
  readonly sharding: ShardingOptions | undefined;
  readonly seed?: number;
  /** Removes so many of the first pods after a while. */
  readonly removed?: number;
  readonly scheduler?: StoreSchedulerOptions;
}

/** Runs a cluster without node agents, and notes every binding and whether a node ever had more than it offers. */
function play({ nodeCpus, podCpus, sharding, seed = 1, removed = 0, scheduler = PACKING }: Case) {
  const lines: string[] = [];
  const cluster = new Cluster({ seed, scheduler, sharding, controllers: [], onLogLine: (line) => lines.push(line) });
  const { store } = cluster;
  const bindings = new Map<string, string[]>();
  const overCommitted: string[] = [];
  cluster.start();
  const watch = store.watch('pods', { resourceVersion: store.list('pods').resourceVersion });
  watch.onReady(() => {
    for (let event = watch.next(); event !== undefined; event = watch.next()) {
      if (!('object' in event) || event.type !== 'MODIFIED') continue;
      const { metadata, spec } = event.object;
      const own = bindings.get(metadata?.name ?? '') ?? [];
      if (spec?.nodeName && own.at(-1) !== spec.nodeName) own.push(spec.nodeName);
      bindings.set(metadata?.name ?? '', own);
    }
    for (const [name, used] of usedCpus(store.list('pods').items)) {
      if (used > (nodeCpus[Number(name.slice(1))] ?? 0)) overCommitted.push(`${name}: ${used}`);
    }
  });
  for (const [i, cpu] of nodeCpus.entries()) {
    store.create('nodes', { metadata: { name: `n${i}` }, status: { allocatable: { cpu, memory: '9Gi', pods: 99 } } });
  }
  for (const [i, cpu] of podCpus.entries()) {
    const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu } } }];
    store.create('pods', { metadata: { name: `p${i}`, namespace: 'default' }, spec: { containers } });
  }
  cluster.runFor(5000);
  for (let i = 0; i < removed; i++) store.delete('pods', 'default', `p${i}`, { gracePeriodSeconds: 0 });
  cluster.runFor(400_000);
  const pods = store.list('pods').items;
  const { shards } = cluster;
  const report = { pods, bindings, overCommitted, lines, counts: shards?.counts ?? [], hash: cluster.log.hash() };
  cluster.stop();
  return { ...report, pending: pods.filter(({ spec }) => !spec?.nodeName) };
}

function usedCpus(pods: readonly Pod[]): Map<string, number> {
  const used = new Map<string, number>();
  for (const { spec } of pods) {
    const cpu = Number(spec?.containers?.[0]?.resources?.requests?.['cpu'] ?? 0);
    if (spec?.nodeName) used.set(spec.nodeName, (used.get(spec.nodeName) ?? 0) + cpu);
  }
  return used;
}

const total = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

describe('several schedulers on one store', () => {
  it('decide as one does when there is only one, and its work takes no time', () => {
    const given = { nodeCpus: [4, 6, 2], podCpus: [1, 2, 3, 1, 2, 1, 1, 4] };
    const alone = play({ ...given, sharding: undefined });
    const sharded = play({ ...given, sharding: { ...SHARDING, count: 1, decisionMillis: 0 } });
    expect(sharded.bindings).toEqual(alone.bindings);
    expect(sharded.pending.map(({ status }) => status)).toEqual(alone.pending.map(({ status }) => status));
  });

  it('want the same room, and the one that comes too late tries again', () => {
    const { counts, pending, overCommitted, lines } = play({
      ...{ nodeCpus: [2, 2, 2, 2, 2, 2], podCpus: Array(6).fill(2), sharding: { ...SHARDING, count: 3 } },
    });
    expect({ pending, overCommitted }).toEqual({ pending: [], overCommitted: [] });
    expect(total(counts, ({ conflicts }) => conflicts)).toBeGreaterThan(0);
    expect(total(counts, ({ bound }) => bound)).toBe(6);
    expect(lines.join('\n')).toMatch(/FailedScheduling .*node n\d has not enough cpu any more/);
  });

  it('hand on what their own nodes do not take', () => {
    // Only one node is large enough for any pod.
    const { counts, pending } = play({
      ...{ nodeCpus: [1, 1, 1, 1, 9], podCpus: [2, 2, 2, 2], sharding: { ...SHARDING, by: 'nodes', count: 4 } },
    });
    expect(pending).toEqual([]);
    expect(counts.filter(({ bound }) => bound > 0)).toHaveLength(1);
    expect(total(counts, ({ handedOn }) => handedOn)).toBeGreaterThan(0);
    expect(total(counts, ({ conflicts }) => conflicts)).toBe(0);
  });

  it('take time for decisions and for bindings', () => {
    const given = { nodeCpus: [90, 90], podCpus: Array(40).fill(1) };
    const lastBinding = (sharding: ShardingOptions): number => {
      const { lines } = play({ ...given, sharding });
      const last = lines.filter((line) => line.includes('recorded Normal Scheduled')).at(-1) ?? '';
      return Date.parse(last.slice(0, 24)) - Date.UTC(2026, 0, 1);
    };
    expect(lastBinding({ ...SHARDING, count: 1, decisionMillis: 10 })).toBe(400);
    expect(lastBinding({ ...SHARDING, count: 1, decisionMillis: 4, decisionMillisPerNode: 3 })).toBe(400);
    expect(lastBinding({ ...SHARDING, count: 4, decisionMillis: 10 })).toBeLessThan(200);
    // The API is what is slow.
    expect(lastBinding({ ...SHARDING, count: 4, decisionMillis: 1, commitMillis: 20 })).toBeGreaterThanOrEqual(800);
  });

  it('never over-commit a node nor bind a pod twice, leave nothing that fits, and repeat themselves', () => {
    const cpus = (most: number, length: number) =>
      fc.array(fc.integer({ min: 1, max: most }), { minLength: 1, maxLength: length });
    const sharding = fc.record({
      count: fc.integer({ min: 1, max: 6 }),
      by: fc.constantFrom<'nodes' | 'pods'>('nodes', 'pods'),
      decisionMillis: fc.constantFrom(0, 0.3, 5, 700),
      decisionMillisPerNode: fc.constantFrom(0, 1.5),
      commitMillis: fc.constantFrom(0, 0.7, 40),
    });
    const seeds = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(cpus(8, 7), cpus(5, 16), sharding, seeds, fc.nat(3), (nodeCpus, podCpus, options, seed, removed) => {
        const given: Case = {
          ...{ nodeCpus, podCpus, sharding: options, seed, removed: Math.min(removed, podCpus.length) },
          scheduler: seed % 2 === 0 ? PACKING : { tieBreak: 'random' },
        };
        const { pods, pending, bindings, overCommitted, counts, hash } = play(given);
        expect(overCommitted).toEqual([]);
        for (const [, nodes] of bindings) expect(nodes.length).toBeLessThanOrEqual(1);
        const bound = [...bindings.values()].filter((nodes) => nodes.length > 0).length;
        expect(total(counts, (each) => each.bound)).toBe(bound);
        const used = usedCpus(pods);
        for (const { spec } of pending) {
          const cpu = Number(spec?.containers?.[0]?.resources?.requests?.['cpu']);
          const roomy = nodeCpus.filter((offered, i) => offered - (used.get(`n${i}`) ?? 0) >= cpu);
          expect(roomy).toEqual([]);
        }
        expect(play(given).hash).toBe(hash);
      }),
      { numRuns: 12 },
    );
  });
});
