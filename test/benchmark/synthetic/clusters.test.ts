import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { validateNode } from '../../../src/api/validation/node.ts';
import { validatePod } from '../../../src/api/validation/pod.ts';
import { CLUSTER_KINDS, syntheticCluster } from '../../../src/benchmark/suite.ts';
import { affinityCluster, antiAffinityCluster } from '../../../src/benchmark/synthetic/affinity.ts';
import { basicCluster } from '../../../src/benchmark/synthetic/basic.ts';
import { draCluster } from '../../../src/benchmark/synthetic/dra.ts';
import { extendedCluster } from '../../../src/benchmark/synthetic/extended.ts';
import { gangCluster } from '../../../src/benchmark/synthetic/gang.ts';
import { heteroCluster } from '../../../src/benchmark/synthetic/hetero.ts';
import { LOW_PODS_PER_NODE, preemptionCluster } from '../../../src/benchmark/synthetic/preemption.ts';
import { realCluster } from '../../../src/benchmark/synthetic/real.ts';
import { spreadCluster } from '../../../src/benchmark/synthetic/spread.ts';
import { Scheduler } from '../../../src/core/scheduler.ts';

function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.filter(holds).length / items.length;
}

describe('basic', () => {
  it('is what the benchmark kind says', () => {
    const { nodes, pods } = basicCluster(4, 3);
    expect(nodes.map((node) => node.metadata?.labels?.['topology.kubernetes.io/zone'])).toEqual([
      'zone-a',
      'zone-b',
      'zone-c',
      'zone-a',
    ]);
    expect(nodes[1]?.status?.allocatable).toEqual({ cpu: '32', memory: '256Gi', pods: '110' });
    expect(nodes[1]?.metadata?.labels?.['kubernetes.io/hostname']).toBe(nodes[1]?.metadata?.name);
    expect(pods[0]?.spec?.containers?.[0]?.resources?.requests).toEqual({ cpu: '100m', memory: '500Mi' });
    expect(pods[2]?.spec).toBe(pods[0]?.spec);
  });
});

describe('hetero', () => {
  const { nodes, pods } = heteroCluster(100, 1000, 1);

  it('has the shapes, taints and pools', () => {
    const amounts = new Set(
      nodes.map(({ status }) => `${status?.allocatable?.['cpu']} ${status?.allocatable?.['memory']}`),
    );
    expect([...amounts].sort()).toEqual(['16 64Gi', '32 128Gi', '64 256Gi', '8 32Gi']);
    expect(share(nodes, (node) => (node.spec?.taints?.length ?? 0) > 0)).toBe(0.2);
    expect(new Set(nodes.map((node) => node.metadata?.labels?.['pool'])).size).toBe(5);
  });

  it('has fifty signatures in the promised shares, each with one spec object', () => {
    expect(new Set(pods.map(({ spec }) => spec)).size).toBe(50);
    expect(share(pods, ({ spec }) => spec?.nodeSelector !== undefined)).toBe(0.2);
    expect(share(pods, ({ spec }) => (spec?.tolerations?.length ?? 0) > 0)).toBe(0.5);
    expect(share(pods, ({ spec }) => spec?.affinity !== undefined)).toBe(0.1);
  });

  it('follows from the seed', () => {
    expect(heteroCluster(100, 1000, 1)).toEqual({ nodes, pods });
    expect(heteroCluster(100, 1000, 2).pods).not.toEqual(pods);
  });
});

describe('spread', () => {
  it('has identical pods app=x with a hard zone and a soft hostname constraint', () => {
    const { nodes, pods } = spreadCluster(6, 4);
    expect(nodes).toEqual(basicCluster(6, 0).nodes);
    expect(new Set(pods.map(({ spec }) => spec)).size).toBe(1);
    const labelSelector = { matchLabels: { app: 'x' } };
    expect(pods[3]?.metadata?.labels).toEqual({ app: 'x' });
    expect(pods[3]?.spec?.topologySpreadConstraints).toEqual([
      { maxSkew: 5, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
      { maxSkew: 5, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
    ]);
  });
});

describe('antiaffinity and affinity', () => {
  it('have 100 apps in turn, each with a term for itself', () => {
    for (const cluster of [antiAffinityCluster(3, 250), affinityCluster(3, 250)]) {
      expect(new Set(cluster.pods.map(({ spec }) => spec)).size).toBe(100);
      expect(cluster.pods[101]?.metadata?.labels).toEqual({ app: 'app-1' });
      expect(cluster.pods[201]?.spec).toBe(cluster.pods[1]?.spec);
    }
    const labelSelector = { matchLabels: { app: 'app-1' } };
    expect(antiAffinityCluster(3, 250).pods[1]?.spec?.affinity).toEqual({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: 'kubernetes.io/hostname' }],
      },
    });
    expect(affinityCluster(3, 250).pods[1]?.spec?.affinity).toEqual({
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 50, podAffinityTerm: { labelSelector, topologyKey: 'topology.kubernetes.io/zone' } },
        ],
      },
    });
  });
});

