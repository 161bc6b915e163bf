/** Rules for updates of a pod. Upstream: ValidatePodUpdate in pkg/apis/core/validation/validation.go. */
import type { NodeAffinity, NodeSelectorTerm } from '../node-selector.ts';
import type { Container, Pod, PodSpec } from '../pod.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import type { Problem } from './check.ts';
import { forbidden, invalidValue, requiredValue } from './field-error.ts';

/** The problems of `pod`, which is checked and has its defaults, in place of `stored`. */
export function validatePodUpdate(pod: Pod, stored: Pod): Problem[] {
  const { spec = {} } = pod;
  const { spec: storedSpec = {} } = stored;
  const problems: Problem[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    if (spec[list]?.length === storedSpec[list]?.length) validateImages(spec[list], `spec.${list}`, problems);
    else problems.push(forbidden(`spec.${list}`, 'pod updates may not add or remove containers'));
  }
  if (problems.length > 0) return problems;
  validateDeadline(spec, storedSpec, problems);
  validateTolerations(spec, storedSpec, problems);
  validateGates(spec, storedSpec, problems);
  if (!semanticallyEqual(withMutableParts(storedSpec, spec), spec)) {
    const mutable = '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,';
    const more = '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`';
    const rule = `pod updates may not change fields other than ${mutable}${more}`;
    problems.push(forbidden('spec', `${rule} (allow it to be set to 1 if it was previously negative)`));
  }
  return problems;
}

function validateImages(containers: readonly Container[] | undefined, field: string, problems: Problem[]): void {
  for (const [index, { image }] of (containers ?? []).entries()) {
    if (image === '') problems.push(requiredValue(`${field}[${index}].image`));
  }
}

/** Checks that a deadline is only added or shortened. */
function validateDeadline(spec: PodSpec, stored: PodSpec, problems: Problem[]): void {
  const field = 'spec.activeDeadlineSeconds';
  const [before, after] = [stored.activeDeadlineSeconds, spec.activeDeadlineSeconds];
  if (before === undefined) return;
  if (after === undefined)
    problems.push(invalidValue(field, null, 'must not update from a positive integer to nil value'));
  else if (after > before) problems.push(invalidValue(field, after, `must be less than or equal to previous value`));
}

/** Checks that tolerations are only added, or change in their time. */
function validateTolerations(spec: PodSpec, stored: PodSpec, problems: Problem[]): void {
  const tolerations = spec.tolerations ?? [];
  const kept = (stored.tolerations ?? []).every((before) =>
    tolerations.some((after) => semanticallyEqual({ ...after, tolerationSeconds: before.tolerationSeconds }, before)),
  );
  if (kept) return;
  problems.push(forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'));
}

/** Checks that scheduling gates are only removed. While there is one, node selection may become narrower. */
function validateGates(spec: PodSpec, stored: PodSpec, problems: Problem[]): void {
  const known = new Set(stored.schedulingGates?.map(({ name }) => name));
  const added = spec.schedulingGates?.find(({ name }) => !known.has(name));
  if (added !== undefined) {
    const rule = `only deletion is allowed, but found new scheduling gate '${added.name}'`;
    problems.push(forbidden('spec.schedulingGates', rule));
  }
  if (known.size === 0) return;
  const selector = Object.entries(stored.nodeSelector ?? {});
  if (selector.some(([key, value]) => spec.nodeSelector?.[key] !== value)) {
    problems.push(invalidValue('spec.nodeSelector', spec.nodeSelector, 'only additions are allowed'));
  }
  if (!isNarrower(spec.affinity?.nodeAffinity, stored.affinity?.nodeAffinity)) {
    problems.push(
      invalidValue('spec.affinity.nodeAffinity', spec.affinity?.nodeAffinity, 'only additions are allowed'),
    );
  }
}

/** Whether the required terms only become narrower. None may be added, since a node has to match only one term. */
function isNarrower(after: NodeAffinity | undefined, before: NodeAffinity | undefined): boolean {
  const termsBefore = before?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const terms = after?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (termsBefore.length === 0) return true;
  return terms.length === termsBefore.length && terms.every((term, i) => demandsAll(term, termsBefore[i] ?? {}));
}

function demandsAll(term: NodeSelectorTerm, before: NodeSelectorTerm): boolean {
  return (['matchExpressions', 'matchFields'] as const).every((list) =>
    (before[list] ?? []).every((demand) => term[list]?.some((other) => semanticallyEqual(other, demand))),
  );
}

/** The stored spec with the parts of the new one that may differ; other checks restrict how. */
function withMutableParts(stored: PodSpec, next: PodSpec): PodSpec {
  const isGated = (stored.schedulingGates?.length ?? 0) > 0;
  const grace = next.terminationGracePeriodSeconds;
  return {
    ...stored,
    containers: withImages(stored.containers, next.containers),
    initContainers: withImages(stored.initContainers, next.initContainers),
    activeDeadlineSeconds: next.activeDeadlineSeconds,
    tolerations: next.tolerations,
    schedulingGates: next.schedulingGates,
    ...(isGated && {
      nodeSelector: next.nodeSelector,
      affinity: { ...stored.affinity, nodeAffinity: next.affinity?.nodeAffinity },
    }),
    ...((stored.terminationGracePeriodSeconds ?? 0) < 0 && grace === 1 && { terminationGracePeriodSeconds: grace }),
  };
}

function withImages(
  stored: readonly Container[] | undefined,
  next: readonly Container[] | undefined,
): readonly Container[] | undefined {
  return stored?.map((container, index) => ({ ...container, image: next?.[index]?.image }));
}
