/** Lives of clusters as they are: no object is shared, and Deployments, DaemonSets and claims alternate. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Node } from '../../src/api/node.ts';
import { realCluster } from '../../src/benchmark/synthetic/real.ts';
import type { EngineLimits } from '../../src/engine/columns/column-engine-options.ts';
import { type Pod, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { Prng } from '../../src/lib/prng.ts';
import type { ClusterManifest } from '../../src/manifests/cluster-manifest.ts';
import { loadCluster } from '../../src/manifests/load-cluster.ts';
import { selectPods } from '../../src/manifests/pod-selection.ts';
import { runs } from '../builders/runs.ts';
import { GuardedHosts } from '../guard/guarded-kernels.ts';
import { differences } from '../parity/differences.ts';
import { batchAnswerOf, expectedBatchAnswer } from './batch-answer.ts';

const numRuns = runs(8);

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const LITTLE_ROOM: EngineLimits = { objects: 12, bytes: Number.POSITIVE_INFINITY };

const spreadOver = (topologyKey: string, whenUnsatisfiable: string, matchLabels: object) => ({
  ...{ maxSkew: 1, topologyKey, whenUnsatisfiable },
  labelSelector: { matchLabels },
});

type Change = (pod: Pod, prng: Prng) => object;

/** What real pods seldom have; each returns members of the spec. */
const CHANGES: readonly Change[] = [
  () => ({ nodeSelector: { 'example.com/disk': 'ssd' } }),
  ({ metadata }) => ({ topologySpreadConstraints: [spreadOver(ZONE, 'DoNotSchedule', { ...metadata?.labels })] }),
  ({ metadata }) => ({ topologySpreadConstraints: [spreadOver(HOST, 'ScheduleAnyway', { ...metadata?.labels })] }),
  ({ spec, metadata }) => ({
    affinity: {
      ...spec?.affinity,
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: HOST, labelSelector: { matchLabels: { ...metadata?.labels } } },
        ],
      },
    },
  }),
  ({ spec }, prng) => ({
    affinity: {
      ...spec?.affinity,
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 50,
            podAffinityTerm: {
              topologyKey: ZONE,
              labelSelector: { matchLabels: { app: `app-${prng.below(10)}` } },
              namespaceSelector: {},
            },
          },
        ],
      },
    },
  }),
  ({ spec }) => withTerms(spec, (terms) => terms.map((term) => ({ ...term, matchExpressions: [ON_SSD] }))),
  ({ spec }) => withTerms(spec, (terms) => [...terms, ...terms]),
  ({ spec }, prng) =>
    withTerms(spec, () => [
      {
        matchFields: [{ key: 'metadata.name', operator: 'In', values: [prng.below(2) === 0 ? 'unknown' : 'no_name'] }],
      },
    ]),
  ({ spec }) => ({
    affinity: {
      ...spec?.affinity,
      nodeAffinity: {
        ...spec?.affinity?.nodeAffinity,
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, preference: { matchExpressions: [ON_SSD] } }],
      },
    },
  }),
];

const ON_SSD = { key: 'example.com/disk', operator: 'In', values: ['ssd'] };

function withTerms(spec: Pod['spec'], change: (terms: readonly object[]) => readonly object[]): object {
  const { affinity } = spec ?? {};
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return {};
  const nodeSelectorTerms = change(required.nodeSelectorTerms ?? []);
  const changed = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  return { affinity: { ...affinity, nodeAffinity: { ...affinity?.nodeAffinity, ...changed } } };
}

/** All pods of an owner are changed alike. */
function changed(pods: readonly Pod[], share: number, prng: Prng): Pod[] {
  const changes = new Map<string, Change | undefined>();
  return pods.map((pod) => {
    const owner = pod.metadata?.ownerReferences?.[0]?.name ?? '';
    if (!changes.has(owner))
      changes.set(owner, prng.below(100) < share ? CHANGES[prng.below(CHANGES.length)] : undefined);
    const members = changes.get(owner)?.(pod, prng) ?? {};
    return structuredClone({ ...pod, spec: { ...pod.spec, ...members } });
  });
}

/** Nodes to which so few volumes can be attached that some pods with claims fit only on few of them. */
function crowded(cluster: ClusterManifest, prng: Prng): ClusterManifest {
  const others = (cluster.others ?? []).map((other) => {
    if (other.kind !== 'CSINode') return other;
    const { spec } = other.object;
    const drivers = spec?.drivers?.map((driver) => ({ ...driver, allocatable: { count: prng.below(3) } }));
    return { ...other, object: { ...other.object, spec: { ...spec, drivers } } };
  });
  return { ...cluster, others };
}

/** One way to decisions: a batch, or each pod by itself. */
interface Way {
  readonly label: string;
  readonly scheduler: Scheduler;
  schedule(pods: readonly Pod[]): ReturnType<typeof batchAnswerOf>;
}

const alone = (scheduler: Scheduler) => (pods: readonly Pod[]) =>
  expectedBatchAnswer(pods.map((pod) => scheduler.schedule(structuredClone(pod))));
