import type { Selector } from '../api/label-selector.ts';
import type { PodInfo } from './pod-info.ts';
import type { Status } from './status.ts';

/**
 * What a plugin that reads `kernel` brings: a description of its work from which the column engine does it with its own
 * kernels, without calling the plugin's methods. The kernels know the kinds of work below; a profile has at most one
 * plugin of each kind.
 */
export interface ColumnForms {
  /** Filter: room on the node for what the pod asks for. */
  readonly resourceFilter?: ResourceFilterForm;
  /** Score: a function of what is allocated on the node. */
  readonly resourceScore?: ResourceScoreForm;
  /** Filter and score: how many pods that match something are in a domain of nodes. */
  readonly topology?: TopologyForm;
}

/** A resource that a score considers, with its weight (upstream's ResourceSpec). */
export interface ResourceSpec {
  readonly name: string;
  readonly weight: number;
}

/** A resource of which a node has less left than the pod asks for. `pods`: the node holds as many as it may. */
export interface ResourceShortage {
  readonly resource: string;
  /** The pod asks for more than the node has at all. */
  readonly exceedsAllocatable: boolean;
}

export interface ResourceFilterForm {
  /** What is compared for this pod, beside the number of pods, in the order in which shortages are reported. */
  filteredResources(pod: PodInfo): readonly string[];
  /** The rejection of a node that has these shortages. */
  rejection(shortages: readonly ResourceShortage[]): Status;
}

export type ResourceScoreForm = AllocationForm | BalanceForm;

/** The score follows from the share of each resource that is requested, by one of upstream's strategies. */
export interface AllocationForm {
  readonly kind: 'allocation';
  readonly strategy: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';
  readonly resources: readonly ResourceSpec[];
  /** RequestedToCapacityRatio only: the score for each whole percent of utilisation, 0 to 100. */
  readonly scoreOfPercent: readonly number[];
}

/** The score follows from how much the shares of the resources differ. */
export interface BalanceForm {
  readonly kind: 'balance';
  readonly resources: readonly ResourceSpec[];
}

export type TopologyForm = SpreadForm | AffinityForm;

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

export interface SpreadForm {
  readonly kind: 'spread';
  /** The constraints that hold for the pod, in order; `error` when one is malformed. */
  constraints(
    pod: PodInfo,
    action: 'DoNotSchedule' | 'ScheduleAnyway',
  ): readonly SpreadConstraint[] | { readonly error: string };
  /** Whether nodes without one of the topology keys are left out of the score. */
  requiresAllKeys(pod: PodInfo): boolean;
  /** The status of a node for each violation. */
  readonly rejections: Readonly<Record<SpreadViolation, Status>>;
}

export type AffinityViolation = 'affinity' | 'antiAffinity' | 'existingAntiAffinity';

export interface AffinityForm {
  readonly kind: 'affinity';
  /** What a required affinity term of a pod on a node counts in scoring. */
  readonly hardPodAffinityWeight: number;
  /** Pods without preferred terms of their own are then not scored. */
  readonly ignorePreferredTermsOfExistingPods: boolean;
  /** The status of a node for each violation. */
  readonly rejections: Readonly<Record<AffinityViolation, Status>>;
}
