import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, tooLong, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  dnsLabelProblems,
  domainPathErrors,
  IMMUTABLE,
  labelSelector,
  notNegative,
  sameJson,
  selectorMatches,
  sortedByKey,
  unchanged,
} from './checks.ts';
import { internalJson } from './internal-json.ts';
import { failurePolicyErrors, INDEXED_NEEDED, successErrors } from './job-policies.ts';
import { specOf, templateErrors } from './workloads.ts';

/** Checks of jobs (pkg/apis/batch/validation). */

export function jobErrors(job: JsonObject): FieldError[] {
  const spec = specOf(job);
  return [...generatedErrors(job, spec), ...selectedSpecErrors(spec), ...hostnameErrors(job, spec)];
}

/** The spec of a job with its selector, but without the rules for selectors that are made (ValidateJobSpec). */
export function selectedSpecErrors(spec: JsonObject): FieldError[] {
  const selector = objectAt(spec, 'selector');
  const values = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels') ?? {};
  const errors = jobSpecErrors('spec', spec);
  if (selector === undefined) errors.push(requiredValue('spec.selector'));
  else errors.push(...labelSelector('spec.selector', selector));
  return [...errors, ...matchErrors(selector, values)];
}

function matchErrors(selector: JsonObject | undefined, values: JsonObject): FieldError[] {
  if (labelSelector('', selector).length > 0) return [];
  if (selector !== undefined && selectorMatches(selector, values)) return [];
  const shown = Object.keys(values).length === 0 ? null : sortedByKey(values);
  return [invalidValue('spec.template.metadata.labels', shown, '`selector` does not match template `labels`')];
}

/** The pods of an indexed job are named after it and their index, and the longest of these names must be a label. */
function hostnameErrors(job: JsonObject, spec: JsonObject): FieldError[] {
  const completions = Number(spec['completions'] ?? 0);
  if (spec['completionMode'] !== 'Indexed' || completions <= 0) return [];
  const name = textAt(objectAt(job, 'metadata'), 'name');
  const longest = `${name}-${completions - 1}`;
  if (dnsLabelProblems(longest).length === 0) return [];
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

/** Unless the selector is the author's own, it is the one that was made for the job. */
function generatedErrors(job: JsonObject, spec: JsonObject): FieldError[] {
  const selector = objectAt(spec, 'selector');
  if (spec['manualSelector'] === true || selector === undefined) return [];
  const values = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels') ?? {};
  const metadata = objectAt(job, 'metadata');
  const [uid, name] = [textAt(metadata, 'uid'), textAt(metadata, 'name')];
  const wanted = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (values[key] === undefined) errors.push(requiredValue(field, `must be '${value}'`));
    else if (values[key] !== value) errors.push(invalidValue(field, sortedByKey(values), `must be '${value}'`));
  }
  if (labelSelector('', selector).length > 0 || selectorMatches(selector, wanted)) return errors;
  return [...errors, invalidValue('spec.selector', selector, '`selector` not auto-generated')];
}

