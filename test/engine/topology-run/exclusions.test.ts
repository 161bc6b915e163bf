import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { TopologyTotals } from '../../../src/engine/index/topology-totals.ts';
import { TopologyRun } from '../../../src/engine/topology-run/topology-run.ts';
import { loadConfiguration, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { GuardedHosts } from '../../guard/guarded-kernels.ts';

const HOST = 'kubernetes.io/hostname';
const numRuns = runs(60);

/** Apps whose pods keep away from nodes with pods of some apps, mostly their own. */
const app = fc.record({
  cpu: fc.constantFrom(0, 100, 250),
  /** The number of the first app that they keep away from, from their own on, and how many there are. */
  away: fc.constantFrom(0, 0, 0, 1, 2),
  others: fc.constantFrom(0, 1, 1, 1, 2),
  prefersDisk: fc.nat(5).map((n) => n === 0),
});
const script = fc.record({
  nodes: fc.array(
    fc.record({ cpu: fc.integer({ min: 1, max: 3 }), pods: fc.integer({ min: 2, max: 8 }), hasHost: fc.nat(12) }),
    { minLength: 3, maxLength: 40 },
  ),
  apps: fc.array(app, { minLength: 1, maxLength: 5 }),
  batches: fc.array(fc.array(fc.nat(4), { minLength: 6, maxLength: 60 }), { minLength: 1, maxLength: 4 }),
  /** After each batch: nodes that are replaced, and every how many pods one is removed. */
  replaced: fc.uniqueArray(fc.nat(39), { maxLength: 2 }),
  removed: fc.integer({ min: 3, max: 20 }),
  /** Whether some nodes have the hostname of another. */
  sharesHosts: fc.nat(9).map((n) => n === 0),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

function specOf({ cpu, away, others, prefersDisk }: Script['apps'][number], number: number, count: number): PodSpec {
  const terms = Array.from({ length: others }, (_, i) => ({
    topologyKey: HOST,
    labelSelector: { matchLabels: { app: `app-${(number + away + i) % count}` } },
  }));
  const preference = { matchExpressions: [{ key: 'disk', operator: 'Exists' }] };
  return {
    ...makePod('', { requests: { cpu: `${cpu}m` } }).spec,
    containers: makePod('', { requests: { cpu: `${cpu}m` } }).spec?.containers ?? [],
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
      ...(prefersDisk && {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference }] },
      }),
    },
  };
}

function decisionsOf(options: SchedulerOptions, { nodes, apps, batches, replaced, removed, sharesHosts }: Script) {
  const scheduler = new Scheduler({ preemption: false, ...options });
  const addNode = (name: string, i: number): void => {
    const { cpu, pods, hasHost } = nodes[i] as Script['nodes'][number];
    const host = sharesHosts && i % 3 === 0 ? 'shared' : name;
    const labels = { ...(hasHost > 0 && { [HOST]: host }), ...(i % 4 === 0 && { disk: 'yes' }) };
    scheduler.addNode(makeNode(name, { cpu, pods, labels }));
  };
  nodes.forEach((_, i) => {
    addNode(`n${i}`, i);
  });
  const specs = apps.map((each, i) => specOf(each, i, apps.length));
  const placed: string[] = [];
  let pods = 0;
  const podOf = (number: number): Pod => {
    const at = number % apps.length;
    const metadata = { name: `p${pods++}`, namespace: 'default', labels: { app: `app-${at}` } };
    return { metadata, spec: specs[at] as PodSpec };
  };
  return batches.map((batch, round) => {
    const given = batch.map(podOf);
    const results = [...scheduler.scheduleBatch(given)];
    given.forEach(({ metadata }, i) => {
      if (results[i]?.status === 'scheduled') placed.push(metadata?.name ?? '');
    });
    for (let i = placed.length - 1; i >= 0; i -= removed) {
      scheduler.removePod('default', placed[i] as string);
      placed.splice(i, 1);
    }
    for (const at of replaced) {
      if (at >= nodes.length) continue;
      // A node that comes into the slot of another one is not in the order of slots.
      const before = round === 0 ? `n${at}` : `n${at}-${round - 1}`;
      if (scheduler.node(before) !== undefined) scheduler.removeNode(before);
      addNode(`n${at}-${round}`, at);
    }
    return results;
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

const packed = loadConfiguration({
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  percentageOfNodesToScore: 100,
  profiles: [
    {
      pluginConfig: [
        {
          name: 'NodeResourcesFit',
          args: { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } },
        },
      ],
    },
  ],
});

test.each([
  ['spread over nodes', {}],
  ['packed', { configuration: packed }],
])('apps that keep apart are %s as by the reference engine', (_, options) => {
  const place = vi.spyOn(TopologyRun.prototype, 'place');
  fc.assert(
    fc.property(script, (drawn) => {
      const expected = decisionsOf({ ...options, engine: 'reference' }, drawn);
      for (const engine of ['scalar', 'simd'] as const) {
        const hosts = new GuardedHosts();
        expect(decisionsOf({ ...options, engine, newKernelHost: hosts.newHost }, drawn)).toEqual(expected);
        hosts.check();
      }
    }),
    { numRuns },
  );
  const placed = place.mock.results.reduce((sum, { value }) => sum + Number(value), 0);
  expect(placed).toBeGreaterThan(numRuns * 10);
});

test('pods for which the best nodes are all excluded get totals columns of their own', () => {
  const [nodes, pods] = [700, 660];
  const decisions = (index: boolean): unknown[] => {
    const scheduler = new Scheduler({ configuration: packed, index });
    for (let i = 0; i < nodes; i++) scheduler.addNode(makeNode(`n${i}`, { cpu: 4, labels: { [HOST]: `n${i}` } }));
    const spec = specOf({ cpu: 100, away: 0, others: 1, prefersDisk: false }, 0, 1);
    const podOf = (_: unknown, i: number): Pod => ({ metadata: { name: `p${i}`, labels: { app: 'app-0' } }, spec });
    const all = Array.from({ length: pods }, podOf);
    return [0, 600, 630].flatMap((from, i) => [...scheduler.scheduleBatch(all.slice(from, [600, 630, pods][i]))]);
  };
  const sort = vi.spyOn(TopologyTotals.prototype, 'best');
  expect(decisions(true)).toEqual(decisions(false));
  expect(sort).toHaveBeenCalled();
});
