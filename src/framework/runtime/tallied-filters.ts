import { type FilterPlugin, hasMethod } from '../plugin.ts';

/**
 * Whether each filter either can tally the pods of a node, or does not depend on them. Then the filters can be asked
 * about other pods on a node without a copy of the node.
 */
export function canTally(filters: readonly FilterPlugin[]): boolean {
  return filters.every(
    (plugin) => plugin.tally !== undefined || (plugin.filterReads === 'node' && !hasMethod(plugin, 'addPod')),
  );
}