describe('preemption', () => {
  it('is full of low priority, and high priority waits', () => {
    const { nodes, pods } = preemptionCluster(3, 2);
    const low = pods.filter(({ spec }) => spec?.nodeName !== undefined);
    expect(low).toHaveLength(3 * LOW_PODS_PER_NODE);
    expect(new Set(low.map(({ spec }) => spec?.priority))).toEqual(new Set([0]));
    expect(pods.slice(low.length).map(({ spec }) => spec?.priority)).toEqual([1000, 1000]);
    const scheduler = new Scheduler();
    for (const node of nodes) scheduler.addNode(node);
    for (const pod of low) scheduler.addPod(pod);
    expect(scheduler.schedule(pods.at(-1) ?? {})).toMatchObject({
      status: 'unschedulable',
      victims: [expect.any(String)],
    });
  });
});

describe('real', () => {
  const { nodes, pods, others } = realCluster(60, 12_000, 1);

  it('has pods that share nothing but their workloads', () => {
    expect(new Set(pods.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)).size).toBe(12_000);
    expect(new Set(pods.map(({ spec }) => spec)).size).toBe(12_000);
    expect(new Set(pods.flatMap(({ spec }) => spec?.volumes?.[0]?.name)).size).toBe(12_000);
    const owners = pods.map(({ metadata }) => metadata?.ownerReferences?.[0]);
    expect(share(owners, (owner) => owner?.kind === 'DaemonSet')).toBe(0.1);
    expect(new Set(owners.map((owner) => owner?.name)).size).toBe(68);
  });

  it('has every feature in a share of its Deployments', () => {
    const byApp = new Map(pods.map((pod) => [pod.metadata?.ownerReferences?.[0]?.name ?? '', pod.spec ?? {}]));
    const specs = [...byApp].flatMap(([name, spec]) => (name.startsWith('app-') ? [spec] : []));
    expect(share(specs, ({ topologySpreadConstraints }) => topologySpreadConstraints?.length === 2)).toBeCloseTo(0.2);
    expect(share(specs, ({ affinity }) => affinity?.podAntiAffinity !== undefined)).toBeCloseTo(0.1);
    expect(share(specs, ({ containers }) => containers?.[0]?.ports?.[0]?.hostPort !== undefined)).toBeCloseTo(0.05);
    expect(share(specs, ({ volumes }) => volumes?.[1]?.persistentVolumeClaim !== undefined)).toBeCloseTo(0.05);
    expect(share(specs, ({ priority }) => priority !== undefined)).toBeCloseTo(0.2);
  });

  it('has nodes of six shapes in three zones with five patterns of taints, and a volume for every claim', () => {
    const labels = nodes.map(({ metadata }) => metadata?.labels ?? {});
    expect(new Set(labels.map((each) => each['node.kubernetes.io/instance-type'])).size).toBe(6);
    expect(new Set(labels.map((each) => each['topology.kubernetes.io/zone'])).size).toBe(3);
    expect(new Set(labels.map((each) => Object.keys(each).length))).toEqual(new Set([30]));
    expect(new Set(nodes.map(({ spec }) => JSON.stringify(spec?.taints))).size).toBe(5);
    const countOf = (kind: string): number => others?.filter((other) => other.kind === kind).length ?? 0;
    expect(countOf('CSINode')).toBe(60);
    expect(countOf('PersistentVolume')).toBe(countOf('PersistentVolumeClaim'));
    expect(countOf('PersistentVolumeClaim')).toBe(pods.filter(({ spec }) => spec?.volumes?.[1]).length);
  });

  it('follows from the seed', () => {
    const textOf = (cluster: object): string => createHash('sha256').update(JSON.stringify(cluster)).digest('hex');
    expect(textOf(realCluster(60, 12_000, 1))).toBe(textOf({ nodes, pods, others }));
    expect(textOf(realCluster(60, 12_000, 2).pods)).not.toBe(textOf(pods));
  });
});

