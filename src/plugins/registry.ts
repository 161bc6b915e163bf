import type { NodeResourcesFitArgs as FitConfiguration } from '../config/args/node-resources-fit.ts';
import type { SchedulerProfile } from '../config/configuration.ts';
import { EXTENSION_POINTS } from '../config/extension-points.ts';
import type { Handle } from '../framework/handle.ts';
import type { Plugin, PodNominator, Snapshot } from '../framework/plugin.ts';
import * as names from '../framework/plugin-names.ts';
import type { FrameworkPlugins } from '../framework/runtime/framework-plugins.ts';
import { DefaultBinder } from './default-binder/plugin.ts';
import { AsynchronousPreemption } from './default-preemption/asynchronous.ts';
import { DefaultPreemption } from './default-preemption/plugin.ts';
import { DynamicResources } from './dynamic-resources/plugin.ts';
import { ImageLocality } from './image-locality/plugin.ts';
import { InterPodAffinity } from './inter-pod-affinity/plugin.ts';
import { NodeAffinity } from './node-affinity/plugin.ts';
import { NodeDeclaredFeatures } from './node-declared-features/plugin.ts';
import { NodeName } from './node-name/plugin.ts';
import { NodePorts } from './node-ports/plugin.ts';
import { NodeResourcesBalancedAllocation } from './node-resources/balanced-allocation.ts';
import { NodeResourcesFit, type NodeResourcesFitArgs } from './node-resources/fit.ts';
import type { ScoringStrategy } from './node-resources/scoring-strategy.ts';
import { NodeUnschedulable } from './node-unschedulable/plugin.ts';
import { NodeVolumeLimits } from './node-volume-limits/plugin.ts';
import type { OutOfTree } from './out-of-tree.ts';
import { PodTopologySpread } from './pod-topology-spread/plugin.ts';
import { SchedulingGates } from './scheduling-gates/plugin.ts';
import { TaintToleration } from './taint-toleration/plugin.ts';
import { VolumeBinding } from './volume-binding/plugin.ts';
import { VolumeRestrictions } from './volume-restrictions/plugin.ts';
import { VolumeZone } from './volume-zone/plugin.ts';

type Cluster = Snapshot & PodNominator;
type Factory = (cluster: Cluster, args: SchedulerProfile['args'], handle: Handle | undefined) => Plugin | undefined;

/**
 * How each plugin is made (upstream's plugins/registry.go). Those that are missing have a place in the lists of a
 * profile but no part in a decision: queue order, binding, pod groups.
 */
const FACTORIES: Readonly<Record<string, Factory>> = {
  [names.DEFAULT_BINDER]: (_cluster, _args, handle) => handle && new DefaultBinder(handle),
  [names.DEFAULT_PREEMPTION]: (cluster, { DefaultPreemption: args }, handle) =>
    handle === undefined ? new DefaultPreemption(cluster, args) : new AsynchronousPreemption(handle, cluster, args),
  [names.DYNAMIC_RESOURCES]: () => new DynamicResources(),
  [names.IMAGE_LOCALITY]: (cluster) => new ImageLocality(cluster),
  [names.INTER_POD_AFFINITY]: (cluster, args) => new InterPodAffinity(cluster, args.InterPodAffinity),
  [names.NODE_AFFINITY]: (_, args) => new NodeAffinity(args.NodeAffinity),
  [names.NODE_DECLARED_FEATURES]: () => new NodeDeclaredFeatures(),
  [names.NODE_NAME]: () => new NodeName(),
  [names.NODE_PORTS]: () => new NodePorts(),
  [names.NODE_RESOURCES_BALANCED_ALLOCATION]: (_, args) =>
    new NodeResourcesBalancedAllocation(args.NodeResourcesBalancedAllocation?.resources),
  [names.NODE_RESOURCES_FIT]: (_, args) =>
    new NodeResourcesFit(args.NodeResourcesFit && fitArgs(args.NodeResourcesFit)),
  [names.NODE_UNSCHEDULABLE]: () => new NodeUnschedulable(),
  [names.NODE_VOLUME_LIMITS]: (cluster) => new NodeVolumeLimits(cluster),
  [names.POD_TOPOLOGY_SPREAD]: (cluster, args) => new PodTopologySpread(cluster, args.PodTopologySpread),
  [names.SCHEDULING_GATES]: () => new SchedulingGates(),
  [names.TAINT_TOLERATION]: () => new TaintToleration(),
  [names.VOLUME_BINDING]: (cluster, args, handle) => new VolumeBinding(cluster, args.VolumeBinding, handle),
  [names.VOLUME_RESTRICTIONS]: () => new VolumeRestrictions(),
  [names.VOLUME_ZONE]: (cluster) => new VolumeZone(cluster),
};

/** Makes each plugin of the profile once, with its arguments. `outOfTree`: makes those that the embedder brings. */
export function pluginsOf(
  profile: SchedulerProfile,
  cluster: Cluster,
  handle?: Handle,
  outOfTree?: OutOfTree,
): FrameworkPlugins {
  const { plugins, scoreWeights, args } = profile;
  const made = new Map<string, Plugin>(outOfTree?.pluginsOf(profile));
  const get = (name: string): Plugin | undefined => {
    const known = made.get(name) ?? FACTORIES[name]?.(cluster, args, handle);
    if (known !== undefined) made.set(name, known);
    return known;
  };
  const byPoint = EXTENSION_POINTS.map((point) => {
    return [point, plugins[point].map(get).filter((plugin) => plugin !== undefined)] as const;
  });
  return { byPoint: Object.fromEntries(byPoint), scoreWeights };
}

/** Arguments that were validated: the type says which of the members count. */
function fitArgs({ scoringStrategy, ...ignored }: FitConfiguration): NodeResourcesFitArgs {
  const { type, resources = [], requestedToCapacityRatio: ratio } = scoringStrategy ?? {};
  return { scoringStrategy: { type, resources, ...ratio } as ScoringStrategy, ...ignored };
}
