import type { PluginTable } from '../config/known-plugins.ts';
import type { PluginDefinition } from '../framework/plugin-definition.ts';
import { DEFAULT_BINDER, DEFAULT_PREEMPTION, NODE_DECLARED_FEATURES } from '../framework/plugin-names.ts';
import { DefaultBinder } from './default-binder/plugin.ts';
import { defaultPreemptionArgs } from './default-preemption/args.ts';
import { AsynchronousPreemption, DefaultPreemption } from './default-preemption/plugin.ts';
import { dynamicResourcesArgs } from './dynamic-resources/args.ts';
import { CountedDevices } from './dynamic-resources/counted-devices.ts';
import { DYNAMIC_RESOURCES, DynamicResources } from './dynamic-resources/plugin.ts';
import { GANG_SCHEDULING, GangScheduling } from './gang-scheduling/plugin.ts';
import { IMAGE_LOCALITY, ImageLocality } from './image-locality/plugin.ts';
import { interPodAffinityArgs } from './inter-pod-affinity/args.ts';
import { INTER_POD_AFFINITY, InterPodAffinity } from './inter-pod-affinity/plugin.ts';
import { nodeAffinityArgs } from './node-affinity/args.ts';
import { NODE_AFFINITY, NodeAffinity } from './node-affinity/plugin.ts';
import { NodeDeclaredFeatures } from './node-declared-features/plugin.ts';
import { NODE_NAME, NodeName } from './node-name/plugin.ts';
import { NODE_PORTS, NodePorts } from './node-ports/plugin.ts';
import {
  NODE_RESOURCES_BALANCED_ALLOCATION,
  NodeResourcesBalancedAllocation,
} from './node-resources/balanced-allocation.ts';
import { balancedAllocationArgs } from './node-resources/balanced-allocation-args.ts';
import { NODE_RESOURCES_FIT, NodeResourcesFit } from './node-resources/fit.ts';
import { nodeResourcesFitArgs } from './node-resources/fit-args.ts';
import { NODE_UNSCHEDULABLE, NodeUnschedulable } from './node-unschedulable/plugin.ts';
import { NODE_VOLUME_LIMITS, NodeVolumeLimits } from './node-volume-limits/plugin.ts';
import { podTopologySpreadArgs } from './pod-topology-spread/args.ts';
import { POD_TOPOLOGY_SPREAD, PodTopologySpread } from './pod-topology-spread/plugin.ts';
import { SCHEDULING_GATES, SchedulingGates } from './scheduling-gates/plugin.ts';
import { TAINT_TOLERATION, TaintToleration } from './taint-toleration/plugin.ts';
import { volumeBindingArgs } from './volume-binding/args.ts';
import { VOLUME_BINDING, VolumeBinding } from './volume-binding/plugin.ts';
import { VOLUME_RESTRICTIONS, VolumeRestrictions } from './volume-restrictions/plugin.ts';
import { VOLUME_ZONE, VolumeZone } from './volume-zone/plugin.ts';

/** Lets the compiler check that `make` takes the arguments that `args` reads. */
function withArgs<Args extends object>(definition: PluginDefinition<Args>): PluginDefinition {
  return definition;
}

/**
 * The plugins of a profile that names none, in calling order. Those without `make` take no part in decisions here: the
 * queue has its own order, and pod groups are decided pod by pod.
 */