describe('dra', () => {
  const { nodes, pods, others = [] } = draCluster(4, 40);
  const claims = others.flatMap(({ kind, object }) => (kind === 'ResourceClaim' ? [object] : []));
  const slices = others.flatMap(({ kind, object }) => (kind === 'ResourceSlice' ? [object] : []));

  it('has eight devices a node, and a claim for every pod, a tenth of them constrained', () => {
    expect(slices.map(({ spec }) => [spec.nodeName, spec.devices?.length])).toEqual(
      nodes.map(({ metadata }) => [metadata?.name, 8]),
    );
    expect(claims.map(({ metadata }) => metadata?.name)).toEqual(
      pods.map(({ status }) => status?.resourceClaimStatuses?.[0]?.resourceClaimName),
    );
    expect(share(claims, ({ spec }) => spec?.devices?.constraints !== undefined)).toBe(0.1);
    expect(new Set(pods.map(({ spec }) => spec)).size).toBe(2);
  });

  it('gives each pod devices of its own, pairs on one NUMA node', () => {
    const scheduler = new Scheduler();
    for (const { kind, object } of others) scheduler.setObject(kind, object);
    for (const node of nodes) scheduler.addNode(node);
    // 25 pods have 27 of the 32 devices.
    expect(scheduler.scheduleBatch(pods.slice(0, 25)).scheduledCount).toBe(25);
    const taken = claims.slice(0, 25).map(({ metadata }) => {
      const results = scheduler.object('ResourceClaim', metadata?.name ?? '', 'default')?.status?.allocation?.devices;
      return (results?.results ?? []).map(({ pool, device }) => `${pool}/${device}`);
    });
    expect(new Set(taken.flat()).size).toBe(27);
    const pairs = taken.filter(({ length }) => length === 2);
    expect(pairs).toHaveLength(2);
    for (const pair of pairs) expect(new Set(pair.map((name) => Number(name.at(-1)) < 4)).size).toBe(1);
  });
});

describe('extended', () => {
  it('places pods on devices, and where a device plugin has the resource, alike on every engine', () => {
    const places = (['reference', 'simd'] as const).map((engine) => {
      const { nodes, pods, others = [] } = extendedCluster(20, 60);
      const scheduler = new Scheduler({ engine });
      for (const { kind, object } of others) scheduler.setObject(kind, object);
      for (const node of nodes) scheduler.addNode(node);
      const results = scheduler.scheduleBatch(pods);
      return pods.map((_, i) => results.at(i)).map((result) => (result.status === 'scheduled' ? result.node : ''));
    });
    expect(places[1]).toEqual(places[0]);
    const own = places[0]?.filter((node) => node.endsWith('9')).length ?? 0;
    expect([own > 0, own < 60, places[0]?.includes('')]).toEqual([true, true, false]);
  });
});

describe('gang', () => {
  it('has gangs of 64, the last of what is left', () => {
    const { pods, others = [] } = gangCluster(3, 100);
    const minCounts = others.flatMap(({ kind, object }) =>
      kind === 'PodGroup' ? [[object.metadata?.name, object.spec?.schedulingPolicy?.gang?.minCount]] : [],
    );
    expect(minCounts).toEqual([
      ['gang-00000', 64],
      ['gang-00001', 36],
    ]);
    const groups = pods.map(({ spec }) => spec?.schedulingGroup?.podGroupName);
    expect(groups.indexOf('gang-00001')).toBe(64);
    expect(new Set(pods.map(({ spec }) => spec)).size).toBe(2);
  });
});

it('synthetic objects are valid', () => {
  for (const kind of CLUSTER_KINDS) {
    const { nodes, pods } = syntheticCluster(kind, 20, 100, 3);
    expect(nodes.flatMap((node) => validateNode(node))).toEqual([]);
    expect(pods.flatMap((pod) => validatePod(pod))).toEqual([]);
  }
});
