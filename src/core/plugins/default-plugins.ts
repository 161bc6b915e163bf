import type { Plugin, Snapshot } from '../framework/plugin.ts';
import { DynamicResources } from './dynamic-resources/plugin.ts';
import { ImageLocality } from './image-locality/plugin.ts';
import { NodeAffinity } from './node-affinity/plugin.ts';
import { NodeDeclaredFeatures } from './node-declared-features/plugin.ts';
import { NodeName } from './node-name/plugin.ts';
import { NodePorts } from './node-ports/plugin.ts';
import { NodeResourcesBalancedAllocation } from './node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from './node-resources/fit.ts';
import { NodeUnschedulable } from './node-unschedulable/plugin.ts';
import { SchedulingGates } from './scheduling-gates/plugin.ts';
import { TaintToleration } from './taint-toleration/plugin.ts';

export interface EnabledPlugin {
  readonly plugin: Plugin;
  /** What a normalised score is multiplied with. */
  readonly weight: number;
}

/**
 * The default profile of kube-scheduler v1.36: order at every extension point, and score weights
 * (upstream's apis/config/v1/default_plugins.go).
 */
export function defaultPlugins(snapshot: Snapshot): EnabledPlugin[] {
  return [
    { plugin: new SchedulingGates(), weight: 0 },
    { plugin: new NodeUnschedulable(), weight: 0 },
    { plugin: new NodeName(), weight: 0 },
    { plugin: new TaintToleration(), weight: 3 },
    { plugin: new NodeAffinity(), weight: 2 },
    { plugin: new NodePorts(), weight: 0 },
    { plugin: new NodeResourcesFit(), weight: 1 },
    { plugin: new DynamicResources(), weight: 2 },
    { plugin: new NodeResourcesBalancedAllocation(), weight: 1 },
    { plugin: new ImageLocality(snapshot), weight: 1 },
    { plugin: new NodeDeclaredFeatures(), weight: 0 },
  ];
}
