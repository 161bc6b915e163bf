import type { PluginTable } from '../config/known-plugins.ts';
import type { PluginDefinition } from '../framework/plugin-definition.ts';
import { defaultBinder } from './default-binder/plugin.ts';
import { defaultPreemption } from './default-preemption/plugin.ts';
import { dynamicResources } from './dynamic-resources/plugin.ts';
import { imageLocality } from './image-locality/plugin.ts';
import { interPodAffinity } from './inter-pod-affinity/plugin.ts';
import { nodeAffinity } from './node-affinity/plugin.ts';
import { nodeDeclaredFeatures } from './node-declared-features/plugin.ts';
import { nodeName } from './node-name/plugin.ts';
import { nodePorts } from './node-ports/plugin.ts';
import { nodeResourcesBalancedAllocation } from './node-resources/balanced-allocation.ts';
import { nodeResourcesFit } from './node-resources/fit.ts';
import { nodeUnschedulable } from './node-unschedulable/plugin.ts';
import { nodeVolumeLimits } from './node-volume-limits/plugin.ts';
import { gangScheduling, podGroupPodsCount, prioritySort, topologyPlacementGenerator } from './outside-decisions.ts';
import { podTopologySpread } from './pod-topology-spread/plugin.ts';
import { schedulingGates } from './scheduling-gates/plugin.ts';
import { taintToleration } from './taint-toleration/plugin.ts';
import { volumeBinding } from './volume-binding/plugin.ts';
import { volumeRestrictions } from './volume-restrictions/plugin.ts';
import { volumeZone } from './volume-zone/plugin.ts';

/** The plugins of a profile that names none, in calling order. */
const DEFAULTS: readonly PluginDefinition[] = [
  schedulingGates,
  prioritySort,
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  nodeVolumeLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
  dynamicResources,
  defaultPreemption,
  nodeResourcesBalancedAllocation,
  imageLocality,
  defaultBinder,
  nodeDeclaredFeatures,
];

/** The plugins that are enabled only in profiles that name them. */
const OPTIONAL: readonly PluginDefinition[] = [gangScheduling, podGroupPodsCount, topologyPlacementGenerator];

/** The table of all in-tree plugins, from which the configuration knows them and profiles make them. */
export const PLUGIN_TABLE = { defaults: DEFAULTS, optional: OPTIONAL } satisfies PluginTable;

const BY_NAME: ReadonlyMap<string, PluginDefinition> = new Map(
  [...DEFAULTS, ...OPTIONAL].map((definition) => [definition.name, definition]),
);

/** Returns undefined if there is no in-tree plugin of this name. */
export function definitionOf(plugin: string): PluginDefinition | undefined {
  return BY_NAME.get(plugin);
}
