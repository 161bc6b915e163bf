/** Fewer feasible nodes than this are never the goal of a search; a cluster this small is always searched whole. */
const MIN_FEASIBLE_NODES_TO_FIND = 100;
const MIN_PERCENTAGE = 5;

/**
 * After how many feasible nodes a search stops (upstream's numFeasibleNodesToFind). `percentage` 0 adapts to the size
 * of the cluster: 50 % less one for every 125 nodes, at least 5 %.
 */
export function numFeasibleNodesToFind(percentage: number, nodeCount: number): number {
  if (nodeCount < MIN_FEASIBLE_NODES_TO_FIND) return nodeCount;
  const percent = percentage || Math.max(MIN_PERCENTAGE, 50 - Math.trunc(nodeCount / 125));
  if (percent >= 100) return nodeCount;
  return Math.max(MIN_FEASIBLE_NODES_TO_FIND, Math.trunc((nodeCount * percent) / 100));
}

/** The part of the snapshot that one attempt searches. */
export interface SearchWindow {
  /** Position in snapshot order where the search begins; it wraps round. */
  readonly start: number;
  /** The search ends when it meets one feasible node more than this. */
  readonly wanted: number;
}

/** Where the next search starts: each goes on where the last one ended, so that all nodes have their turn. */
export class NodeSearch {
  #next = 0;

  /** `percentage` as in `percentageOfNodesToScore`. */
  window(percentage: number, nodeCount: number): SearchWindow {
    return { start: this.#next % nodeCount, wanted: numFeasibleNodesToFind(percentage, nodeCount) };
  }

  /** `processed`: nodes found feasible or rejected by the attempt. */
  advance(processed: number, nodeCount: number): void {
    this.#next = (this.#next + processed) % nodeCount;
  }
}
