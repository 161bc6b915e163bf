/**
 * Requirements that the API server derives from `matchLabelKeys` and `mismatchLabelKeys` when a pod is created, from
 * the values of the pod's own labels (pkg/registry/core/pod/strategy.go). An existing requirement is not added again,
 * so that pods that were read from a cluster do not change.
 */
import { mapKeeping, withMembers } from '../lib/map-keeping.ts';
import type { LabelSelector, LabelSelectorRequirement } from './label-selector.ts';
import type { Labels } from './meta.ts';
import type { Affinity, PodSpec } from './pod.ts';
import type { PodAffinity, PodAffinityTerm } from './pod-affinity.ts';

/** The spec with the keys merged into its selectors; the spec itself when there is nothing to add. */
export function mergeMatchLabelKeys(spec: PodSpec, labels: Labels | undefined): PodSpec {
  if (labels === undefined) return spec;
  const affinity = spec.affinity && mergeAffinity(spec.affinity, labels);
  const topologySpreadConstraints = mapKeeping(spec.topologySpreadConstraints, (constraint) =>
    withMembers(constraint, {
      labelSelector: withRequirements(constraint.labelSelector, constraint.matchLabelKeys, 'In', labels),
    }),
  );
  return withMembers(spec, { affinity, topologySpreadConstraints });
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
  return withMembers(affinity, { podAffinity, podAntiAffinity });
}

function mergePodAffinity(affinity: PodAffinity, labels: Labels): PodAffinity {
  return withMembers(affinity, {
    requiredDuringSchedulingIgnoredDuringExecution: mapKeeping(
      affinity.requiredDuringSchedulingIgnoredDuringExecution,
      (term) => mergeTerm(term, labels),
    ),
    preferredDuringSchedulingIgnoredDuringExecution: mapKeeping(
      affinity.preferredDuringSchedulingIgnoredDuringExecution,
      (weighted) => withMembers(weighted, { podAffinityTerm: mergeTerm(weighted.podAffinityTerm, labels) }),
    ),
  });
}

function mergeTerm(term: PodAffinityTerm, labels: Labels): PodAffinityTerm {
  const matched = withRequirements(term.labelSelector, term.matchLabelKeys, 'In', labels);
  return withMembers(term, { labelSelector: withRequirements(matched, term.mismatchLabelKeys, 'NotIn', labels) });
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
