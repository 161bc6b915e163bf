import type { PodInfo } from '../framework/pod-info.ts';

const NONE: readonly PodInfo[] = [];

/**
 * Pending pods by the node that was nominated for them (upstream's nominator.go). Room is kept for them there: pods of
 * equal or lower priority must fit beside them. A node need not be known to be nominated.
 */
export class NominatedPods {
  /** Lists are replaced, never changed: a list that is still the same object still says the same. */
  readonly #byNode = new Map<string, readonly PodInfo[]>();

  add(pod: PodInfo): void {
    if (pod.nominatedNodeName === '') return;
    this.#byNode.set(pod.nominatedNodeName, [...this.forNode(pod.nominatedNodeName), pod]);
  }

  remove(pod: PodInfo): void {
    if (pod.nominatedNodeName === '') return;
    const left = this.forNode(pod.nominatedNodeName).filter((other) => other !== pod);
    if (left.length > 0) this.#byNode.set(pod.nominatedNodeName, left);
    else this.#byNode.delete(pod.nominatedNodeName);
  }

  /** In the order in which they were nominated. */
  forNode(name: string): readonly PodInfo[] {
    return this.#byNode.get(name) ?? NONE;
  }

  get isEmpty(): boolean {
    return this.#byNode.size === 0;
  }

  all(): Iterable<readonly [string, readonly PodInfo[]]> {
    return this.#byNode;
  }
}
