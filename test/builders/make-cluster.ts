import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../src/framework/node-info.ts';
import { PodInfo, podRequirements } from '../../src/framework/pod-info.ts';

/** Nodes with the pods on them, for tests of what stands below the scheduler. */
export function makeCluster(nodes: readonly Node[], pods: readonly Pod[] = []): ClusterState {
  const cluster = new ClusterState(podRequirements);
  for (const node of nodes) cluster.addNode(node);
  for (const pod of pods) cluster.pods.add(pod);
  cluster.updateSnapshot();
  return cluster;
}

/** One node as plugins see it. */
export function makeNodeInfo(node: Node, pods: readonly Pod[] = []): NodeInfo {
  const [info] = makeCluster([node], pods).nodeInfos();
  if (info === undefined) throw new Error('no node');
  return info;
}

export function makePodInfo(pod: Pod): PodInfo {
  return new PodInfo(pod, podRequirements(pod), pod.spec?.nodeName ?? '');
}
