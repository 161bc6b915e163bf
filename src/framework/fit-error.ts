import type { Status } from './status.ts';

export const NO_NODES_AVAILABLE = 'no nodes available to schedule pods';

/**
 * The text of the FailedScheduling event (upstream's FitError). `reasonCounts` holds the number of nodes by reason;
 * entries read "count reason" and are sorted as strings, so that "14 ..." precedes "3 ...".
 */
export function fitErrorMessage(nodeCount: number, reasonCounts: ReadonlyMap<string, number>): string {
  const reasons: string[] = [];
  for (const [reason, count] of reasonCounts) reasons.push(`${count} ${reason}`);
  if (reasons.length > 1) reasons.sort(compareBytes);
  const head = `0/${nodeCount} nodes are available:`;
  return reasons.length === 0 ? head : `${head} ${reasons.join(', ')}.`;
}

/** The text of the event if PreFilter rejected the pod for all nodes at once. */
export function preFilterErrorMessage(nodeCount: number, status: Status): string {
  // The framework's own rejection, of an empty set of nodes, is reported as if each node had given it.
  if (status.plugin === '') return fitErrorMessage(nodeCount, new Map(status.reasons.map((r) => [r, nodeCount])));
  return `0/${nodeCount} nodes are available: ${status.reasons.join(', ')}.`;
}

/** Compares as Go, which sorts strings by bytes: for ASCII, as reasons are, code units have the same order. */
function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
