import { hasTrueCondition, type Job, type JobSpec } from '../job.ts';
import type { Container, PodSpec } from '../pod.ts';
import type { PodTemplate } from '../pod-template.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import type { Problem } from './check.ts';
import { immutable, invalidValue } from './field-error.ts';
import { validateJobSpec } from './job-spec.ts';

const IMMUTABLE = [
  ...(['selector', 'completionMode', 'podFailurePolicy', 'backoffLimitPerIndex'] as const),
  ...(['managedBy', 'successPolicy'] as const),
];

/**
 * What the API's rules say against `job`, of the right shape, defaulted and prepared, taking the place of `stored`.
 * Upstream: ValidateJobUpdate in pkg/apis/batch/validation/validation.go.
 */
export function validateJobUpdate(job: Job, stored: Job): Problem[] {
  const problems: Problem[] = [];
  const { spec = {} } = job;
  const { spec: storedSpec = {} } = stored;
  validateJobSpec(spec, 'spec', problems);
  validateCompletions(spec, storedSpec, problems);
  if (!semanticallyEqual(spec.template, withMutableParts(stored, spec.template))) {
    problems.push(immutable('spec.template', spec.template));
  }
  for (const name of IMMUTABLE) {
    if (!semanticallyEqual(spec[name], storedSpec[name])) problems.push(immutable(`spec.${name}`, spec[name]));
  }
  return problems;
}

/** An indexed Job is elastic: its completions may change as long as all of them run at once. */
function validateCompletions(spec: JobSpec, stored: JobSpec, problems: Problem[]): void {
  if (spec.completions === stored.completions) return;
  if (spec.completionMode !== 'Indexed') problems.push(immutable('spec.completions', spec.completions));
  // That an indexed Job without completions is wrong is said elsewhere.
  else if (spec.completions !== undefined && spec.completions !== spec.parallelism) {
    const rule = 'can only be modified in tandem with spec.parallelism';
    problems.push(invalidValue('spec.completions', spec.completions, rule));
  }
}

/**
 * The stored template with the parts of the new one that may change while the Job is suspended and none of its pods
 * runs: where the pods may go, and what they ask for.
 */
function withMutableParts(stored: Job, next: PodTemplate | undefined): PodTemplate | undefined {
  const template = stored.spec?.template;
  if (template === undefined || next === undefined || !isAtRest(stored)) return template;
  const { spec: nextSpec = {}, metadata: nextMetadata = {} } = next;
  const spec: PodSpec = {
    ...template.spec,
    affinity: affinityFrom(template.spec ?? {}, nextSpec),
    nodeSelector: nextSpec.nodeSelector,
    tolerations: nextSpec.tolerations,
    schedulingGates: nextSpec.schedulingGates,
    containers: withResources(template.spec?.containers, nextSpec.containers),
    initContainers: withResources(template.spec?.initContainers, nextSpec.initContainers),
  };
  const { labels, annotations } = nextMetadata;
  return { ...template, metadata: { ...template.metadata, labels, annotations }, spec };
}

/** It never started, or has come to rest again. */
function isAtRest(job: Job): boolean {
  if (job.spec?.suspend !== true || (job.status?.active ?? 0) > 0) return false;
  return job.status?.startTime === undefined || hasTrueCondition(job, 'Suspended');
}

/** Only the affinity to nodes may change. */
function affinityFrom(stored: PodSpec, next: PodSpec): PodSpec['affinity'] {
  return { ...stored.affinity, nodeAffinity: next.affinity?.nodeAffinity };
}

function withResources(
  stored: readonly Container[] | undefined,
  next: readonly Container[] | undefined,
): readonly Container[] | undefined {
  return stored?.map((container, index) => ({ ...container, resources: next?.[index]?.resources }));
}
