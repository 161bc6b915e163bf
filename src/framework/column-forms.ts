import type { Selector } from '../api/label-selector.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/**
 * What a plugin that reads `kernel` does: the column engine does it with kernels of its own instead of calling methods.
 * There are kernels for the forms below; a profile has at most one plugin of each form.
 */
export interface ColumnForms {
  /** Filters by the free resources of nodes. */
  readonly resourceFilter?: ResourceFilterForm;
  /** Scores by the allocated resources of nodes. */
  readonly resourceScore?: ResourceScoreForm;
  /** Filters and scores by the number of matching pods in a domain of nodes. */
  readonly topology?: TopologyForm;
  /**
   * Whether the plugin's score of this pod counts resources elsewhere (`ResourceScoreForm.counted`). Columns follow
   * such counts where each attempt asks filters of the cluster; only the plugin's methods can score all others. It is
   * asked about pods that request other resources than cpu, memory and storage.
   */
  needsMethods?(pod: PodInfo): boolean;
  /**
   * A number that changes when the forms, or `Plugin.concerns`, may answer otherwise than before about pods that
   * request other resources than cpu, memory and storage.
   */
  formsVersion?(): number;
}

/** A resource that a score considers, with its weight (upstream's ResourceSpec). */
export interface ResourceSpec {
  readonly name: string;
  readonly weight: number;
}

/** A resource of which a node has less left than the pod requests; `pods` if the node has no room for another pod. */
export interface ResourceShortage {
  readonly resource: string;
  /** Whether the pod requests more than the node has in all. */
  readonly exceedsAllocatable: boolean;
}

/** What a filter asks of the resources of nodes, for one pod. */
export interface ResourceFilterForm {
  /**
   * The resources that are compared for this pod beside the number of pods, in the order in which shortages are
   * reported.
   */
  filteredResources(pod: PodInfo): readonly string[];
  /** Whether nodes that have none of the resource leave it to their devices, so that it is not compared there. */
  isBackedByDevices?(resource: string): boolean;
  /** The rejection of a node that has these shortages. */
  rejection(shortages: readonly ResourceShortage[]): Status;
}

/** Resources whose amounts a score counts elsewhere than in nodes and their pods, such as in the devices of nodes. */
export interface CountedResources {
  /** A number that changes when other resources may be counted, or the same ones in another way. */
  readonly version: number;
  /** Whether the resource is counted on some nodes. */
  backs(resource: string): boolean;
  /** What is counted on the node; null if the amounts are those of the node and its pods. */
  countOn(resource: string, node: NodeInfo): { readonly allocatable: number; readonly requested: number } | null;
  /** The cursor of a reader that has seen all changes of counts. */
  readonly end: number;
  /** The names of nodes whose counts may have changed since the cursor; null if any may have. */
  changedSince(cursor: number): Iterable<string> | null;
}

/** A score of the resources of nodes. */
export type ResourceScoreForm = AllocationForm | BalanceForm;

/** A score from the requested share of each resource, by one of upstream's strategies. */
export interface AllocationForm {
  readonly kind: 'allocation';
  readonly strategy: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';
  readonly resources: readonly ResourceSpec[];
  readonly counted?: CountedResources;
  /** The score for each whole percent of utilisation, 0 to 100, for RequestedToCapacityRatio alone. */
  readonly scoreOfPercent: readonly number[];
}

/** A score from the difference between the requested shares of the resources. */
export interface BalanceForm {
  readonly kind: 'balance';
  readonly resources: readonly ResourceSpec[];
  readonly counted?: CountedResources;
}

/** What a plugin asks of the counters of topology. */
export type TopologyForm = SpreadForm | AffinityForm;

/** The rule of topology spread that rejects a node. */
export type SpreadViolation = 'missingLabel' | 'skew';

/** A compiled TopologySpreadConstraint of one pod. */
export interface SpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selector: Selector;
  /** Equal for equal selectors, so that their pods are counted once. */
  readonly selectorKey: string;
  readonly honorsNodeAffinity: boolean;
  readonly honorsNodeTaints: boolean;
}

/** What topology spread asks of the counters of topology, for one pod. */
export interface SpreadForm {
  readonly kind: 'spread';
  /** The constraints that apply to the pod, in order; `error` if one is malformed. */
  constraints(
    pod: PodInfo,
    action: 'DoNotSchedule' | 'ScheduleAnyway',
  ): readonly SpreadConstraint[] | { readonly error: string };
  /** Whether nodes without one of the topology keys are not scored. */
  requiresAllKeys(pod: PodInfo): boolean;
  /** The status of a node for each violation. */
  readonly rejections: Readonly<Record<SpreadViolation, Status>>;
}

/** The rule of inter-pod affinity that rejects a node. */
export type AffinityViolation = 'affinity' | 'antiAffinity' | 'existingAntiAffinity';

/** What inter-pod affinity asks of the counters of topology, for one pod. */
export interface AffinityForm {
  readonly kind: 'affinity';
  /** The weight of a required affinity term of a pod on a node in the score. */
  readonly hardPodAffinityWeight: number;
  /** Whether pods without preferred terms of their own are not scored. */
  readonly ignorePreferredTermsOfExistingPods: boolean;
  /** The status of a node for each violation. */
  readonly rejections: Readonly<Record<AffinityViolation, Status>>;
}
