import type { Status } from './status.ts';

export const NO_NODES_AVAILABLE = 'no nodes available to schedule pods';

/**
 * The text of the FailedScheduling event (upstream's FitError). `reasonCounts` holds the number of nodes by reason;
 * entries read "count reason" and are sorted as strings, so that "14 ..." precedes "3 ...".
 */
export function fitErrorMessage(nodeCount: number, reasonCounts: ReadonlyMap<string, number>): string {
  const reasons: string[] = [];
  for (const [reason, count] of reasonCounts) reasons.push(`${count} ${reason}`);
  if (reasons.length > FEW_REASONS) reasons.sort(compareBytes);
  else sortFew(reasons);
  let text = `0/${nodeCount} nodes are available:`;
  for (let i = 0; i < reasons.length; i++) text += i === 0 ? ` ${reasons[i]}` : `, ${reasons[i]}`;
  return reasons.length === 0 ? text : `${text}.`;
}

/** Lists up to this length are sorted by insertion, which makes no copies. */
const FEW_REASONS = 16;

function sortFew(texts: string[]): void {
  for (let i = 1; i < texts.length; i++) {
    const text = texts[i] as string;
    let at = i;
    for (; at > 0 && (texts[at - 1] as string) > text; at--) texts[at] = texts[at - 1] as string;
    texts[at] = text;
  }
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
