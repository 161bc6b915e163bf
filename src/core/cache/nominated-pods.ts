import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';

const NONE: readonly PodInfo[] = [];

/** A node for which pods are nominated. */
export interface NominatedNode {
  readonly name: string;
  /** In the order in which they were nominated. A list is replaced, never changed: the same object says the same. */
  pods: readonly PodInfo[];
  /** For those who look at it often: what they found under the name; to be checked. */
  node: NodeInfo | null;
}

/**
 * Pending pods by the node that was nominated for them (upstream's nominator.go). Room is kept for them there: pods of
 * equal or lower priority must fit beside them. A node need not be known to be nominated.
 */
export class NominatedPods {
  readonly #byNode = new Map<string, NominatedNode>();

  add(pod: PodInfo): void {
    if (pod.nominatedNodeName === '') return;
    const name = pod.nominatedNodeName;
    const known = this.#byNode.get(name);
    if (known === undefined) this.#byNode.set(name, { name, pods: [pod], node: null });
    else known.pods = [...known.pods, pod];
  }

  remove(pod: PodInfo): void {
    if (pod.nominatedNodeName === '') return;
    const known = this.#byNode.get(pod.nominatedNodeName);
    if (known === undefined) return;
    known.pods = known.pods.filter((other) => other !== pod);
    if (known.pods.length === 0) this.#byNode.delete(known.name);
  }

  /** In the order in which they were nominated. */
  forNode(name: string): readonly PodInfo[] {
    return this.#byNode.get(name)?.pods ?? NONE;
  }

  get isEmpty(): boolean {
    return this.#byNode.size === 0;
  }

  all(): Iterable<NominatedNode> {
    return this.#byNode.values();
  }
}
