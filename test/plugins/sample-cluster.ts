import type { Labels } from '../../src/api/meta.ts';
import type { Node } from '../../src/api/node.ts';
import type { Pod, PodSpec } from '../../src/api/pod.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';

export function node(name: string, labels: Labels = {}, spec: NonNullable<Node['spec']> = {}): Node {
  return { metadata: { name, labels }, spec, status: { allocatable: { cpu: '64', memory: '256Gi', pods: '110' } } };
}

export function pod(name: string, labels: Labels = {}, spec: PodSpec = {}, namespace = 'default'): Pod {
  return { metadata: { name, namespace, labels }, spec: { containers: [], ...spec } };
}

/** Nodes in the order given; pods run where their spec says. */
export function clusterOf(nodes: readonly Node[], pods: readonly Pod[] = []): ClusterState {
  const cluster = new ClusterState(podRequirements);
  for (const each of nodes) cluster.addNode(each);
  for (const each of pods) cluster.pods.add(each);
  cluster.updateSnapshot();
  return cluster;
}
