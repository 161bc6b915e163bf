import { describe, expect, it } from 'vitest';
import { validateNode } from '../../../src/api/validation/node.ts';
import { validatePod } from '../../../src/api/validation/pod.ts';
import { basicCluster } from '../../../src/cluster/synthetic/basic.ts';
import { HETERO_CLASS_COUNT, heteroCluster } from '../../../src/cluster/synthetic/hetero.ts';

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

  it('has fifty classes in the promised shares, each with one spec object', () => {
    expect(HETERO_CLASS_COUNT).toBe(50);
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

it('synthetic objects are valid', () => {
  for (const { nodes, pods } of [basicCluster(7, 3), heteroCluster(20, 100, 3)]) {
    expect(nodes.flatMap((node) => validateNode(node))).toEqual([]);
    expect(pods.flatMap((pod) => validatePod(pod))).toEqual([]);
  }
});
