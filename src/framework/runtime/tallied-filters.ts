import { memoized } from '../../lib/memoized.ts';
import { type FilterPlugin, hasMethod, readsCluster } from '../plugin.ts';

/** Whether what the filters say of a pod and a node holds for all pods with equal requirements. */
export function canRemember(filters: readonly FilterPlugin[]): boolean {
  return !filters.some(answersOnePod);
}

/**
 * Whether what the filter says, after the PreFilter before it, may hold for one pod alone: of its own claims, say. Each
 * attempt asks this several times about every filter, so that the answers are kept.
 */
export const answersOnePod = memoized((filter: FilterPlugin): boolean => readsCluster(filter));

/**
 * Whether each filter either can tally the pods of a node, or does not depend on them. Then the filters can be asked
 * about other pods on a node without a copy of the node.
 */
export function canTally(filters: readonly FilterPlugin[]): boolean {
  return filters.every(hasTally);
}

const hasTally = memoized(
  (plugin: FilterPlugin): boolean =>
    plugin.tally !== undefined || (readsNoPods(plugin) && !hasMethod(plugin, 'addPod')),
);

function readsNoPods({ filterReads }: FilterPlugin): boolean {
  return filterReads === 'node' || filterReads === 'objects';
}
