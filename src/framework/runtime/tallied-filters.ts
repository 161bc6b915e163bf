import { type FilterPlugin, hasMethod, readsCluster } from '../plugin.ts';

/** Whether what the filters say of a pod and a node holds for all pods with equal requirements. */
export function canRemember(filters: readonly FilterPlugin[]): boolean {
  return !filters.some(answersOnePod);
}

/** Whether what the filter says, after the PreFilter before it, may hold for one pod alone: of its own claims, say. */
export function answersOnePod(filter: FilterPlugin): boolean {
  return readsCluster(filter);
}

/**
 * Whether each filter either can tally the pods of a node, or does not depend on them. Then the filters can be asked
 * about other pods on a node without a copy of the node.
 */
export function canTally(filters: readonly FilterPlugin[]): boolean {
  return filters.every((plugin) => plugin.tally !== undefined || (readsNoPods(plugin) && !hasMethod(plugin, 'addPod')));
}

function readsNoPods({ filterReads }: FilterPlugin): boolean {
  return filterReads === 'node' || filterReads === 'objects';
}