const DEFAULTS: readonly PluginDefinition[] = [
  { name: SCHEDULING_GATES, points: ['preEnqueue'], make: () => new SchedulingGates() },
  { name: 'PrioritySort', points: ['queueSort'] },
  { name: NODE_UNSCHEDULABLE, points: ['filter'], make: () => new NodeUnschedulable() },
  { name: NODE_NAME, points: ['filter'], make: () => new NodeName() },
  {
    name: TAINT_TOLERATION,
    points: ['filter', 'preScore', 'score'],
    defaultWeight: 3,
    make: () => new TaintToleration(),
  },
  withArgs({
    name: NODE_AFFINITY,
    points: ['preFilter', 'filter', 'preScore', 'score'],
    defaultWeight: 2,
    args: nodeAffinityArgs,
    make: (_cluster, args) => new NodeAffinity(args),
  }),
  { name: NODE_PORTS, points: ['preFilter', 'filter'], make: () => new NodePorts() },
  withArgs({
    name: NODE_RESOURCES_FIT,
    points: ['preFilter', 'filter', 'preScore', 'score', 'placementScore'],
    defaultWeight: 1,
    args: nodeResourcesFitArgs,
    make: ({ objects }, args, _handle, { gates }) => new NodeResourcesFit(args, CountedDevices.of(objects, gates)),
  }),
  { name: VOLUME_RESTRICTIONS, points: ['preFilter', 'filter'], make: () => new VolumeRestrictions() },
  { name: NODE_VOLUME_LIMITS, points: ['preFilter', 'filter'], make: (cluster) => new NodeVolumeLimits(cluster) },
  withArgs({
    name: VOLUME_BINDING,
    points: ['preFilter', 'filter', 'reserve', 'preBind', 'preScore', 'score'],
    args: volumeBindingArgs,
    make: (cluster, args, handle) => new VolumeBinding(cluster, args, handle),
  }),
  { name: VOLUME_ZONE, points: ['preFilter', 'filter'], make: (cluster) => new VolumeZone(cluster) },
  withArgs({
    name: POD_TOPOLOGY_SPREAD,
    points: ['preFilter', 'filter', 'preScore', 'score'],
    defaultWeight: 2,
    args: podTopologySpreadArgs,
    make: (cluster, args) => new PodTopologySpread(cluster, args),
  }),
  withArgs({
    name: INTER_POD_AFFINITY,
    points: ['preFilter', 'filter', 'preScore', 'score'],
    defaultWeight: 2,
    args: interPodAffinityArgs,
    make: (cluster, args) => new InterPodAffinity(cluster, args),
  }),
  withArgs({
    name: DYNAMIC_RESOURCES,
    points: ['preEnqueue', 'preFilter', 'filter', 'postFilter', 'score', 'reserve', 'preBind'],
    defaultWeight: 2,
    args: dynamicResourcesArgs,
    make: (cluster, args, handle, environment) => new DynamicResources(cluster, args, handle, environment),
  }),
  withArgs({
    name: DEFAULT_PREEMPTION,
    points: ['preEnqueue', 'postFilter'],
    args: defaultPreemptionArgs,
    make: (cluster, args, handle, environment) =>
      handle === undefined
        ? new DefaultPreemption(cluster, args, environment)
        : new AsynchronousPreemption(handle, cluster, args, environment),
  }),
  withArgs({
    name: NODE_RESOURCES_BALANCED_ALLOCATION,
    points: ['preScore', 'score'],
    defaultWeight: 1,
    args: balancedAllocationArgs,
    make: ({ objects }, args, _handle, { gates }) =>
      new NodeResourcesBalancedAllocation(args?.resources, CountedDevices.of(objects, gates)),
  }),
  { name: IMAGE_LOCALITY, points: ['score'], defaultWeight: 1, make: (cluster) => new ImageLocality(cluster) },
  { name: DEFAULT_BINDER, points: ['bind'], make: (_cluster, _args, handle) => handle && new DefaultBinder(handle) },
  { name: NODE_DECLARED_FEATURES, points: ['preFilter', 'filter'], make: () => new NodeDeclaredFeatures() },
];

export const POD_GROUP_PODS_COUNT = 'PodGroupPodsCount';

/** The plugins that are enabled only in profiles that name them. They are about pod groups. */
const OPTIONAL: readonly PluginDefinition[] = [
  {
    name: GANG_SCHEDULING,
    points: ['preEnqueue', 'permit'],
    gate: 'GangScheduling',
    make: (cluster, _args, handle) => handle && new GangScheduling(cluster, handle),
  },
  { name: POD_GROUP_PODS_COUNT, points: ['placementScore'] },
  { name: 'TopologyPlacementGenerator', points: ['placementGenerate'] },
];

/** The table of all in-tree plugins, from which the configuration knows them and profiles make them. */
export const PLUGIN_TABLE = { defaults: DEFAULTS, optional: OPTIONAL } satisfies PluginTable;

const BY_NAME: ReadonlyMap<string, PluginDefinition> = new Map(
  [...DEFAULTS, ...OPTIONAL].map((definition) => [definition.name, definition]),
);

/** Returns undefined if there is no in-tree plugin of this name. */
export function definitionOf(plugin: string): PluginDefinition | undefined {
  return BY_NAME.get(plugin);
}
