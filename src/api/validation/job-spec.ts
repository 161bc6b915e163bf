import type { JobSpec } from '../job.ts';
import { compileLabelSelector } from '../label-selector.ts';
import { SUBDOMAIN_PATTERN } from '../label-syntax.ts';
import type { Problem } from './check.ts';
import { invalidField, invalidValue, notNegative, requiredValue, tooLong, unsupportedValue } from './field-error.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './job-policies.ts';
import { labels } from './metadata.ts';

const INDEXED_PARALLELISM_MAX = 100_000;
const FAILED_INDEXES_MAX = 100_000;
/** With more completions than this, other limits must keep the lists of indexes in the status short. */
const MANY_COMPLETIONS = 100_000;
const MANY_COMPLETIONS_LIMIT = 10_000;
const MANAGED_BY_MAX_BYTES = 63;

const COMPLETION_MODES = ['NonIndexed', 'Indexed'];
const REPLACEMENT_POLICIES = ['Failed', 'TerminatingOrFailed'];

const COUNTS = [
  ...(['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit'] as const),
  ...(['ttlSecondsAfterFinished', 'backoffLimitPerIndex', 'maxFailedIndexes'] as const),
];

/**
 * Checks the rules between the fields of a defaulted spec whose fields have the right shape. Upstream: ValidateJobSpec
 * in pkg/apis/batch/validation/validation.go.
 */
export function validateJobSpec(spec: JobSpec, field: string, problems: Problem[]): void {
  for (const name of COUNTS) notNegative(spec[name], `${field}.${name}`, problems);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    problems.push(requiredValue(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  validateManagedBy(spec.managedBy, `${field}.managedBy`, problems);
  const { completionMode = 'NonIndexed' } = spec;
  if (completionMode === 'Indexed') validateIndexed(spec, field, problems);
  else if (completionMode === 'NonIndexed') validateNonIndexed(spec, field, problems);
  else problems.push(unsupportedValue(`${field}.completionMode`, completionMode, COMPLETION_MODES));
  if (spec.podFailurePolicy) validatePodFailurePolicy(spec, `${field}.podFailurePolicy`, problems);
  if (spec.successPolicy) {
    const path = `${field}.successPolicy`;
    if (completionMode === 'Indexed') validateSuccessPolicy(spec, path, problems);
    else problems.push(invalidValue(path, spec.successPolicy, 'requires indexed completion mode'));
  }
  validateReplacementPolicy(spec, `${field}.podReplacementPolicy`, problems);
  // The rest of the template was checked before labels were generated.
  labels(spec.template?.metadata?.labels, `${field}.template.metadata.labels`, problems);
  validateRestartPolicy(spec, `${field}.template.spec.restartPolicy`, problems);
  validateSelector(spec, field, problems);
}

function validateIndexed(spec: JobSpec, field: string, problems: Problem[]): void {
  const { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex } = spec;
  const tooLarge = (name: 'parallelism' | 'maxFailedIndexes', limit: string) =>
    problems.push(invalidValue(`${field}.${name}`, spec[name], `must be less than or equal to ${limit}`));
  if (completions === undefined) {
    problems.push(requiredValue(`${field}.completions`, 'when completion mode is Indexed'));
  }
  if (parallelism > INDEXED_PARALLELISM_MAX) {
    tooLarge('parallelism', `${INDEXED_PARALLELISM_MAX} when completion mode is Indexed`);
  }
  if (maxFailedIndexes !== undefined) {
    if (completions !== undefined && maxFailedIndexes > completions) tooLarge('maxFailedIndexes', 'completions');
    if (maxFailedIndexes > FAILED_INDEXES_MAX) tooLarge('maxFailedIndexes', `${FAILED_INDEXES_MAX}`);
  }
  if (completions === undefined || completions <= MANY_COMPLETIONS || backoffLimitPerIndex === undefined) return;
  const limit = `${MANY_COMPLETIONS_LIMIT} when completions are above ${MANY_COMPLETIONS}`;
  const withWhat = 'and used with backoff limit per index';
  if (maxFailedIndexes === undefined) {
    const rule = `must be specified when completions is above ${MANY_COMPLETIONS}`;
    problems.push(requiredValue(`${field}.maxFailedIndexes`, rule));
  }
  if (parallelism > MANY_COMPLETIONS_LIMIT) tooLarge('parallelism', `${limit} ${withWhat}`);
  if (maxFailedIndexes !== undefined && maxFailedIndexes > MANY_COMPLETIONS_LIMIT) {
    tooLarge('maxFailedIndexes', `${limit} ${withWhat}`);
  }
}

function validateNonIndexed(spec: JobSpec, field: string, problems: Problem[]): void {
  for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    if (spec[name] === undefined) continue;
    problems.push(invalidValue(`${field}.${name}`, spec[name], 'requires indexed completion mode'));
  }
}

const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** Checks a domain-prefixed path, `domain/path` (IsDomainPrefixedPath). */
function validateManagedBy(managedBy: string | undefined, field: string, problems: Problem[]): void {
  if (managedBy === undefined) return;
  const [domain = '', ...path] = managedBy.split('/');
  if (managedBy === '') problems.push(requiredValue(field));
  else if (path.length === 0 || domain === '' || path.join('/') === '') {
    problems.push(invalidValue(field, managedBy, 'must be a domain-prefixed path (such as "acme.io/foo")'));
  } else {
    if (!SUBDOMAIN_PATTERN.test(domain)) {
      const rule = 'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters';
      problems.push(invalidValue(field, domain, `${rule}, '-' or '.'`));
    }
    if (!PATH.test(path.join('/'))) {
      problems.push(invalidValue(field, path.join('/'), 'Invalid path'));
    }
  }
  if (managedBy.length > MANAGED_BY_MAX_BYTES) problems.push(tooLong(field, MANAGED_BY_MAX_BYTES));
}

function validateReplacementPolicy(spec: JobSpec, field: string, problems: Problem[]): void {
  const { podReplacementPolicy: policy } = spec;
  const supported = spec.podFailurePolicy ? ['Failed'] : REPLACEMENT_POLICIES;
  if (policy !== undefined && !supported.includes(policy)) problems.push(unsupportedValue(field, policy, supported));
}

function validateRestartPolicy(spec: JobSpec, field: string, problems: Problem[]): void {
  const policy = spec.template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') {
    problems.push(requiredValue(field, 'valid values: "OnFailure", "Never"'));
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    problems.push(unsupportedValue(field, policy, ['OnFailure', 'Never']));
  } else if (spec.podFailurePolicy && policy !== 'Never') {
    problems.push(invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

/** Checks that the Job selects the pods that it makes. */
function validateSelector(spec: JobSpec, field: string, problems: Problem[]): void {
  if (spec.selector === undefined) problems.push(requiredValue(`${field}.selector`));
  const selector = compileLabelSelector(spec.selector);
  const labels = spec.template?.metadata?.labels;
  if ('error' in selector) problems.push(invalidField(`${field}.selector`, selector.error));
  else if (!selector.matches(labels)) {
    const path = `${field}.template.metadata.labels`;
    problems.push(invalidValue(path, labels, '`selector` does not match template `labels`'));
  }
}
