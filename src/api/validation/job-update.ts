import { hasTrueCondition, type Job, type JobSpec } from '../job.ts';
import { CONTROLLER_UID_KEY, JOB_NAME_KEY } from '../job-defaults.ts';
import type { Container, PodSpec } from '../pod.ts';
import type { PodTemplate } from '../pod-template.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import type { Problem } from './check.ts';
import { immutable, invalidValue } from './field-error.ts';
import { validateJob } from './job.ts';

/**
 * What the API's rules say against `job`, of the right shape, defaulted and prepared, taking the place of `stored`:
 * those for a new Job, and those for the change. Upstream: ValidateUpdate in pkg/registry/batch/job/strategy.go,
 * ValidateJobUpdate in pkg/apis/batch/validation/validation.go.
 */
export function validateJobUpdate(job: Job, stored: Job): Problem[] {
  const problems = validateJob(job, hasPrefixedLabels(stored));
  const { spec = {} } = job;
  const { spec: storedSpec = {} } = stored;
  validateCompletions(spec, storedSpec, problems);
  refuseChange('selector', spec, storedSpec, problems);
  validateTemplate(spec.template, stored, problems);
  for (const name of IMMUTABLE) refuseChange(name, spec, storedSpec, problems);
  return problems;
}

const IMMUTABLE = ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const;

function refuseChange(name: keyof JobSpec, spec: JobSpec, stored: JobSpec, problems: Problem[]): void {
  if (!semanticallyEqual(spec[name], stored[name])) problems.push(immutable(`spec.${name}`, spec[name]));
}

/** Jobs from before labels had to have a prefix need not have those. */
function hasPrefixedLabels({ spec }: Job): boolean {
  const labels = spec?.template?.metadata?.labels ?? {};
  return labels[JOB_NAME_KEY] !== undefined && labels[CONTROLLER_UID_KEY] !== undefined;
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
 * The template of a Job stands, except while the Job is suspended and none of its pods runs. Then it may change where
 * the pods go and what they ask for, and all of its metadata.
 */
function validateTemplate(next: PodTemplate | undefined, stored: Job, problems: Problem[]): void {
  const template = stored.spec?.template;
  if (!isAtRest(stored)) {
    if (!semanticallyEqual(next, template)) problems.push(immutable('spec.template', next));
  } else if (!semanticallyEqual(next?.spec, withMutableParts(template?.spec ?? {}, next?.spec ?? {}))) {
    problems.push(immutable('spec.template.spec', next?.spec));
  }
}

/** It never started, or has come to rest again. */
function isAtRest(job: Job): boolean {
  if (job.spec?.suspend !== true || (job.status?.active ?? 0) > 0) return false;
  return job.status?.startTime === undefined || hasTrueCondition(job, 'Suspended');
}

/** The stored spec with those parts of the new one that may change. */
function withMutableParts(stored: PodSpec, next: PodSpec): PodSpec {
  return {
    ...stored,
    // Only the affinity to nodes.
    affinity: { ...stored.affinity, nodeAffinity: next.affinity?.nodeAffinity },
    nodeSelector: next.nodeSelector,
    tolerations: next.tolerations,
    schedulingGates: next.schedulingGates,
    containers: withResources(stored.containers, next.containers),
    initContainers: withResources(stored.initContainers, next.initContainers),
  };
}

function withResources(
  stored: readonly Container[] | undefined,
  next: readonly Container[] | undefined,
): readonly Container[] | undefined {
  return stored?.map((container, index) => ({ ...container, resources: next?.[index]?.resources }));
}
