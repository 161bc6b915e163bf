import type { PluginDefinition } from '../framework/plugin-definition.ts';

/**
 * Plugins of kube-scheduler that a profile may name, but that take no part in decisions here: the queue has its own
 * order, and pod groups are decided pod by pod.
 */
export const prioritySort: PluginDefinition = { name: 'PrioritySort', points: ['queueSort'] };
export const gangScheduling: PluginDefinition = { name: 'GangScheduling', points: ['preEnqueue', 'permit'] };
export const podGroupPodsCount: PluginDefinition = { name: 'PodGroupPodsCount', points: ['placementScore'] };
export const topologyPlacementGenerator: PluginDefinition = {
  name: 'TopologyPlacementGenerator',
  points: ['placementGenerate'],
};
