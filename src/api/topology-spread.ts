import type { LabelSelector } from './label-selector.ts';
import type { Labels } from './meta.ts';
import type { Node } from './node.ts';

export const HOSTNAME_LABEL = 'kubernetes.io/hostname';
export const ZONE_LABEL = 'topology.kubernetes.io/zone';

/** A v1 TopologySpreadConstraint: matching pods are to be spread evenly over the values of `topologyKey`. */
export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** `DoNotSchedule` or `ScheduleAnyway` */
  readonly whenUnsatisfiable: string;
  /** Selects the pods that are counted; absent or empty: none. */
  readonly labelSelector?: LabelSelector | null | undefined;
  /** If there are fewer domains than this, the minimum number of pods in a domain counts as 0. Absent: 1. */
  readonly minDomains?: number | undefined;
  /** Whether nodes outside the pod's node affinity are excluded: `Honor` (also when absent) or `Ignore`. */
  readonly nodeAffinityPolicy?: string | undefined;
  /** Whether nodes with a taint that the pod does not tolerate are excluded: `Honor` or `Ignore` (also when absent). */
  readonly nodeTaintsPolicy?: string | undefined;
  /** Keys of the pod's own labels: pods count only if they have the same values. */
  readonly matchLabelKeys?: readonly string[] | undefined;
}

/** The node's domain for this key; undefined for a node without the label. */
export function topologyValue(node: Node, topologyKey: string): string | undefined {
  return labelValue(node.metadata?.labels, topologyKey);
}

/** The value of the label; undefined if there is none. */
export function labelValue(labels: Labels | undefined, key: string): string | undefined {
  const value: unknown = labels?.[key];
  // The type is tested, since a key may be named like a member of Object.prototype.
  return typeof value === 'string' ? value : undefined;
}
