import type { LabelSelector } from './label-selector.ts';

/** A term on the pods that match, grouped by the value of `topologyKey` on their nodes. */
export interface PodAffinityTerm {
  readonly topologyKey: string;
  /** The selector of pods; absent: no pod matches. */
  readonly labelSelector?: LabelSelector | null | undefined;
  /** The names of namespaces. With neither these nor a `namespaceSelector`, the pod's own namespace counts. */
  readonly namespaces?: readonly string[] | undefined;
  /** Selects namespaces by their labels; an empty selector selects all, an absent one none. */
  readonly namespaceSelector?: LabelSelector | null | undefined;
  /** Keys of the pod's own labels: the API server adds `key In (value)` to the labelSelector for each. */
  readonly matchLabelKeys?: readonly string[] | undefined;
  /** Keys for which it adds `key NotIn (value)`. */
  readonly mismatchLabelKeys?: readonly string[] | undefined;
}

/** Pods that a pod prefers to be near, with a weight (v1 WeightedPodAffinityTerm). */
export interface WeightedPodAffinityTerm {
  /** 1 to 100 */
  readonly weight: number;
  readonly podAffinityTerm: PodAffinityTerm;
}

/** A v1 PodAffinity or PodAntiAffinity: which pods to be placed with, or apart from. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[] | undefined;
}
