import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { duplicate, notNegative, sameJson } from './checks.ts';
import { internalJson } from './internal-json.ts';
import { firstOverlap, indexesOf } from './job-indexes.ts';
import { specOf } from './workloads.ts';

/**
 * Checks of what controllers report of jobs (pkg/apis/batch/validation, ValidateJobStatusUpdate). Most rules hold only
 * for what a write changes: the rest of a status is the business of others.
 */

/** A status, read: its conditions that are true, and its numbers. */
interface Reading {
  readonly status: JsonObject;
  readonly has: (condition: string) => boolean;
  readonly count: (name: string) => number;
  readonly isFinished: boolean;
}

function readingOf(job: JsonObject): Reading {
  const status = objectAt(job, 'status') ?? {};
  const conditions = objectsAt(status, 'conditions').filter((condition) => condition['status'] === 'True');
  const has = (type: string): boolean => conditions.some((condition) => condition['type'] === type);
  return {
    status,
    has,
    count: (name) => Number(status[name] ?? 0),
    isFinished: has('Complete') || has('Failed'),
  };
}

export function jobStatusErrors(job: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [readingOf(job), readingOf(old)];
  return [
    ...['active', 'succeeded', 'failed', 'ready', 'terminating'].flatMap((name) =>
      notNegative(`status.${name}`, now.status[name]),
    ),
    ...uncountedErrors(objectAt(now.status, 'uncountedTerminatedPods')),
    ...conditionErrors(now, before),
    ...finishedErrors(now, before),
    ...indexErrors(specOf(job), now, before),
    ...countErrors(now, before),
    ...successErrors(specOf(job), now),
    ...transitionErrors(specOf(job), now, before),
  ];
}

/** Problems of the conditions as a whole are told without a value. */
function ofConditions(why: string): FieldError {
  return { reason: 'FieldValueInvalid', field: 'status.conditions', message: `Invalid value: ${why}` };
}

function isChanged(now: Reading, before: Reading, ...names: readonly string[]): boolean {
  return names.some((name) => !sameJson(now.status[name], before.status[name]));
}

function isTurned(now: Reading, before: Reading, ...conditions: readonly string[]): boolean {
  return conditions.some((condition) => now.has(condition) !== before.has(condition));
}

