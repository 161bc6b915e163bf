import type { LabelSelector } from './label-selector.ts';

/** Pods that match, counted by the value of `topologyKey` on their nodes. */
export interface PodAffinityTerm {
  readonly topologyKey: string;
  /** Absent: no pod matches. */
  readonly labelSelector?: LabelSelector | null | undefined;
  /** Names of namespaces. Neither these nor a `namespaceSelector`: the pod's own namespace. */
  readonly namespaces?: readonly string[] | undefined;
  /** By the labels of namespaces; an empty one selects all, an absent one none. */
  readonly namespaceSelector?: LabelSelector | null | undefined;
  /** Label keys of the pod itself: the API server adds `key In (value)` to the labelSelector for each. */
  readonly matchLabelKeys?: readonly string[] | undefined;
  /** The same with `NotIn`. */
  readonly mismatchLabelKeys?: readonly string[] | undefined;
}

export interface WeightedPodAffinityTerm {
  /** 1 to 100 */
  readonly weight: number;
  readonly podAffinityTerm: PodAffinityTerm;
}

/** A v1 PodAffinity or PodAntiAffinity: where to stand beside certain pods, or apart from them. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[] | undefined;
}
