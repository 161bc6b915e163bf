import type { Status } from './status.ts';

export const NO_NODES_AVAILABLE = 'no nodes available to schedule pods';

/**
 * Text of the FailedScheduling event (upstream's FitError). `reasonCounts`: how many nodes gave each reason; entries
 * read "count reason" and are sorted as strings, so "14 ..." stands before "3 ...".
 */
export function fitErrorMessage(nodeCount: number, reasonCounts: ReadonlyMap<string, number>): string {
  const reasons = [...reasonCounts].map(([reason, count]) => `${count} ${reason}`).sort(compareBytes);
  const head = `0/${nodeCount} nodes are available:`;
  return reasons.length === 0 ? head : `${head} ${reasons.join(', ')}.`;
}

/** The same when a PreFilter step rejected the pod once for all nodes. */
export function preFilterErrorMessage(nodeCount: number, status: Status): string {
  // The framework's own rejection (an empty set of nodes) is reported as if each node had given it.
  if (status.plugin === '') return fitErrorMessage(nodeCount, new Map(status.reasons.map((r) => [r, nodeCount])));
  return `0/${nodeCount} nodes are available: ${status.reasons.join(', ')}.`;
}

/** Go sorts strings by bytes; for the ASCII that reasons are made of, code units are the same. */
function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
