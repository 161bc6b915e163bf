import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { TopologyRun } from '../../../src/engine/topology-run/topology-run.ts';
import { Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { GuardedHosts } from '../../guard/guarded-kernels.ts';

const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const RACK = 'rack';
const APP_A = { matchLabels: { app: 'a' as const } };
const IMAGE = 'registry.example.com/app:v1';
const TAINTS = ['rather-not', 'better-not'].map((key) => ({ key, effect: 'PreferNoSchedule' as const }));
const numRuns = runs(60);

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
  cpu: fc.constantFrom(100, 250, 500),
  constraints,
  near: fc.array(term, { maxLength: 1 }),
  apart: fc.array(term, { maxLength: 1 }),
  rather: weighted,
  ratherNot: weighted,
  /** Preferences of nodes, by which scores are normalised by feasible nodes. */
  prefersDisk: fc.nat(2).map((n) => n === 0),
  tolerates: fc.boolean(),
  /** Whether the pods have no rules of their own. */
  isPlain: fc.nat(2).map((n) => n === 0),
  /** Whether each pod names the only node on which it may run. */
  namesNode: fc.nat(5).map((n) => n === 0),
});
const script = fc.record({
  nodes: fc.array(
    fc.record({
      ...{ cpu: fc.integer({ min: 1, max: 4 }), zone: fc.nat(2), rack: fc.nat(4), lacksRack: fc.nat(15) },
      ...{ disk: fc.nat(2), taint: fc.nat(4), hasImage: fc.boolean() },
    }),
    { minLength: 2, maxLength: 24 },
  ),
  shapes: fc.array(shape, { minLength: 1, maxLength: 4 }),
  /** The shapes of the pods of some batches. */
  batches: fc.array(fc.array(fc.nat(3), { minLength: 10, maxLength: 60 }), { minLength: 1, maxLength: 4 }),
  hasTaints: fc.boolean(),
});
type Script = typeof script extends fc.Arbitrary<infer T> ? T : never;

type Shape = Script['shapes'][number];

function specOf({ cpu, constraints, near, apart, rather, ratherNot, ...others }: Shape): PodSpec {
  const { prefersDisk, tolerates, isPlain } = others;
  const spec = makePod('', { requests: { cpu: `${cpu}m` } }).spec;
  const onDisk = (value: string) => ({ matchExpressions: [{ key: 'disk', operator: 'In', values: [value] }] });
  const disks = [
    { weight: 10, preference: onDisk('d0') },
    { weight: 4, preference: onDisk('d1') },
  ];
  return {
    ...spec,
    containers: (spec?.containers ?? []).map((container) => ({ ...container, image: IMAGE })),
    tolerations: tolerates ? [{ key: 'rather-not', operator: 'Exists' }] : [],
    ...(!isPlain && { topologySpreadConstraints: constraints }),
    affinity: {
      ...(prefersDisk && { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: disks } }),
      ...(!isPlain && {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: near,
          preferredDuringSchedulingIgnoredDuringExecution: rather,
        },
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: apart,
          preferredDuringSchedulingIgnoredDuringExecution: ratherNot,
        },
      }),
    },
  };
}

/** The spec of a pod of a DaemonSet for one node. */
function named(spec: PodSpec, nodeName: string): PodSpec {
  const field = { key: 'metadata.name', operator: 'In', values: [nodeName] };
  const terms = { nodeSelectorTerms: [{ matchFields: [field] }] };
  const { preferredDuringSchedulingIgnoredDuringExecution } = spec.affinity?.nodeAffinity ?? {};
  const preferred = preferredDuringSchedulingIgnoredDuringExecution && {
    preferredDuringSchedulingIgnoredDuringExecution,
  };
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: terms, ...preferred };
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity } };
}

