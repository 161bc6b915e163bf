import { type FilterPlugin, hasPreFilterExtensions } from '../plugin.ts';

/**
 * Whether each of the filters either keeps a tally of a node's pods, or has the same answer whatever pods are there.
 * Then nobody needs a copy of the node to ask about other pods on it.
 */
export function canTally(filters: readonly FilterPlugin[]): boolean {
  return filters.every(
    (plugin) => plugin.tally !== undefined || (plugin.filterReads === 'node' && !hasPreFilterExtensions(plugin)),
  );
}
