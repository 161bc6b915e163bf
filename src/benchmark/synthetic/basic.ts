import { defaultPod } from '../../api/defaults.ts';
import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import { HOSTNAME_LABEL, ZONE_LABEL } from '../../api/topology-spread.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';

const ZONES = ['zone-a', 'zone-b', 'zone-c'] as const;

/** Nodes of 32 cpu, 256Gi and 110 pods, zones in turn; identical pods of 100m cpu and 500Mi. */
export function basicCluster(nodeCount: number, podCount: number): ClusterManifest {
  const spec = sharedSpec({ containers: [container('100m', '500Mi')] });
  return { nodes: basicNodes(nodeCount), pods: syntheticPods(podCount, spec) };
}

export function basicNodes(nodeCount: number): Node[] {
  return Array.from({ length: nodeCount }, (_, i) => syntheticNode(i, '32', '256Gi'));
}

export function syntheticNode(
  index: number,
  cpu: string,
  memory: string,
  { labels, spec = {} }: { readonly labels?: Labels; readonly spec?: NonNullable<Node['spec']> } = {},
): Node {
  const name = `node-${String(index).padStart(5, '0')}`;
  const amounts = { cpu, memory, pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: name,
      labels: {
        [HOSTNAME_LABEL]: name,
        [ZONE_LABEL]: ZONES[index % ZONES.length] as string,
        ...labels,
      },
    },
    spec,
    status: { capacity: amounts, allocatable: amounts },
  };
}

/**
 * The spec with API defaults. Pods with equal signatures share the object, so that their signature is found by
 * identity.
 */
export function sharedSpec(spec: PodSpec): PodSpec {
  return defaultPod({ metadata: { name: 'template' }, spec }).spec ?? spec;
}

export function syntheticPods(podCount: number, spec: PodSpec, labels?: Labels): Pod[] {
  return Array.from({ length: podCount }, (_, i) => syntheticPod(i, spec, labels));
}

export function syntheticPod(index: number, spec: PodSpec, labels?: Labels): Pod {
  const name = `pod-${String(index).padStart(6, '0')}`;
  const metadata = { name, namespace: 'default', uid: name, ...(labels && { labels }) };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

export function container(cpu: string, memory: string) {
  return { name: 'main', image: 'registry.k8s.io/pause:3.10', resources: { requests: { cpu, memory } } };
}
