import { hasTrueCondition, type Job, type JobSpec } from '../job.ts';
import { CONTROLLER_UID_KEY, JOB_NAME_KEY } from '../job-defaults.ts';
import type { Container, PodSpec } from '../pod.ts';
import type { PodTemplate } from '../pod-template.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import type { Problem } from './check.ts';
import { immutable, invalidValue } from './field-error.ts';
import { validateJob } from './job.ts';

/**
 * The problems of `job`, of the right shape, defaulted and prepared, in place of `stored`: those of a new Job, and
 * those of the change. Upstream: ValidateUpdate in pkg/registry/batch/job/strategy.go, ValidateJobUpdate in
 * pkg/apis/batch/validation/validation.go.
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

/** Whether the stored Job has the prefixed labels, which Jobs of older versions lack. */
function hasPrefixedLabels({ spec }: Job): boolean {
  const labels = spec?.template?.metadata?.labels ?? {};
  return labels[JOB_NAME_KEY] !== undefined && labels[CONTROLLER_UID_KEY] !== undefined;
}

/** Checks completions: those of an indexed Job may change together with its parallelism. */
function validateCompletions(spec: JobSpec, stored: JobSpec, problems: Problem[]): void {
  if (spec.completions === stored.completions) return;
  if (spec.completionMode !== 'Indexed') problems.push(immutable('spec.completions', spec.completions));
  // An indexed Job without completions is refused by another check.
  else if (spec.completions !== undefined && spec.completions !== spec.parallelism) {
    const rule = 'can only be modified in tandem with spec.parallelism';
    problems.push(invalidValue('spec.completions', spec.completions, rule));
  }
}

/**
 * Checks that the template is unchanged. Only while the Job is suspended, and none of its pods runs, may its metadata
 * change, and where the pods go and what they request.
 */
function validateTemplate(next: PodTemplate | undefined, stored: Job, problems: Problem[]): void {
  const template = stored.spec?.template;
  if (!isAtRest(stored)) {
    if (!semanticallyEqual(next, template)) problems.push(immutable('spec.template', next));
  } else if (!semanticallyEqual(next?.spec, withMutableParts(template?.spec ?? {}, next?.spec ?? {}))) {
    problems.push(immutable('spec.template.spec', next?.spec));
  }
}

/** Whether the Job never started, or is suspended without active pods. */
function isAtRest(job: Job): boolean {
  if (job.spec?.suspend !== true || (job.status?.active ?? 0) > 0) return false;
  return job.status?.startTime === undefined || hasTrueCondition(job, 'Suspended');
}

/** The stored spec with the parts of the new one that may change. */
function withMutableParts(stored: PodSpec, next: PodSpec): PodSpec {
  return {
    ...stored,
    // Of the affinity, only the part for nodes may change.
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