/** The decisions of a scheduler about all batches, and about single pods after each. */
function decisionsOf(options: SchedulerOptions, { nodes, shapes, batches, hasTaints }: Script): unknown[] {
  const scheduler = new Scheduler({ preemption: false, ...options });
  nodes.forEach(({ cpu, zone, rack, lacksRack, disk, taint, hasImage }, i) => {
    const domains = { [HOST]: `n${i}`, [ZONE]: `z${zone}`, ...(lacksRack > 0 && { [RACK]: `r${rack}` }) };
    const node = makeNode(`n${i}`, { cpu, labels: { ...domains, disk: `d${disk}` } });
    const taints = TAINTS.slice(0, Math.max(0, taint - 2));
    const images = hasImage ? [{ names: [IMAGE], sizeBytes: 500_000_000 }] : [];
    scheduler.addNode({ ...node, spec: hasTaints ? { taints } : {}, status: { ...node.status, images } });
  });
  const specs = shapes.map(specOf);
  let pods = 0;
  const podOf = (number: number): Pod => {
    const at = number % shapes.length;
    const labels = { app: shapes[at]?.label ?? '' };
    const spec = specs[at] as PodSpec;
    const metadata = { name: `p${pods++}`, namespace: 'default', labels };
    return { metadata, spec: shapes[at]?.namesNode ? named(spec, `n${pods % nodes.length}`) : spec };
  };
  return batches.flatMap((batch) => {
    const placed = [...scheduler.scheduleBatch(batch.map(podOf))];
    return [...placed, ...shapes.map((_, number) => scheduler.schedule(podOf(number)))];
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

function decideAlike(drawn: Script, options: SchedulerOptions = {}): void {
  const expected = decisionsOf({ ...options, engine: 'reference' }, drawn);
  for (const engine of ['scalar', 'simd'] as const) {
    const hosts = new GuardedHosts();
    expect(decisionsOf({ ...options, engine, newKernelHost: hosts.newHost }, drawn)).toEqual(expected);
    hosts.check();
  }
}

/** More nodes than a search has to find. */
const MANY_NODES = 130;

function withManyNodes({ nodes, ...others }: Script): Script {
  const many = Array.from({ length: MANY_NODES }, (_, i) => nodes[i % nodes.length] as Script['nodes'][number]);
  return { ...others, nodes: many.map((node, i) => ({ ...node, zone: (node.zone + i) % 3, cpu: 1 + (i % node.cpu) })) };
}

/** Pods that spread over nodes and prefer some of them, which are soon full. */
const crowd = fc
  .record({
    disks: fc.array(fc.nat(2), { minLength: 6, maxLength: 16 }),
    room: fc.integer({ min: 1, max: 3 }),
    maxSkew: fc.integer({ min: 1, max: 3 }),
    topologyKey: fc.constantFrom(HOST, HOST, ZONE),
    count: fc.integer({ min: 10, max: 40 }),
  })
  .map(({ disks, room, maxSkew, topologyKey, count }): Script => {
    const whenUnsatisfiable = 'ScheduleAnyway' as const;
    const spread = { topologyKey, maxSkew, whenUnsatisfiable, labelSelector: APP_A };
    const rules = { constraints: [spread], near: [], apart: [], rather: [], ratherNot: [] };
    const others = { prefersDisk: true, tolerates: true, isPlain: false, namesNode: false };
    return {
      nodes: disks.map((disk, i) => ({
        ...{ cpu: disk === 0 ? room : 4, zone: i % 3, rack: 0, lacksRack: 1 },
        ...{ disk, taint: 0, hasImage: false },
      })),
      shapes: [{ label: 'a', cpu: 500, ...rules, ...others }],
      batches: [new Array(10).fill(0), new Array(count).fill(0)],
      hasTaints: false,
    };
  });

describe('pods with topology rules that are placed in runs', () => {
  test('are placed as by the reference engine, one after the other', () => {
    const place = vi.spyOn(TopologyRun.prototype, 'place');
    fc.assert(
      fc.property(script, (drawn) => decideAlike(drawn)),
      { numRuns },
    );
    const placed = place.mock.results.reduce((sum, { value }) => sum + Number(value), 0);
    expect(placed).toBeGreaterThan(numRuns * 5);
  });

  test('see which nodes are left by whose scores those of others are normalised', () => {
    fc.assert(
      fc.property(crowd, (drawn) => decideAlike(drawn)),
      { numRuns },
    );
  });

  test.each(['first', 'upstream'] as const)('are searched for in runs, where %s of the ties is taken', (tieBreak) => {
    const place = vi.spyOn(TopologyRun.prototype, 'place');
    fc.assert(
      fc.property(fc.oneof(script, crowd), fc.constantFrom(0, 80), (drawn, percentageOfNodesToScore) =>
        decideAlike(withManyNodes(drawn), { tieBreak, percentageOfNodesToScore }),
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    );
    const placed = place.mock.results.reduce((sum, { value }) => sum + Number(value), 0);
    expect(placed).toBeGreaterThan(numRuns);
  });
});