const COUNTS = [
  ...['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
  ...['backoffLimitPerIndex', 'maxFailedIndexes'],
];

export function jobSpecErrors(field: string, spec: JsonObject): FieldError[] {
  const mode = spec['completionMode'];
  const errors = COUNTS.flatMap((name) => notNegative(`${field}.${name}`, spec[name]));
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined) {
    errors.push(requiredValue(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  errors.push(...managerErrors(`${field}.managedBy`, spec['managedBy']));
  if (mode !== undefined && !MODES.includes(String(mode))) {
    errors.push(unsupportedValue(`${field}.completionMode`, mode, MODES));
  }
  if (mode === 'Indexed') errors.push(...indexedErrors(field, spec));
  if (mode === undefined || mode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      if (spec[name] !== undefined) errors.push(invalidValue(`${field}.${name}`, spec[name], INDEXED_NEEDED));
    }
  }
  errors.push(...failurePolicyErrors(`${field}.podFailurePolicy`, spec), ...successErrors(field, spec));
  errors.push(...replacementErrors(`${field}.podReplacementPolicy`, spec));
  errors.push(...templateErrors(`${field}.template`, objectAt(spec, 'template') ?? {}));
  return [...errors, ...restartErrors(`${field}.template.spec.restartPolicy`, spec)];
}

const MODES = ['NonIndexed', 'Indexed'];
const PARALLELISM_MAX = 100_000;
const FAILED_INDEXES_MAX = 100_000;
/** Above so many completions, jobs with a back-off limit per index have tighter limits. */
const COMPLETIONS_SOFT_MAX = 100_000;
const TIGHT_MAX = 10_000;

function indexedErrors(field: string, spec: JsonObject): FieldError[] {
  const [completions, parallelism, failed] = ['completions', 'parallelism', 'maxFailedIndexes'].map((name) =>
    typeof spec[name] === 'number' ? spec[name] : undefined,
  );
  const errors: FieldError[] = [];
  const limit = (name: string, value: number | undefined, max: number, why: string): void => {
    if (value !== undefined && value > max) errors.push(invalidValue(`${field}.${name}`, value, why));
  };
  const atMost = (max: number): string => `must be less than or equal to ${max}`;
  if (completions === undefined) errors.push(requiredValue(`${field}.completions`, 'when completion mode is Indexed'));
  limit('parallelism', parallelism, PARALLELISM_MAX, `${atMost(PARALLELISM_MAX)} when completion mode is Indexed`);
  limit('maxFailedIndexes', failed, completions ?? Number.MAX_VALUE, 'must be less than or equal to completions');
  limit('maxFailedIndexes', failed, FAILED_INDEXES_MAX, atMost(FAILED_INDEXES_MAX));
  if ((completions ?? 0) <= COMPLETIONS_SOFT_MAX || spec['backoffLimitPerIndex'] === undefined) return errors;
  if (failed === undefined) {
    const why = `must be specified when completions is above ${COMPLETIONS_SOFT_MAX}`;
    errors.push(requiredValue(`${field}.maxFailedIndexes`, why));
  }
  const tight = `when completions are above ${COMPLETIONS_SOFT_MAX} and used with backoff limit per index`;
  limit('parallelism', parallelism, TIGHT_MAX, `${atMost(TIGHT_MAX)} ${tight}`);
  limit('maxFailedIndexes', failed, TIGHT_MAX, `${atMost(TIGHT_MAX)} ${tight}`);
  return errors;
}

const MANAGER_LENGTH_MAX = 63;

function managerErrors(field: string, name: JsonValue | undefined): FieldError[] {
  if (typeof name !== 'string') return [];
  const errors = domainPathErrors(field, name);
  if (Buffer.byteLength(name) <= MANAGER_LENGTH_MAX) return errors;
  return [...errors, tooLong(field, `may not be more than ${MANAGER_LENGTH_MAX} bytes`)];
}

function restartErrors(field: string, spec: JsonObject): FieldError[] {
  const policy = textAt(objectAt(objectAt(spec, 'template'), 'spec'), 'restartPolicy');
  if (policy === '' || policy === 'Always') return [requiredValue(field, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [unsupportedValue(field, policy, ['OnFailure', 'Never'])];
  if (objectAt(spec, 'podFailurePolicy') === undefined || policy === 'Never') return [];
  return [invalidValue(field, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}

function replacementErrors(field: string, spec: JsonObject): FieldError[] {
  const policy = spec['podReplacementPolicy'];
  if (policy === undefined) return [];
  const supported = objectAt(spec, 'podFailurePolicy') === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return supported.includes(String(policy)) ? [] : [unsupportedValue(field, policy, supported)];
}

export function jobUpdateErrors(job: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(job), specOf(old)];
  const errors = completionsErrors(spec, before);
  errors.push(...unchanged('spec.selector', spec['selector'], before['selector']));
  errors.push(...templateUpdateErrors(spec, before, old));
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) {
    if (sameJson(spec[name], before[name])) continue;
    errors.push(invalidValue(`spec.${name}`, internalPart(name, spec[name]), IMMUTABLE));
  }
  return errors;
}

const PART_TYPES: Readonly<Record<string, string>> = {
  podFailurePolicy: 'batch/v1.PodFailurePolicy',
  successPolicy: 'batch/v1.SuccessPolicy',
};

function internalPart(name: string, value: JsonValue | undefined): JsonValue | undefined {
  const type = PART_TYPES[name];
  return type === undefined || value === undefined ? value : internalJson(type, value);
}

/** The completions of an indexed job may change together with its parallelism. */
function completionsErrors(spec: JsonObject, before: JsonObject): FieldError[] {
  const [completions, was] = [spec['completions'], before['completions']];
  if (spec['completionMode'] !== 'Indexed') return unchanged('spec.completions', completions, was);
  if (completions === was || completions === undefined || completions === spec['parallelism']) return [];
  return [invalidValue('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')];
}

/**
 * What places pods, and what resources they get, may change while the job is suspended: before it starts, or once its
 * controller has suspended it, and deleted all its pods.
 */
function templateUpdateErrors(spec: JsonObject, before: JsonObject, old: JsonObject): FieldError[] {
  const [now, then] = [objectAt(spec, 'template') ?? {}, objectAt(before, 'template') ?? {}];
  const status = objectAt(old, 'status') ?? {};
  const isSuspended = objectsAt(status, 'conditions').some(
    ({ type, status }) => type === 'Suspended' && status === 'True',
  );
  const isIdle = status['startTime'] === undefined || (isSuspended && !status['active']);
  if (before['suspend'] !== true || !isIdle) {
    if (sameJson(now, then)) return [];
    return [invalidValue('spec.template', internalTemplate(now), IMMUTABLE)];
  }
  const next = objectAt(now, 'spec') ?? {};
  if (sameJson(fixedPart(next), fixedPart(objectAt(then, 'spec') ?? {}))) return [];
  return [invalidValue('spec.template.spec', internalJson('core/v1.PodSpec', next), IMMUTABLE)];
}

/** A pod's spec without what may change while no pod runs: its placement and the resources of its containers. */
function fixedPart(podSpec: JsonObject): JsonObject {
  const { nodeSelector: _, tolerations: __, schedulingGates: ___, ...fixed } = podSpec;
  const { nodeAffinity: ____, ...affinity } = objectAt(fixed, 'affinity') ?? {};
  const containers = (name: string): JsonObject[] =>
    objectsAt(fixed, name).map(({ resources: _____, ...container }) => container);
  return {
    ...fixed,
    affinity: Object.keys(affinity).length === 0 ? null : affinity,
    containers: containers('containers'),
    initContainers: containers('initContainers'),
  };
}

function internalTemplate(template: JsonObject | undefined): JsonValue {
  const metadata = objectAt(template, 'metadata') ?? {};
  return { ...metadata, Spec: internalJson('core/v1.PodSpec', template?.['spec']) };
}
