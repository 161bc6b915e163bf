import type { Job } from '../job.ts';
import { CONTROLLER_UID_KEY, JOB_NAME_KEY } from '../job-defaults.ts';
import { compileLabelSelector } from '../label-selector.ts';
import { type Problem, problemsOf } from './check.ts';
import { invalidValue, requiredValue } from './field-error.ts';
import { validateJobSpec } from './job-spec.ts';
import { labels, objectMeta } from './metadata.ts';
import { dnsLabel } from './names.ts';
import { podTemplate } from './pod-template.ts';
import { labelSelector } from './selectors.ts';
import {
  all,
  arrayOf,
  boolean,
  INT32_MAX,
  INT32_MIN,
  int64,
  integer,
  object,
  oneOf,
  present,
  required,
  string,
  timestamp,
} from './shapes.ts';
import { storedMetadata } from './stored-metadata.ts';

const int32 = integer(INT32_MIN, INT32_MAX);
const strings = arrayOf(string);

const podFailurePolicy = object({
  rules: arrayOf(
    object({
      action: required(string),
      onExitCodes: object({ containerName: string, operator: required(string), values: arrayOf(int32) }),
      onPodConditions: arrayOf(object({ type: required(string), status: string })),
    }),
  ),
});

export const jobSpecShape = object({
  parallelism: int32,
  completions: int32,
  activeDeadlineSeconds: int64,
  podFailurePolicy,
  successPolicy: object({ rules: arrayOf(object({ succeededIndexes: string, succeededCount: int32 })) }),
  backoffLimit: int32,
  backoffLimitPerIndex: int32,
  maxFailedIndexes: int32,
  selector: labelSelector,
  manualSelector: boolean,
  template: required(podTemplate),
  ttlSecondsAfterFinished: int32,
  completionMode: string,
  suspend: boolean,
  podReplacementPolicy: string,
  managedBy: string,
});

const status = object({
  conditions: arrayOf(object({ type: required(string), status: required(string), reason: string, message: string })),
  startTime: timestamp,
  completionTime: timestamp,
  active: int32,
  ready: int32,
  terminating: int32,
  succeeded: int32,
  failed: int32,
  completedIndexes: string,
  failedIndexes: string,
  uncountedTerminatedPods: object({ succeeded: strings, failed: strings }),
});

const job = present(
  object({
    apiVersion: oneOf('apiVersion', 'batch/v1'),
    kind: oneOf('kind', 'Job'),
    metadata: all(objectMeta, storedMetadata),
    spec: required(jobSpecShape),
    status,
  }),
);

/** The shape problems of a Job of unknown origin: fields of the wrong type, names of the wrong form. */
export function jobShapeProblems(value: unknown, path = ''): Problem[] {
  return problemsOf(job, value, path);
}

/** The shape problems of the status alone; the rest is taken from the stored Job. */
export function jobStatusShapeProblems(value: unknown): Problem[] {
  return problemsOf(status, value, 'status');
}

/**
 * The problems of a defaulted and prepared Job of the right shape; empty when it is valid. Upstream: ValidateJob in
 * pkg/apis/batch/validation/validation.go.
 *
 * `needsPrefixedLabels`: whether the pods must have the generated labels also in their prefixed form.
 */
export function validateJob(job: Job, needsPrefixedLabels = true): Problem[] {
  const problems: Problem[] = [];
  // The Job's name becomes a label value, for which it may be too long.
  labels(job.metadata?.labels, 'metadata.labels', problems);
  validateGeneratedSelector(job, needsPrefixedLabels, problems);
  validateJobSpec(job.spec ?? {}, 'spec', problems);
  validateHostnames(job, problems);
  return problems;
}

/** Checks that labels that the user set in place of generated ones have the same values. */
function validateGeneratedSelector(job: Job, needsPrefixedLabels: boolean, problems: Problem[]): void {
  const { metadata = {}, spec = {} } = job;
  if (spec.manualSelector === true || spec.selector === undefined) return;
  const { name = '', uid = '' } = metadata;
  if (uid === '') problems.push(requiredValue('metadata.uid'));
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    ...(needsPrefixedLabels && { [CONTROLLER_UID_KEY]: uid, [JOB_NAME_KEY]: name }),
  };
  const templateLabels = spec.template?.metadata?.labels;
  for (const [key, value] of Object.entries(expected)) {
    const field = `spec.template.metadata.labels[${key}]`;
    const actual = templateLabels?.[key];
    if (actual === undefined) problems.push(requiredValue(field, `must be '${value}'`));
    else if (actual !== value) problems.push(invalidValue(field, templateLabels, `must be '${value}'`));
  }
  const selector = compileLabelSelector(spec.selector);
  if ('matches' in selector && !selector.matches(expected)) {
    problems.push(invalidValue('spec.selector', spec.selector, '`selector` not auto-generated'));
  }
}

/** Checks hostnames by the pod of the last index, which has the longest one. */
function validateHostnames(job: Job, problems: Problem[]): void {
  const { completionMode, completions = 0 } = job.spec ?? {};
  if (completionMode !== 'Indexed' || completions <= 0) return;
  const name = job.metadata?.name ?? '';
  const hostname = `${name}-${completions - 1}`;
  if (problemsOf(dnsLabel, hostname).length === 0) return;
  const rule = `will not able to create pod with invalid DNS label: ${hostname}`;
  problems.push(invalidValue('metadata.name', name, rule));
}
