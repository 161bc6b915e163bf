import { describe, expect, it } from 'vitest';
import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';
import { PodPlacer } from '../../src/core/place-pods.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import type { ClusterManifest } from '../../src/manifests/cluster-manifest.ts';
import { loadCluster } from '../../src/manifests/load-cluster.ts';
import { selectPods } from '../../src/manifests/pod-selection.ts';

function node(name: string, cpu = '2'): Node {
  return { metadata: { name }, status: { allocatable: { cpu, memory: '4Gi', pods: '10' } } };
}

function pod(name: string, priority: number, nodeName?: string, status?: Pod['status']): Pod {
  const containers = [{ name: 'c', resources: { requests: { cpu: '2' } } }];
  return {
    metadata: { name, namespace: 'default' },
    spec: { containers, priority, ...(nodeName !== undefined && { nodeName }) },
    ...(status && { status }),
  };
}

function place(cluster: ClusterManifest): string[] {
  const selection = selectPods(cluster.pods);
  const scheduler = new Scheduler();
  loadCluster(scheduler, cluster, selection);
  const placer = new PodPlacer(scheduler, selection);
  for (const pending of selection.pending) placer.place(pending);
  return placer.placements.map(({ pod: { metadata }, result, preemption }) => {
    const by = result.status === 'preempted' ? ` by ${result.preemptedBy}` : '';
    const onNode = 'node' in result ? ` on ${result.node}` : '';
    const victims = preemption === null ? '' : ` for ${preemption.victims.join(', ')}`;
    return `${metadata?.name} ${result.status}${onNode}${by}${victims}`;
  });
}

describe('PodPlacer', () => {
  it('shows victims that had a node behind the pod that needed it', () => {
    const pods = [pod('old', 0, 'n1'), pod('high', 5), pod('late', 0)];
    expect(place({ nodes: [node('n1')], pods })).toEqual([
      'high scheduled on n1 for default/old',
      'old preempted on n1 by default/high',
      'late unschedulable',
    ]);
  });

  it('changes the fate of a victim that was placed a moment ago', () => {
    const pods = [pod('low', 0), pod('high', 5), pod('higher', 6)];
    expect(place({ nodes: [node('n1')], pods })).toEqual([
      'low preempted on n1 by default/high',
      'high preempted on n1 by default/higher for default/low',
      'higher scheduled on n1 for default/high',
    ]);
  });
});

describe('loadCluster', () => {
  it('keeps room for pending pods that are nominated, whatever their turn', () => {
    const nominated = pod('nominated', 5, undefined, { nominatedNodeName: 'n1' });
    expect(place({ nodes: [node('n1')], pods: [pod('first', 5), nominated] })).toEqual([
      'first unschedulable',
      'nominated scheduled on n1',
    ]);
    expect(place({ nodes: [node('n1')], pods: [pod('first', 5), pod('nominated', 5)] })).toEqual([
      'first scheduled on n1',
      'nominated unschedulable',
    ]);
  });

  it('adds every other object to the scheduler', () => {
    const claiming = pod('a', 0);
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
    const cluster = { nodes: [node('n1')], pods: [{ ...claiming, spec: { ...claiming.spec, volumes } }] };
    const metadata = { name: 'data', namespace: 'default' };
    const spec = { storageClassName: 'late', accessModes: ['ReadWriteOnce'] };
    const others = [
      { kind: 'PersistentVolumeClaim', object: { metadata, spec } },
      {
        kind: 'StorageClass',
        object: { metadata: { name: 'late' }, provisioner: 'p', volumeBindingMode: 'WaitForFirstConsumer' },
      },
    ] as const;
    expect(place(cluster)).toEqual(['a unschedulable']);
    expect(place({ ...cluster, others })).toEqual(['a scheduled on n1']);
  });
});

describe('selectPods', () => {
  it('takes the pods of the schedulers that it is given', () => {
    const named = (name: string, schedulerName: string): Pod => ({ metadata: { name }, spec: { schedulerName } });
    const pods = [named('a', ''), named('b', 'mine'), named('c', 'other')];
    expect(selectPods(pods).pending).toEqual([pods[0]]);
    const { pending, foreign } = selectPods(pods, new Set(['mine', 'other']));
    expect(pending).toEqual([pods[1], pods[2]]);
    expect([...foreign.values()]).toEqual([1]);
  });
});
