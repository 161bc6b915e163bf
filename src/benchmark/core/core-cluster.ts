import type { ClusterObjects } from '../../manifests/cluster-objects.ts';
import { type BenchKind, syntheticCluster } from '../suite.ts';
import { LOW_PODS_PER_NODE } from '../synthetic/preemption.ts';

/** With more, pods would no longer fit: a full cluster is another benchmark. */
const PODS_PER_NODE: Readonly<Record<BenchKind, number>> = {
  basic: 100,
  hetero: 20,
  spread: 100,
  antiaffinity: 50,
  affinity: 50,
  preemption: LOW_PODS_PER_NODE / 2,
};

/** As many as are placed in a fifth of a second at a million pods a second. */
const PODS_MAX = 200_000;
const LARGE_NODES = 1_000_000;
const LARGE_PODS_MAX = 1_000_000;

/** What a node and a pod take at most, with what a scheduler keeps of them. */
const HEAP_BYTES_PER_NODE = 1800;
const HEAP_BYTES_PER_POD = 800;

/** The pods that the variants of a case can place; each takes the first so many. */
export function corePodCount(kind: BenchKind, nodes: number): number {
  return Math.min(PODS_PER_NODE[kind] * nodes, nodes >= LARGE_NODES ? LARGE_PODS_MAX : PODS_MAX);
}

export function coreHeapBytes(kind: BenchKind, nodes: number, pods: number): number {
  const running = kind === 'preemption' ? nodes * LOW_PODS_PER_NODE : 0;
  return nodes * HEAP_BYTES_PER_NODE + (pods + running) * HEAP_BYTES_PER_POD;
}

/** Builds clusters and remembers the last one: the cases of one cluster stand together. */
export class CoreClusters {
  readonly #seed: number;
  #last: { readonly key: string; readonly cluster: ClusterObjects } | null = null;

  constructor(seed: number) {
    this.#seed = seed;
  }

  get(kind: BenchKind, nodes: number, pods: number): ClusterObjects {
    const key = `${kind} ${nodes} ${pods}`;
    if (this.#last?.key === key) return this.#last.cluster;
    // Two large clusters do not fit into the heap.
    this.#last = null;
    const cluster = syntheticCluster(kind, nodes, pods, this.#seed);
    this.#last = { key, cluster };
    return cluster;
  }
}
