/** The least number of feasible nodes for which a search stops; smaller clusters are searched completely. */
const MIN_FEASIBLE_NODES_TO_FIND = 100;
const MIN_PERCENTAGE = 5;

/**
 * The number of feasible nodes after which a search stops (upstream's numFeasibleNodesToFind). `percentage` 0 adapts to
 * the size of the cluster: 50 % less 1 % for every 125 nodes, at least 5 %.
 */
export function numFeasibleNodesToFind(percentage: number, nodeCount: number): number {
  if (nodeCount < MIN_FEASIBLE_NODES_TO_FIND) return nodeCount;
  const percent = percentage || Math.max(MIN_PERCENTAGE, 50 - Math.trunc(nodeCount / 125));
  if (percent >= 100) return nodeCount;
  return Math.max(MIN_FEASIBLE_NODES_TO_FIND, Math.trunc((nodeCount * percent) / 100));
}

/** The part of the snapshot that one attempt searches. */
export interface SearchWindow {
  /** The position in snapshot order where the search begins; it wraps round. */
  readonly start: number;
  /** The number of feasible nodes to find: the search ends at the next feasible node after them. */
  readonly wanted: number;
}

/** Where the next search starts: at the node after the last search, so that all nodes are searched in turn. */
export class NodeSearch {
  #next = 0;

  /** `percentage` is `percentageOfNodesToScore`. */
  window(percentage: number, nodeCount: number): SearchWindow {
    return { start: this.#next % nodeCount, wanted: numFeasibleNodesToFind(percentage, nodeCount) };
  }

  /** The window of a search that need not find all nodes; null if it has to. */
  partialWindow(percentage: number, nodeCount: number): SearchWindow | null {
    const window = this.window(percentage, nodeCount);
    return window.wanted >= nodeCount ? null : window;
  }

  /** The position where the next search starts, for a record. */
  get next(): number {
    return this.#next;
  }

  set next(next: number) {
    this.#next = next;
  }

  /** `processed` is the number of nodes that the attempt found feasible or rejected. */
  advance(processed: number, nodeCount: number): void {
    this.#next = (this.#next + processed) % nodeCount;
  }
}
