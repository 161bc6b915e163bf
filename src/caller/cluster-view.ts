import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import type { Resources } from '../api/resources.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { add, type Int64, subtract } from '../lib/int64.ts';

/** The amounts of one resource: cpu in thousandths, memory and storage in bytes, others in pieces. */
export interface ResourceUsage {
  readonly allocatable: Int64;
  /** The sum of the requests of the pods. */
  readonly requested: Int64;
  /** What is left; below 0 if pods request more than there is. */
  readonly free: Int64;
}

/** The usage by resource name; `pods` is the number of pods. */
export type Usage = Readonly<Record<string, ResourceUsage>>;

/** A node as the scheduler knows it now. */
export interface NodeState {
  readonly name: string;
  readonly node: Node;
  /** The pods on the node, those that were only assumed there, too. */
  readonly pods: readonly Pod[];
  readonly usage: Usage;
}

/** A pod as the scheduler knows it now. */
export interface PodState {
  readonly pod: Pod;
  /** The node on which the pod is, or is assumed; null for a pending pod. The node may be unknown. */
  readonly node: string | null;
  /** The node where preemption makes room for the pod; null for none. */
  readonly nominatedNode: string | null;
}

export function nodeStates(cluster: ClusterState): NodeState[] {
  return [...cluster.knownNodes()].sort((a, b) => a.order - b.order).map(nodeState);
}

export function nodeState(info: NodeInfo): NodeState {
  const { name, node, pods } = info;
  return { name, node, pods: pods.map(({ pod }) => pod), usage: usageOf(info) };
}

export function podStates(cluster: ClusterState): PodState[] {
  return Array.from(cluster.pods.all(), podState);
}

export function podState({ pod, nodeName, nominatedNodeName }: PodInfo): PodState {
  return { pod, node: nodeName || null, nominatedNode: nodeName === '' ? nominatedNodeName || null : null };
}

/** The sums over all nodes. */
export function totalUsage(cluster: ClusterState): Usage {
  const total: Record<string, ResourceUsage> = {};
  for (const info of cluster.knownNodes()) {
    for (const [name, { allocatable, requested }] of Object.entries(usageOf(info))) {
      const before = total[name];
      total[name] = usage(add(before?.allocatable ?? 0, allocatable), add(before?.requested ?? 0, requested));
    }
  }
  return total;
}

function usageOf({ allocatable, allowedPodCount, requested, pods }: NodeInfo): Usage {
  const amount = (of: Resources, name: string): Int64 => of.scalar.get(name) ?? 0;
  return {
    pods: usage(allowedPodCount, pods.length),
    cpu: usage(allocatable.milliCPU, requested.milliCPU),
    memory: usage(allocatable.memoryBytes, requested.memoryBytes),
    'ephemeral-storage': usage(allocatable.ephemeralStorageBytes, requested.ephemeralStorageBytes),
    ...Object.fromEntries(
      [...new Set([...allocatable.scalar.keys(), ...requested.scalar.keys()])].map((name) => [
        name,
        usage(amount(allocatable, name), amount(requested, name)),
      ]),
    ),
  };
}

function usage(allocatable: Int64, requested: Int64): ResourceUsage {
  return { allocatable, requested, free: subtract(allocatable, requested) };
}
