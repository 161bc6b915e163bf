import type { Plugin, PodNominator, Snapshot } from '../framework/plugin.ts';
import { DefaultPreemption } from './default-preemption/plugin.ts';
import { DynamicResources } from './dynamic-resources/plugin.ts';
import { ImageLocality } from './image-locality/plugin.ts';
import { InterPodAffinity } from './inter-pod-affinity/plugin.ts';
import { NodeAffinity } from './node-affinity/plugin.ts';
import { NodeDeclaredFeatures } from './node-declared-features/plugin.ts';
import { NodeName } from './node-name/plugin.ts';
import { NodePorts } from './node-ports/plugin.ts';
import { NodeResourcesBalancedAllocation } from './node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from './node-resources/fit.ts';
import { NodeUnschedulable } from './node-unschedulable/plugin.ts';
import { NodeVolumeLimits } from './node-volume-limits/plugin.ts';
import { PodTopologySpread } from './pod-topology-spread/plugin.ts';
import { SchedulingGates } from './scheduling-gates/plugin.ts';
import { TaintToleration } from './taint-toleration/plugin.ts';
import { VolumeBinding } from './volume-binding/plugin.ts';
import { VolumeRestrictions } from './volume-restrictions/plugin.ts';
import { VolumeZone } from './volume-zone/plugin.ts';

export interface EnabledPlugin {
  readonly plugin: Plugin;
  /** What a normalised score is multiplied with. */
  readonly weight: number;
}

/**
 * The default profile of kube-scheduler v1.36: order at every extension point, and score weights
 * (upstream's apis/config/v1/default_plugins.go).
 */
export function defaultPlugins(snapshot: Snapshot & PodNominator): EnabledPlugin[] {
  return [
    { plugin: new SchedulingGates(), weight: 0 },
    { plugin: new NodeUnschedulable(), weight: 0 },
    { plugin: new NodeName(), weight: 0 },
    { plugin: new TaintToleration(), weight: 3 },
    { plugin: new NodeAffinity(), weight: 2 },
    { plugin: new NodePorts(), weight: 0 },
    { plugin: new NodeResourcesFit(), weight: 1 },
    { plugin: new VolumeRestrictions(), weight: 0 },
    { plugin: new NodeVolumeLimits(snapshot), weight: 0 },
    { plugin: new VolumeBinding(snapshot), weight: 1 },
    { plugin: new VolumeZone(), weight: 0 },
    { plugin: new PodTopologySpread(snapshot), weight: 2 },
    { plugin: new InterPodAffinity(snapshot), weight: 2 },
    { plugin: new DynamicResources(), weight: 2 },
    { plugin: new DefaultPreemption(snapshot), weight: 0 },
    { plugin: new NodeResourcesBalancedAllocation(), weight: 1 },
    { plugin: new ImageLocality(snapshot), weight: 1 },
    { plugin: new NodeDeclaredFeatures(), weight: 0 },
  ];
}
