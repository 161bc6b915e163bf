/**
 * Requirements that the API server derives from `matchLabelKeys` and `mismatchLabelKeys` when a pod is created, from
 * the values of the pod's own labels (pkg/registry/core/pod/strategy.go). An existing requirement is not added again,
 * so that pods that were read from a cluster do not change.
 */
import { mapKeeping } from '../lib/map-keeping.ts';
import type { LabelSelector, LabelSelectorRequirement } from './label-selector.ts';
import type { Labels } from './meta.ts';
import type { Affinity, PodSpec } from './pod.ts';
import type { PodAffinity, PodAffinityTerm, WeightedPodAffinityTerm } from './pod-affinity.ts';
import type { TopologySpreadConstraint } from './topology-spread.ts';

/** The spec with the keys merged into its selectors; the spec itself when there is nothing to add. */
export function mergeMatchLabelKeys(spec: PodSpec, labels: Labels | undefined): PodSpec {
  if (labels === undefined) return spec;
  const affinity = spec.affinity && mergeAffinity(spec.affinity, labels);
  const topologySpreadConstraints = mapKeeping(spec.topologySpreadConstraints, (constraint) =>
    mergeConstraint(constraint, labels),
  );
  if (affinity === spec.affinity && topologySpreadConstraints === spec.topologySpreadConstraints) return spec;
  return { ...spec, ...(affinity && { affinity }), ...(topologySpreadConstraints && { topologySpreadConstraints }) };
}

/** Whether the spec depends on the labels of its pod. */
export function namesLabelKeys({ affinity, topologySpreadConstraints = [] }: PodSpec): boolean {
  const namesKeys = ({ matchLabelKeys, mismatchLabelKeys }: LabelKeys): boolean =>
    Boolean(matchLabelKeys?.length || mismatchLabelKeys?.length);
  if (topologySpreadConstraints.some(namesKeys)) return true;
  const { podAffinity, podAntiAffinity } = affinity ?? {};
  return [podAffinity, podAntiAffinity].some(
    (each) =>
      each?.requiredDuringSchedulingIgnoredDuringExecution?.some(namesKeys) ||
      each?.preferredDuringSchedulingIgnoredDuringExecution?.some(({ podAffinityTerm }) => namesKeys(podAffinityTerm)),
  );
}

type LabelKeys = Pick<PodAffinityTerm, 'matchLabelKeys' | 'mismatchLabelKeys'>;

function mergeAffinity(affinity: Affinity, labels: Labels): Affinity {
  const podAffinity = affinity.podAffinity && mergePodAffinity(affinity.podAffinity, labels);
  const podAntiAffinity = affinity.podAntiAffinity && mergePodAffinity(affinity.podAntiAffinity, labels);
  if (podAffinity === affinity.podAffinity && podAntiAffinity === affinity.podAntiAffinity) return affinity;
  return { ...affinity, ...(podAffinity && { podAffinity }), ...(podAntiAffinity && { podAntiAffinity }) };
}

function mergePodAffinity(affinity: PodAffinity, labels: Labels): PodAffinity {
  const before = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  const weightedBefore = affinity.preferredDuringSchedulingIgnoredDuringExecution;
  const required = mapKeeping(before, (term) => mergeTerm(term, labels));
  const preferred = mapKeeping(weightedBefore, (weighted) => mergeWeighted(weighted, labels));
  if (required === before && preferred === weightedBefore) return affinity;
  return {
    ...affinity,
    ...(required && { requiredDuringSchedulingIgnoredDuringExecution: required }),
    ...(preferred && { preferredDuringSchedulingIgnoredDuringExecution: preferred }),
  };
}

function mergeWeighted(weighted: WeightedPodAffinityTerm, labels: Labels): WeightedPodAffinityTerm {
  const podAffinityTerm = mergeTerm(weighted.podAffinityTerm, labels);
  return podAffinityTerm === weighted.podAffinityTerm ? weighted : { ...weighted, podAffinityTerm };
}

function mergeTerm(term: PodAffinityTerm, labels: Labels): PodAffinityTerm {
  const matched = withRequirements(term.labelSelector, term.matchLabelKeys, 'In', labels);
  const labelSelector = withRequirements(matched, term.mismatchLabelKeys, 'NotIn', labels);
  return labelSelector === term.labelSelector ? term : { ...term, labelSelector };
}

function mergeConstraint(constraint: TopologySpreadConstraint, labels: Labels): TopologySpreadConstraint {
  const labelSelector = withRequirements(constraint.labelSelector, constraint.matchLabelKeys, 'In', labels);
  return labelSelector === constraint.labelSelector ? constraint : { ...constraint, labelSelector };
}

/**
 * Adds requirements to a selector. An absent selector matches no pod, and stays absent. Keys without a label of the pod
 * are ignored.
 */
function withRequirements(
  selector: LabelSelector | null | undefined,
  keys: readonly string[] | undefined,
  operator: 'In' | 'NotIn',
  labels: Labels,
): LabelSelector | null | undefined {
  if (!selector || !keys?.length) return selector;
  const present = selector.matchExpressions ?? [];
  const added: LabelSelectorRequirement[] = [];
  for (const key of keys) {
    if (!Object.hasOwn(labels, key)) continue;
    const requirement = { key, operator, values: [labels[key] as string] };
    if (![...present, ...added].some((other) => isSame(other, requirement))) added.push(requirement);
  }
  return added.length === 0 ? selector : { ...selector, matchExpressions: [...present, ...added] };
}

function isSame(a: LabelSelectorRequirement, b: LabelSelectorRequirement): boolean {
  return a.key === b.key && a.operator === b.operator && a.values?.length === 1 && a.values[0] === b.values?.[0];
}
