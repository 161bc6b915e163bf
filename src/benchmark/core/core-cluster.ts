import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { type BenchKind, syntheticCluster } from '../suite.ts';
import { DEVICES_PER_NODE } from '../synthetic/dra.ts';
import { LOW_PODS_PER_NODE } from '../synthetic/preemption.ts';

/** The most pods for each node. With more, pods would no longer fit, and a full cluster is another benchmark. */
const PODS_PER_NODE: Readonly<Record<BenchKind, number>> = {
  basic: 100,
  hetero: 20,
  spread: 100,
  antiaffinity: 50,
  affinity: 50,
  preemption: LOW_PODS_PER_NODE / 2,
  real: 20,
  dra: DEVICES_PER_NODE - 2,
  gang: 100,
};

/** The most pods, which is what a million pods a second places in a fifth of a second. */
const PODS_MAX = 200_000;
const LARGE_NODES = 1_000_000;
const LARGE_PODS_MAX = 1_000_000;

/** The most memory that a node and a pod take, including what a scheduler keeps for them. */
const HEAP_BYTES_PER_NODE = 1800;
const HEAP_BYTES_PER_POD = 800;
/** What devices of a node and the claim of a pod take beside that. */
const HEAP_BYTES_PER_SLICE = 6000;
const HEAP_BYTES_PER_CLAIM = 1500;
/** What a store keeps of a pod, with its history. */
const HEAP_BYTES_IN_STORE = 5000;

const FURTHER_BYTES: Readonly<Partial<Record<BenchKind, readonly [ofNode: number, ofPod: number]>>> = {
  dra: [HEAP_BYTES_PER_SLICE, HEAP_BYTES_PER_CLAIM],
  gang: [HEAP_BYTES_IN_STORE, HEAP_BYTES_IN_STORE],
};

/** How many pods the variants of a case can place; each takes the first of them. */
export function corePodCount(kind: BenchKind, nodes: number): number {
  return Math.min(PODS_PER_NODE[kind] * nodes, nodes >= LARGE_NODES ? LARGE_PODS_MAX : PODS_MAX);
}

export function coreHeapBytes(kind: BenchKind, nodes: number, pods: number): number {
  const running = kind === 'preemption' ? nodes * LOW_PODS_PER_NODE : 0;
  const [ofNode, ofPod] = FURTHER_BYTES[kind] ?? [0, 0];
  return nodes * (HEAP_BYTES_PER_NODE + ofNode) + (pods + running) * (HEAP_BYTES_PER_POD + ofPod);
}

/** Builds clusters and keeps the last one, since cases of one cluster follow each other. */
export function coreClusters(seed: number): (kind: BenchKind, nodes: number, pods: number) => ClusterManifest {
  let last: { readonly key: string; readonly cluster: ClusterManifest } | null = null;
  return (kind, nodes, pods) => {
    const key = `${kind} ${nodes} ${pods}`;
    if (last?.key === key) return last.cluster;
    // The last cluster is dropped first, since two large clusters do not fit into the heap.
    last = null;
    const cluster = syntheticCluster(kind, nodes, pods, seed);
    last = { key, cluster };
    return cluster;
  };
}
