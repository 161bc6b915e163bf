/** The number of pods that must be placed between two changes for sorting all nodes to have paid. */
const PAYING_PODS = 3;
/** The most pods after a change that are searched for instead. */
const MOST_PATIENCE = 8;
/** As many searches cost about as much as to sort all nodes by counts that differ from node to node. */
export const SEARCHES_PER_SORT = 8;

/** The pods of one signature since a node changed, or the signature's verdicts were all made anew. */
export interface TopologyAsks {
  nodesVersion: number;
  verdictsVersion: number;
  pods: number;
  /** The number of pods for which the nodes were sorted. */
  indexedPods: number;
  /** The last run that such pods can be part of. */
  run: number;
}

export function newTopologyAsks(): TopologyAsks {
  return { nodesVersion: -1, verdictsVersion: -1, pods: 0, indexedPods: 0, run: 0 };
}

/**
 * Decides when it is worth to sort all nodes by the topology rules of a pod signature. After a change all must be
 * sorted again, which pays only if several pods come before the next change: the more often it did not pay, the more
 * pods are searched for first.
 */
export class TopologyDemand {
  #patience = 0;

  /**
   * Counts a pod; returns whether its nodes should be sorted. `isCostly`: by counts that differ from node to node, with
   * no other pods that are sure to pay for it.
   */
  isEnough(asks: TopologyAsks, nodesVersion: number, verdictsVersion: number, isCostly = false): boolean {
    if (asks.nodesVersion !== nodesVersion || asks.verdictsVersion !== verdictsVersion) {
      if (asks.indexedPods > 0) this.#learn(asks.indexedPods >= PAYING_PODS);
      asks.nodesVersion = nodesVersion;
      asks.verdictsVersion = verdictsVersion;
      asks.pods = 0;
      asks.indexedPods = 0;
    }
    asks.pods++;
    if (asks.pods <= (isCostly ? Math.max(this.#patience, SEARCHES_PER_SORT) : this.#patience)) return false;
    asks.indexedPods++;
    return true;
  }

  /** Counts a pod for which the nodes were sorted without asking. */
  count(asks: TopologyAsks): void {
    asks.pods++;
    asks.indexedPods++;
  }

  #learn(hasPaid: boolean): void {
    this.#patience = hasPaid ? this.#patience >> 1 : Math.min(MOST_PATIENCE, this.#patience + 1);
  }
}
