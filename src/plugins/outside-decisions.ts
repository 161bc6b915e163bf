import type { PluginDefinition } from '../framework/plugin-definition.ts';

/**
 * Plugins of kube-scheduler that a profile may name, and that have no part in a decision here: the order of the queue
 * is the queue's own, and pod groups are decided pod by pod.
 */
export const prioritySort: PluginDefinition = { name: 'PrioritySort', points: ['queueSort'] };
export const gangScheduling: PluginDefinition = { name: 'GangScheduling', points: ['preEnqueue', 'permit'] };
export const podGroupPodsCount: PluginDefinition = { name: 'PodGroupPodsCount', points: ['placementScore'] };
export const topologyPlacementGenerator: PluginDefinition = {
  name: 'TopologyPlacementGenerator',
  points: ['placementGenerate'],
};
