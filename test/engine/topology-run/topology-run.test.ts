import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { TopologyRun } from '../../../src/engine/topology-run/topology-run.ts';
import { Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { GuardedHosts } from '../../guard/guarded-kernels.ts';

const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const RACK = 'rack';
const numRuns = Number(process.env['BERTH_RUNS'] ?? 60);

const key = fc.constantFrom(HOST, ZONE, RACK);
const app = fc.constantFrom('a', 'b', 'c');
const selector = app.map((name) => ({ matchLabels: { app: name } }));
const term = fc.record({ topologyKey: key, labelSelector: selector });
const weighted = fc.array(fc.record({ weight: fc.integer({ min: 1, max: 100 }), podAffinityTerm: term }), {
  maxLength: 2,
});
const constraint = fc.record(
  {
    topologyKey: key,
    maxSkew: fc.integer({ min: 1, max: 3 }),
    whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'),
    labelSelector: selector,
    minDomains: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ['topologyKey', 'maxSkew', 'whenUnsatisfiable', 'labelSelector'] },
);
const constraints = fc
  .uniqueArray(constraint, { maxLength: 2, selector: (each) => `${each.topologyKey} ${each.whenUnsatisfiable}` })
  .map((list) => list.map((each) => (each.whenUnsatisfiable === 'DoNotSchedule' ? each : { ...each, minDomains: 1 })))
  .map((list) => list.map(({ minDomains, ...rest }) => (minDomains === 1 ? rest : { ...rest, minDomains })));

/** Pods with rules; whose label is not always that of their own rules. */
const shape = fc.record({
  label: app,
  cpu: fc.constantFrom(100, 100, 250),
  constraints,
  near: fc.array(term, { maxLength: 1 }),
  apart: fc.array(term, { maxLength: 1 }),
  rather: weighted,
  ratherNot: weighted,
});
const script = fc.record({
  nodes: fc.array(
    fc.record({ cpu: fc.integer({ min: 1, max: 4 }), zone: fc.nat(2), rack: fc.nat(4), lacksRack: fc.nat(15) }),
    { minLength: 2, maxLength: 24 },
  ),
  shapes: fc.array(shape, { minLength: 1, maxLength: 3 }),
  /** The shapes of the pods of some batches. */
  batches: fc.array(fc.array(fc.nat(2), { minLength: 10, maxLength: 60 }), { minLength: 1, maxLength: 4 }),
  hasTaint: fc.nat(3),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

function specOf({ cpu, constraints, near, apart, rather, ratherNot }: Script['shapes'][number]): PodSpec {
  return {
    ...makePod('', { requests: { cpu: `${cpu}m` } }).spec,
    topologySpreadConstraints: constraints,
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: near,
        preferredDuringSchedulingIgnoredDuringExecution: rather,
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: apart,
        preferredDuringSchedulingIgnoredDuringExecution: ratherNot,
      },
    },
  };
}

/** The decisions of a scheduler about all batches, and about single pods after each. */
function decisionsOf(options: SchedulerOptions, { nodes, shapes, batches, hasTaint }: Script): unknown[] {
  const scheduler = new Scheduler({ preemption: false, ...options });
  nodes.forEach(({ cpu, zone, rack, lacksRack }, i) => {
    const labels = { [HOST]: `n${i}`, [ZONE]: `z${zone}`, ...(lacksRack > 0 && { [RACK]: `r${rack}` }) };
    const node = makeNode(`n${i}`, { cpu, labels });
    const taints = [{ key: 'rather-not', effect: 'PreferNoSchedule' as const }];
    scheduler.addNode(hasTaint === 0 && i % 3 === 0 ? { ...node, spec: { taints } } : node);
  });
  const specs = shapes.map(specOf);
  let pods = 0;
  const podOf = (number: number): Pod => {
    const at = number % shapes.length;
    const labels = { app: shapes[at]?.label ?? '' };
    return { metadata: { name: `p${pods++}`, namespace: 'default', labels }, spec: specs[at] as PodSpec };
  };
  return batches.flatMap((batch) => {
    const placed = [...scheduler.scheduleBatch(batch.map(podOf))];
    return [...placed, ...shapes.map((_, number) => scheduler.schedule(podOf(number)))];
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('pods with topology rules that are placed in runs', () => {
  test('are placed as by the reference engine, one after the other', () => {
    const place = vi.spyOn(TopologyRun.prototype, 'place');
    fc.assert(
      fc.property(script, (drawn) => {
        const expected = decisionsOf({ engine: 'reference' }, drawn);
        for (const engine of ['scalar', 'simd'] as const) {
          const hosts = new GuardedHosts();
          expect(decisionsOf({ engine, newKernelHost: hosts.newHost }, drawn)).toEqual(expected);
          hosts.check();
        }
      }),
      { numRuns },
    );
    const placed = place.mock.results.reduce((sum, { value }) => sum + Number(value), 0);
    expect(placed).toBeGreaterThan(numRuns * 5);
  });
});
