import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  IMMUTABLE,
  labelSelector,
  notNegative,
  oneOf,
  sameJson,
  selectorMatches,
  sortedByKey,
  unchanged,
} from './checks.ts';
import { cronProblem } from './cron.ts';
import { internalJson } from './internal-json.ts';
import { specOf, templateErrors } from './workloads.ts';

/** Checks of jobs and cron jobs (pkg/apis/batch/validation). */

const INDEXED_NEEDED = 'requires indexed completion mode';

export function jobErrors(job: JsonObject): FieldError[] {
  const spec = specOf(job);
  const errors: FieldError[] = [];
  const selector = objectAt(spec, 'selector');
  const template = objectAt(spec, 'template') ?? {};
  const values = objectAt(objectAt(template, 'metadata'), 'labels') ?? {};
  if (selector === undefined) errors.push(requiredValue('spec.selector'));
  else errors.push(...labelSelector('spec.selector', selector));
  errors.push(...generatedErrors(job, spec, selector, values), ...matchErrors(selector, values));
  return [...errors, ...jobSpecErrors('spec', spec)];
}

function matchErrors(selector: JsonObject | undefined, values: JsonObject): FieldError[] {
  if (labelSelector('', selector).length > 0) return [];
  if (selector !== undefined && selectorMatches(selector, values)) return [];
  const shown = Object.keys(values).length === 0 ? null : sortedByKey(values);
  return [invalidValue('spec.template.metadata.labels', shown, '`selector` does not match template `labels`')];
}

/** The spec of a job with its selector, but without the rules for selectors that are made. */
export function selectedSpecErrors(spec: JsonObject): FieldError[] {
  const selector = objectAt(spec, 'selector');
  const values = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels') ?? {};
  const errors = selector === undefined ? [requiredValue('spec.selector')] : labelSelector('spec.selector', selector);
  return [...errors, ...matchErrors(selector, values), ...jobSpecErrors('spec', spec)];
}

/** Unless the selector is the author's own, it is the one that was made for the job. */
function generatedErrors(
  job: JsonObject,
  spec: JsonObject,
  selector: JsonObject | undefined,
  values: JsonObject,
): FieldError[] {
  if (spec['manualSelector'] === true) return [];
  const metadata = objectAt(job, 'metadata');
  const [uid, name] = [textAt(metadata, 'uid'), textAt(metadata, 'name')];
  const errors: FieldError[] = [];
  const wanted: readonly (readonly [string, string])[] = [
    ['controller-uid', uid],
    ['batch.kubernetes.io/controller-uid', uid],
    ['job-name', name],
    ['batch.kubernetes.io/job-name', name],
  ];
  for (const [key, value] of wanted) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (values[key] === undefined) errors.push(requiredValue(field, `must be '${value}'`));
    else if (values[key] !== value) errors.push(invalidValue(field, sortedByKey(values), `must be '${value}'`));
  }
  const made = { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } };
  if (!sameJson(selector, made)) {
    errors.push(invalidValue('spec.selector', selector ?? null, '`selector` not auto-generated'));
  }
  return errors;
}

