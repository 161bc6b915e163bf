import type { PluginTable } from '../config/known-plugins.ts';
import type { PluginDefinition } from '../framework/plugin-definition.ts';
import { defaultBinder } from './default-binder/definition.ts';
import { defaultPreemption } from './default-preemption/definition.ts';
import { dynamicResources } from './dynamic-resources/definition.ts';
import { imageLocality } from './image-locality/definition.ts';
import { interPodAffinity } from './inter-pod-affinity/definition.ts';
import { nodeAffinity } from './node-affinity/definition.ts';
import { nodeDeclaredFeatures } from './node-declared-features/definition.ts';
import { nodeName } from './node-name/definition.ts';
import { nodePorts } from './node-ports/definition.ts';
import { nodeResourcesBalancedAllocation, nodeResourcesFit } from './node-resources/definition.ts';
import { nodeUnschedulable } from './node-unschedulable/definition.ts';
import { nodeVolumeLimits } from './node-volume-limits/definition.ts';
import { gangScheduling, podGroupPodsCount, prioritySort, topologyPlacementGenerator } from './outside-decisions.ts';
import { podTopologySpread } from './pod-topology-spread/definition.ts';
import { schedulingGates } from './scheduling-gates/definition.ts';
import { taintToleration } from './taint-toleration/definition.ts';
import { volumeBinding } from './volume-binding/definition.ts';
import { volumeRestrictions } from './volume-restrictions/definition.ts';
import { volumeZone } from './volume-zone/definition.ts';

/** The plugins of a profile that says nothing else. Their order is the order in which they are called. */
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

/** Plugins that a profile has to name. */
const OPTIONAL: readonly PluginDefinition[] = [gangScheduling, podGroupPodsCount, topologyPlacementGenerator];

/**
 * The one table of the plugins that come with the scheduler: the configuration learns from it which plugins there are,
 * and profiles how each is made.
 */
export const PLUGIN_TABLE = { defaults: DEFAULTS, optional: OPTIONAL } satisfies PluginTable;

const BY_NAME: ReadonlyMap<string, PluginDefinition> = new Map(
  [...DEFAULTS, ...OPTIONAL].map((definition) => [definition.name, definition]),
);

/** undefined: no plugin of this name comes with the scheduler. */
export function definitionOf(plugin: string): PluginDefinition | undefined {
  return BY_NAME.get(plugin);
}