const inBatch = (scheduler: Scheduler) => (pods: readonly Pod[]) =>
  batchAnswerOf(scheduler.scheduleBatch(structuredClone(pods)));

function waysOf(options: SchedulerOptions, hosts: GuardedHosts): Way[] {
  const { newHost: newKernelHost } = hosts;
  const simd = new Scheduler({ ...options, engine: 'simd', newKernelHost });
  const scalar = new Scheduler({ ...options, engine: 'scalar', newKernelHost, limits: LITTLE_ROOM });
  const single = new Scheduler({ ...options, engine: 'simd', newKernelHost });
  return [
    { label: 'simd, batch', scheduler: simd, schedule: inBatch(simd) },
    { label: 'scalar, batch, little room', scheduler: scalar, schedule: inBatch(scalar) },
    { label: 'simd, alone', scheduler: single, schedule: alone(single) },
  ];
}

interface Life {
  readonly seed: number;
  readonly nodes: number;
  readonly pods: number;
  /** The percentage of owners whose pods are changed. */
  readonly changes: number;
  readonly options: SchedulerOptions;
}

function play({ seed, nodes, pods: podCount, changes, options }: Life): void {
  const prng = new Prng(seed);
  const given: ClusterManifest = realCluster(nodes, podCount, seed);
  const cluster = prng.below(2) === 0 ? crowded(given, prng) : given;
  const pods = changed(cluster.pods, changes, prng);
  const hosts = new GuardedHosts();
  const reference = new Scheduler({ ...options, engine: 'reference' });
  const ways = waysOf(options, hosts);
  const all = [reference, ...ways.map(({ scheduler }) => scheduler)];
  for (const scheduler of all) loadCluster(scheduler, cluster, selectPods([]));
  const known = new Map(cluster.nodes.map((node) => [node.metadata?.name ?? '', node]));
  for (let from = 0; from < pods.length; ) {
    const batch = pods.slice(from, from + 1 + prng.below(40));
    from += batch.length;
    const expected = alone(reference)(batch);
    for (const { label, schedule } of ways) {
      expect(differences('', expected, schedule(batch)).slice(0, 4), `${label}, before pod ${from}`).toEqual([]);
    }
    const probe = batch[prng.below(batch.length)] as Pod;
    const placed = batch.filter((_, i) => expected.nodeNames[i] !== null);
    disturb(all, placed, known, prng);
    const other = { ...structuredClone(probe), metadata: { ...probe.metadata, name: 'probe' } };
    const explained = reference.explain(other);
    for (const { label, scheduler } of ways) {
      expect(differences('', explained, scheduler.explain(other)).slice(0, 4), `${label}, explains`).toEqual([]);
    }
  }
  hosts.check();
}

/** A pod or a node goes, or a node changes. */
function disturb(all: readonly Scheduler[], placed: readonly Pod[], known: Map<string, Node>, prng: Prng): void {
  const kind = prng.below(6);
  const node = [...known.values()][prng.below(known.size)] as Node;
  const pod = placed[prng.below(Math.max(1, placed.length))];
  if (kind <= 1 && pod !== undefined) {
    for (const each of all) each.removePod(pod.metadata?.namespace ?? 'default', pod.metadata?.name ?? '');
  } else if (kind === 2) {
    const labels = { ...node.metadata?.labels, 'example.com/disk': prng.below(2) === 0 ? 'ssd' : 'hdd' };
    const next = { ...node, metadata: { ...node.metadata, labels } };
    known.set(node.metadata?.name ?? '', next);
    for (const each of all) each.updateNode(next);
  } else if (kind === 3 && known.size > 1) {
    known.delete(node.metadata?.name ?? '');
    for (const each of all) each.removeNode(node.metadata?.name ?? '');
  } else if (kind === 4) {
    const next = { ...node, spec: { ...node.spec, unschedulable: prng.below(2) === 0 } };
    known.set(node.metadata?.name ?? '', next);
    for (const each of all) each.updateNode(next);
  }
}

const seed = fc.nat(1_000_000);
const changes = fc.constantFrom(0, 30);
const tieBreak = fc.constantFrom<SchedulerOptions['tieBreak'][]>('first', 'random', 'upstream');

test('every way decides as the reference where every node is scored', () => {
  const options = fc.record({ tieBreak, seed: fc.nat(100) });
  const life = fc.record({ seed, nodes: fc.integer({ min: 1, max: 30 }), pods: fc.constant(150), changes, options });
  fc.assert(fc.property(life, play), { numRuns });
});

test('every way decides as the reference where a search sees a part of the nodes', () => {
  const options = fc.record({ tieBreak, seed: fc.nat(100), percentageOfNodesToScore: fc.constantFrom(0, 0, 10) });
  const nodes = fc.integer({ min: 101, max: 260 });
  const life = fc.record({ seed, nodes, pods: fc.constant(150), changes, options });
  fc.assert(fc.property(life, play), { numRuns: Math.ceil(numRuns / 2) });
});
