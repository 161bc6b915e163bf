import type { LabelSelector } from './label-selector.ts';
import type { Node } from './node.ts';

export const HOSTNAME_LABEL = 'kubernetes.io/hostname';
export const ZONE_LABEL = 'topology.kubernetes.io/zone';

/** A v1 TopologySpreadConstraint: matching pods are to be spread evenly over the values of `topologyKey`. */
export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** `DoNotSchedule` or `ScheduleAnyway` */
  readonly whenUnsatisfiable: string;
  /** Absent or empty: no pod is counted. */
  readonly labelSelector?: LabelSelector | null | undefined;
  /** With fewer domains than this the least number of pods in a domain is taken to be 0. Absent: 1. */
  readonly minDomains?: number | undefined;
  /** Whether nodes outside the pod's node affinity are left out: `Honor` (also when absent) or `Ignore`. */
  readonly nodeAffinityPolicy?: string | undefined;
  /** Whether nodes with a taint that the pod does not tolerate are left out: `Honor` or `Ignore` (also when absent). */
  readonly nodeTaintsPolicy?: string | undefined;
  /** Label keys of the pod itself: pods must have the same values to be counted. */
  readonly matchLabelKeys?: readonly string[] | undefined;
}

/** The domain that the node is in, for this key; undefined for a node without the label. */
export function topologyValue(node: Node, topologyKey: string): string | undefined {
  const value: unknown = node.metadata?.labels?.[topologyKey];
  // A string test: a key may be called like a member of Object.prototype.
  return typeof value === 'string' ? value : undefined;
}
