import type { Pod } from '../api/pod.ts';
import type { PodAffinity } from '../api/pod-affinity.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';

/** Which affinity terms of a pod that was placed in a trial the pods after it can see. */
export interface VisibleTerms {
  /** Required anti-affinity, which rejects nodes. */
  readonly rejecting: boolean;
  /** All other terms, which only give scores. */
  readonly scoring: boolean;
}

/** Whether the pod has terms of inter-pod affinity. */
export function hasTerms({ spec }: Pod): boolean {
  return countOf(spec?.affinity?.podAffinity) + countOf(spec?.affinity?.podAntiAffinity) > 0;
}

/** Whether the pod has preferred terms: then scores count the terms of all pods, on any node. */
export function hasPreferredTerms({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return preferredOf(podAffinity) + preferredOf(podAntiAffinity) > 0;
}

/**
 * Returns which terms on the node can be seen. Upstream looks for them only on nodes that had pods with such terms when
 * the trial began, or, for a pod with preferred terms, on all nodes. `isOfTrial`: whether the trial placed the pod.
 */
export function visibleTerms(node: NodeInfo, isOfTrial: (pod: PodInfo) => boolean, prefers: boolean): VisibleTerms {
  const before = node.pods.filter((pod) => hasTerms(pod.pod) && !isOfTrial(pod));
  return {
    rejecting: before.some(({ pod }) => (pod.spec?.affinity?.podAntiAffinity?.[REQUIRED]?.length ?? 0) > 0),
    scoring: prefers || before.length > 0,
  };
}

/** The pod without the terms that cannot be seen. */
export function standInOf(pod: Pod, { rejecting, scoring }: VisibleTerms): Pod {
  const { podAffinity, podAntiAffinity, ...rest } = pod.spec?.affinity ?? {};
  const shownAnti: PodAffinity = {
    ...(rejecting && { [REQUIRED]: podAntiAffinity?.[REQUIRED] }),
    ...(scoring && { [PREFERRED]: podAntiAffinity?.[PREFERRED] }),
  };
  const affinity = { ...rest, podAntiAffinity: shownAnti, ...(scoring && { podAffinity }) };
  return { ...pod, spec: { ...pod.spec, affinity } };
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function preferredOf(affinity: PodAffinity | undefined): number {
  return affinity?.[PREFERRED]?.length ?? 0;
}

function countOf(affinity: PodAffinity | undefined): number {
  return preferredOf(affinity) + (affinity?.[REQUIRED]?.length ?? 0);
}