function jobSpecErrors(field: string, spec: JsonObject): FieldError[] {
  const isIndexed = spec['completionMode'] === 'Indexed';
  const errors: FieldError[] = [];
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ]) {
    errors.push(...notNegative(`${field}.${name}`, spec[name]));
  }
  errors.push(...indexErrors(field, spec, isIndexed), ...managerErrors(`${field}.managedBy`, spec['managedBy']));
  const mode = spec['completionMode'];
  errors.push(...oneOf(`${field}.completionMode`, mode, ['NonIndexed', 'Indexed']));
  if (isIndexed && spec['completions'] === undefined) {
    errors.push(requiredValue(`${field}.completions`, `when completion mode is Indexed`));
  }
  errors.push(...failurePolicyErrors(`${field}.podFailurePolicy`, objectAt(spec, 'podFailurePolicy')));
  const success = objectAt(spec, 'successPolicy');
  if (success !== undefined) errors.push(...successErrors(`${field}.successPolicy`, success, isIndexed));
  errors.push(...replacementErrors(`${field}.podReplacementPolicy`, spec));
  const template = objectAt(spec, 'template') ?? {};
  errors.push(...templateErrors(`${field}.template`, template));
  const policy = textAt(objectAt(template, 'spec'), 'restartPolicy');
  const at = `${field}.template.spec.restartPolicy`;
  if (policy === '' || policy === 'Always') {
    errors.push(requiredValue(at, 'valid values: "OnFailure", "Never"'));
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.push(unsupportedValue(at, policy, ['OnFailure', 'Never']));
  } else if (objectAt(spec, 'podFailurePolicy') !== undefined && policy !== 'Never') {
    errors.push(invalidValue(at, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
  return errors;
}

function indexErrors(field: string, spec: JsonObject, isIndexed: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    errors.push(...notNegative(`${field}.${name}`, spec[name]));
    if (spec[name] === undefined) continue;
    if (name === 'maxFailedIndexes' && spec['backoffLimitPerIndex'] === undefined) {
      errors.push(requiredValue(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
    }
    if (!isIndexed) errors.push(invalidValue(`${field}.${name}`, spec[name], INDEXED_NEEDED));
  }
  return errors;
}

const MANAGER = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function managerErrors(field: string, name: JsonValue | undefined): FieldError[] {
  if (typeof name !== 'string' || MANAGER.test(name)) return [];
  return [invalidValue(field, name, 'must be a domain-prefixed path (such as "acme.io/foo")')];
}

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function failurePolicyErrors(field: string, policy: JsonObject | undefined): FieldError[] {
  return objectsAt(policy, 'rules').flatMap((rule, i) => {
    const at = `${field}.rules[${i}]`;
    const errors = oneOf(`${at}.action`, rule['action'], ACTIONS, true);
    const codes = objectAt(rule, 'onExitCodes');
    const conditions = objectsAt(rule, 'onPodConditions');
    if (codes !== undefined) errors.push(...exitCodeErrors(`${at}.onExitCodes`, codes));
    if (codes !== undefined && conditions.length > 0) {
      const message = 'Invalid value: specifying both OnExitCodes and OnPodConditions is not supported';
      errors.push({ reason: 'FieldValueInvalid', field: at, message });
    } else if (codes === undefined && conditions.length === 0) {
      const message = 'Invalid value: specifying one of OnExitCodes and OnPodConditions is required';
      errors.push({ reason: 'FieldValueInvalid', field: at, message });
    }
    return errors;
  });
}

function exitCodeErrors(field: string, codes: JsonObject): FieldError[] {
  const errors = oneOf(`${field}.operator`, codes['operator'], ['In', 'NotIn'], true);
  const values = Array.isArray(codes['values']) ? codes['values'] : [];
  if (values.length === 0) errors.push(invalidValue(`${field}.values`, [], 'at least one value is required'));
  for (const [i, value] of values.entries()) {
    if (codes['operator'] === 'In' && value === 0) {
      errors.push(invalidValue(`${field}.values[${i}]`, value, 'must not be 0 for the In operator'));
    }
  }
  return errors;
}

function successErrors(field: string, policy: JsonObject, isIndexed: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const rules = objectsAt(policy, 'rules');
  if (!isIndexed) {
    const shown = { Rules: rules.map((rule) => internalJson('batch/v1.SuccessPolicyRule', rule)) };
    return [invalidValue(field, shown, INDEXED_NEEDED)];
  }
  if (rules.length === 0)
    errors.push(
      requiredValue(`${field}.rules`, 'at least one rules must be specified when the successPolicy is specified'),
    );
  return errors;
}

function replacementErrors(field: string, spec: JsonObject): FieldError[] {
  const policy = spec['podReplacementPolicy'];
  if (spec['podFailurePolicy'] !== undefined && policy !== undefined) return oneOf(field, policy, ['Failed']);
  return oneOf(field, policy, ['Failed', 'TerminatingOrFailed']);
}

export function jobUpdateErrors(job: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [specOf(job), specOf(old)];
  const errors: FieldError[] = [];
  const mayChangeCompletions =
    spec['completionMode'] === 'Indexed' &&
    spec['completions'] === spec['parallelism'] &&
    typeof spec['completions'] === 'number';
  if (!mayChangeCompletions) errors.push(...unchanged('spec.completions', spec['completions'], before['completions']));
  errors.push(...unchanged('spec.selector', spec['selector'], before['selector']));
  if (!isSameTemplate(spec, before, old)) {
    const shown = internalTemplate(objectAt(spec, 'template'));
    errors.push(invalidValue('spec.template', shown, IMMUTABLE));
  }
  for (const name of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy']) {
    errors.push(...unchanged(`spec.${name}`, spec[name], before[name]));
  }
  return errors;
}

/** Placement may change while the job is suspended and has never run. */
function isSameTemplate(spec: JsonObject, before: JsonObject, old: JsonObject): boolean {
  const [now, then] = [objectAt(spec, 'template') ?? {}, objectAt(before, 'template') ?? {}];
  if (sameJson(now, then)) return true;
  const isSuspended = before['suspend'] === true && objectAt(old, 'status')?.['startTime'] === undefined;
  return isSuspended && sameJson(withoutPlacement(now), withoutPlacement(then));
}

function withoutPlacement(template: JsonObject): JsonObject {
  const {
    nodeSelector: _,
    tolerations: __,
    affinity: ___,
    schedulingGates: ____,
    ...spec
  } = objectAt(template, 'spec') ?? {};
  return { spec };
}

function internalTemplate(template: JsonObject | undefined): JsonValue {
  const metadata = objectAt(template, 'metadata') ?? {};
  return { ...metadata, Spec: internalJson('core/v1.PodSpec', template?.['spec']) };
}

const CRON_NAME_MAX = 52;

export function cronJobErrors(job: JsonObject): FieldError[] {
  const spec = specOf(job);
  const errors: FieldError[] = [];
  const schedule = textAt(spec, 'schedule');
  if (schedule === '') errors.push(requiredValue('spec.schedule'));
  else errors.push(...scheduleErrors(schedule, spec));
  const deadline = spec['startingDeadlineSeconds'];
  errors.push(...notNegative('spec.startingDeadlineSeconds', deadline), ...zoneErrors(spec['timeZone']));
  errors.push(...oneOf('spec.concurrencyPolicy', spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace'], true));
  errors.push(...jobSpecErrors('spec.jobTemplate.spec', objectAt(objectAt(spec, 'jobTemplate'), 'spec') ?? {}));
  for (const name of ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    errors.push(...notNegative(`spec.${name}`, spec[name]));
  }
  const name = textAt(objectAt(job, 'metadata'), 'name');
  if (name.length > CRON_NAME_MAX) {
    errors.push(invalidValue('metadata.name', name, `must be no more than ${CRON_NAME_MAX} characters`));
  }
  return errors;
}

function scheduleErrors(schedule: string, spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const problem = cronProblem(schedule);
  if (problem !== undefined) errors.push(invalidValue('spec.schedule', schedule, problem));
  if (/TZ/.test(schedule)) {
    const why =
      spec['timeZone'] === undefined
        ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
        : 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(invalidValue('spec.schedule', schedule, why));
  }
  return errors;
}

function zoneErrors(zone: JsonValue | undefined): FieldError[] {
  if (typeof zone !== 'string') return [];
  if (zone === '') return [invalidValue('spec.timeZone', zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local')
    return [invalidValue('spec.timeZone', zone, 'timeZone must be an explicit time zone')];
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return [];
  } catch {
    return [invalidValue('spec.timeZone', zone, `unknown time zone ${zone}`)];
  }
}