function uncountedErrors(uncounted: JsonObject | undefined): FieldError[] {
  const seen = new Set<string>();
  return ['succeeded', 'failed'].flatMap((name) => {
    const list = uncounted?.[name];
    return (Array.isArray(list) ? list.map(String) : []).flatMap((uid, i) => {
      const at = `status.uncountedTerminatedPods.${name}[${i}]`;
      if (uid === '') return [invalidValue(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    });
  });
}

/** Which conditions go together, and when a job is complete. */
function conditionErrors(now: Reading, before: Reading): FieldError[] {
  const { status, has } = now;
  const errors: FieldError[] = [];
  const [start, end] = [textAt(status, 'startTime'), textAt(status, 'completionTime')];
  const at = 'status.completionTime';
  if (has('Complete') && has('Failed') && isTurned(now, before, 'Complete', 'Failed')) {
    errors.push(ofConditions('cannot set Complete=True and Failed=true conditions'));
  }
  if (has('Complete') && has('FailureTarget') && isTurned(now, before, 'Complete', 'FailureTarget')) {
    errors.push(ofConditions('cannot set Complete=True and FailureTarget=true conditions'));
  }
  if (isTurned(now, before, 'Complete') || isChanged(now, before, 'completionTime')) {
    if (end !== '' && !has('Complete')) {
      const why = 'cannot set completionTime when there is no Complete=True condition';
      errors.push(invalidValue(at, end, why));
    }
    if (end === '' && has('Complete')) errors.push(requiredValue(at, 'completionTime is required for Complete jobs'));
  }
  const isBefore = start !== '' && end !== '' && Date.parse(end) < Date.parse(start);
  if (isBefore && isChanged(now, before, 'startTime', 'completionTime')) {
    errors.push(invalidValue(at, end, 'must be equal to or after `startTime`'));
  }
  const mayFail = !isTurned(now, before, 'Failed') && !isChanged(now, before, 'failedIndexes');
  if (has('Failed') && !has('FailureTarget') && !mayFail) {
    errors.push(ofConditions('cannot set Failed=True condition without the FailureTarget=true condition'));
  }
  if (has('Complete') && !has('SuccessCriteriaMet') && isTurned(now, before, 'Complete', 'SuccessCriteriaMet')) {
    errors.push(ofConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition'));
  }
  return errors;
}

/** What a finished job has no more. */
function finishedErrors(now: Reading, before: Reading): FieldError[] {
  if (!now.isFinished) return [];
  const isNew = !before.isFinished;
  const errors: FieldError[] = [];
  const active = now.count('active');
  if (active > 0 && (isNew || isChanged(now, before, 'active'))) {
    errors.push(invalidValue('status.active', active, 'active>0 is invalid for finished job'));
  }
  if (textAt(now.status, 'startTime') === '' && (isNew || isChanged(now, before, 'startTime'))) {
    errors.push(requiredValue('status.startTime', 'startTime is required for finished job'));
  }
  const uncounted = objectAt(now.status, 'uncountedTerminatedPods');
  const isEmpty = ['succeeded', 'failed'].every((name) => !Array.isArray(uncounted?.[name]) || !uncounted[name].length);
  if (isEmpty || !(isNew || isChanged(now, before, 'uncountedTerminatedPods'))) return errors;
  const shown = internalJson('batch/v1.UncountedTerminatedPods', uncounted);
  return [...errors, invalidValue('status.uncountedTerminatedPods', shown, 'must be empty for finished job')];
}

function indexErrors(spec: JsonObject, now: Reading, before: Reading): FieldError[] {
  const completions = typeof spec['completions'] === 'number' ? spec['completions'] : undefined;
  const hasLimit = spec['backoffLimitPerIndex'] !== undefined;
  const completed = textAt(now.status, 'completedIndexes');
  const failed = typeof now.status['failedIndexes'] === 'string' ? now.status['failedIndexes'] : undefined;
  const [isNewlyCompleted, isNewlyFailed] = ['completedIndexes', 'failedIndexes'].map((name) =>
    isChanged(now, before, name),
  );
  const errors: FieldError[] = [];
  const refuse = (name: string, value: string, why: string | undefined): void => {
    if (why !== undefined) errors.push(invalidValue(`status.${name}`, value, why));
  };
  const parsed = (name: string, text: string): void => {
    const { problem } = indexesOf(text, completions ?? 0);
    if (problem !== undefined) refuse(name, text, `error parsing ${name}: ${problem}`);
  };
  if (isNewlyCompleted && completions !== undefined) parsed('completedIndexes', completed);
  if (isNewlyFailed && completions !== undefined && hasLimit && failed !== undefined) parsed('failedIndexes', failed);
  if (isNewlyCompleted && completed !== '' && spec['completionMode'] !== 'Indexed') {
    refuse('completedIndexes', completed, 'cannot set non-empty completedIndexes when non-indexed completion mode');
  }
  if (failed === undefined) return errors;
  if (isNewlyFailed && !hasLimit) {
    refuse('failedIndexes', failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  }
  if (completions === undefined || !(isNewlyCompleted || isNewlyFailed)) return errors;
  const index = firstOverlap(completed, failed, completions);
  if (index === undefined) return errors;
  refuse('failedIndexes', failed, `failedIndexes and completedIndexes overlap at index: ${index}`);
  return errors;
}

function countErrors(now: Reading, before: Reading): FieldError[] {
  const [terminating, ready] = [now.count('terminating'), now.count('ready')];
  const isNew = now.isFinished !== before.isFinished;
  const errors: FieldError[] = [];
  if (terminating > 0 && now.isFinished && (isNew || isChanged(now, before, 'terminating'))) {
    errors.push(invalidValue('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  if (ready > now.count('active') && isChanged(now, before, 'ready', 'active')) {
    errors.push(invalidValue('status.ready', ready, 'cannot set more ready pods than active'));
  }
  return errors;
}

function successErrors(spec: JsonObject, { has }: Reading): FieldError[] {
  const isMet = has('SuccessCriteriaMet');
  const errors: FieldError[] = [];
  for (const condition of ['Failed', 'FailureTarget']) {
    if (!isMet || !has(condition)) continue;
    errors.push(ofConditions(`cannot set SuccessCriteriaMet=True and ${condition}=true conditions`));
  }
  if (spec['successPolicy'] === undefined || isMet || !has('Complete')) return errors;
  const why = 'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
  return [...errors, ofConditions(why)];
}

/** What is never taken back. */
function transitionErrors(spec: JsonObject, now: Reading, before: Reading): FieldError[] {
  const errors: FieldError[] = [];
  for (const condition of ['Failed', 'Complete', 'FailureTarget']) {
    if (!before.has(condition) || now.has(condition)) continue;
    errors.push(ofConditions(`cannot disable the terminal ${condition}=True condition`));
  }
  const mayShrink = spec['completionMode'] === 'Indexed' && spec['completions'] === spec['parallelism'];
  for (const name of mayShrink ? ['failed'] : ['failed', 'succeeded']) {
    if (now.count(name) >= before.count(name)) continue;
    errors.push(invalidValue(`status.${name}`, now.count(name), `cannot decrease the ${name} counter`));
  }
  const [end, endBefore] = [now, before].map(({ status }) => textAt(status, 'completionTime'));
  if (end !== '' && endBefore !== '' && end !== endBefore) {
    errors.push(invalidValue('status.completionTime', end, 'field is immutable'));
  }
  const hadStart = textAt(before.status, 'startTime') !== '';
  if (hadStart && isChanged(now, before, 'startTime') && spec['suspend'] !== true) {
    errors.push(requiredValue('status.startTime', 'startTime cannot be removed for unsuspended job'));
  }
  const [isMet, wasMet] = [now.has('SuccessCriteriaMet'), before.has('SuccessCriteriaMet')];
  if (wasMet && !isMet) errors.push(ofConditions('cannot disable the SuccessCriteriaMet=True condition'));
  if (!before.has('Complete') || wasMet || !isMet) return errors;
  const why = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
  return [...errors, ofConditions(why)];
}
