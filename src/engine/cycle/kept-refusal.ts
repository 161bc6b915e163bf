import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeSearch } from '../../framework/node-search.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { IndexedEngine } from './engine.ts';

/**
 * The answer to a pod that fitted nowhere. It is the answer to every pod like it until a node, a pod or an object of
 * the cluster changes, so that a controller's pods that all fit nowhere are decided once. Pods about which plugins are
 * asked in every attempt, and pods with a nominated node, get no such answer.
 */
export class KeptRefusal {
  readonly message: string;
  readonly #likeness: object;
  readonly #changes: number;
  readonly #objects: number;
  /** By how many nodes the attempt has advanced the search; 0 if the next one would not advance it, either. */
  readonly #advanced: number;

  private constructor(cluster: ClusterState, likeness: object, message: string, advanced: number) {
    this.message = message;
    this.#likeness = likeness;
    this.#changes = cluster.changes.end;
    this.#objects = cluster.objects.totalVersion;
    this.#advanced = advanced;
  }

  /** Keeps the answer to an attempt that has just ended; null if the next pod may get another. */
  static after(
    pod: PodInfo,
    engine: IndexedEngine,
    cluster: ClusterState,
    message: string,
    search: { readonly from: number; readonly to: number },
  ): KeptRefusal | null {
    const likeness = likenessOf(pod, engine);
    if (likeness === null) return null;
    const { nodeCount } = cluster;
    const advanced = nodeCount === 0 ? 0 : (nodeCount + ((search.to - search.from) % nodeCount)) % nodeCount;
    return new KeptRefusal(cluster, likeness, message, advanced);
  }

  /** Whether this is the answer to the pod at present. Takes the attempt's snapshot. */
  holds(pod: PodInfo, engine: IndexedEngine, cluster: ClusterState): boolean {
    cluster.updateSnapshot();
    if (this.#changes !== cluster.changes.end || this.#objects !== cluster.objects.totalVersion) return false;
    return this.#likeness === likenessOf(pod, engine);
  }

  /** Advances the search as another attempt would. */
  advance(search: NodeSearch, { nodeCount }: ClusterState): void {
    if (this.#advanced > 0) search.advance(this.#advanced, nodeCount);
  }
}

function likenessOf(pod: PodInfo, engine: IndexedEngine): object | null {
  return pod.nominatedNodeName === '' && engine.index.isOn ? engine.refusals.likenessOf(pod) : null;
}
