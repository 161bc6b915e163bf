import { hasTrueCondition, isIndexedJob, isJobFinished, type Job, type JobStatus } from '../job.ts';
import type { Time } from '../meta.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import { millisOfTime } from '../time.ts';
import type { Problem } from './check.ts';
import { duplicateValue, invalidField, invalidValue, notNegative, requiredValue } from './field-error.ts';
import { countIndexes, firstCommonIndex } from './index-text.ts';

/** A Job status that is to replace the stored one, with its problems. */
class JobStatusChange {
  readonly job: Job;
  readonly stored: Job;
  readonly status: JobStatus;
  readonly storedStatus: JobStatus;
  readonly problems: Problem[] = [];

  constructor(job: Job, stored: Job) {
    this.job = job;
    this.stored = stored;
    this.status = job.status ?? {};
    this.storedStatus = stored.status ?? {};
  }

  has(conditionType: string): boolean {
    return hasTrueCondition(this.job, conditionType);
  }

  had(conditionType: string): boolean {
    return hasTrueCondition(this.stored, conditionType);
  }

  hasConditionChanged(type: string): boolean {
    return this.has(type) !== this.had(type);
  }

  hasChanged(...names: readonly (keyof JobStatus)[]): boolean {
    return names.some((name) => {
      const [before, after] = [this.storedStatus[name], this.status[name]];
      // Only an absent `active` counts as zero.
      return name === 'active' ? (before ?? 0) !== (after ?? 0) : !semanticallyEqual(before, after);
    });
  }

  refuse(name: string, value: unknown, rule: string): void {
    this.problems.push(invalidValue(`status.${name}`, value, rule));
  }

  refuseConditions(rule: string): void {
    this.problems.push(invalidField('status.conditions', rule));
  }

  require(name: string, rule: string): void {
    this.problems.push(requiredValue(`status.${name}`, rule));
  }
}

/**
 * The problems of the status of `job`, of the right shape, in place of that of `stored`. Most rules only check what
 * changes, since a status that is invalid already must not block other changes. Upstream: getStatusValidationOptions in
 * pkg/registry/batch/job/strategy.go and ValidateJobUpdateStatus in pkg/apis/batch/validation/validation.go.
 */
export function validateJobStatusUpdate(job: Job, stored: Job): Problem[] {
  const change = new JobStatusChange(job, stored);
  validateCounts(change);
  validateUncounted(change);
  validateComplete(change);
  validateTargets(change);
  validateFinished(change);
  validateIndexes(change);
  validatePodCounts(change);
  validateSuccessCriteria(change);
  validateLastingConditions(change);
  validateProgress(change);
  validateLastingTimes(change);
  validateLastingSuccess(change);
  return change.problems;
}

function validateCounts({ status, problems }: JobStatusChange): void {
  for (const name of ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const) {
    notNegative(status[name], `status.${name}`, problems);
  }
}

function validateUncounted({ status, problems }: JobStatusChange): void {
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (status.uncountedTerminatedPods?.[list] ?? []).entries()) {
      const field = `status.uncountedTerminatedPods.${list}[${index}]`;
      if (uid === '') problems.push(invalidValue(field, uid, 'must not be empty'));
      else if (seen.has(uid)) problems.push(duplicateValue(field, uid));
      seen.add(uid);
    }
  }
}

/** Conditions that a complete Job cannot have, with the API's messages. */
const NOT_WITH_COMPLETE = [
  ['Failed', 'cannot set Complete=True and Failed=true conditions'],
  ['FailureTarget', 'cannot set Complete=True and FailureTarget=true conditions'],
] as const;

function validateComplete(change: JobStatusChange): void {
  const { startTime, completionTime } = change.status;
  const isComplete = change.has('Complete');
  const isCompleteChanged = change.hasConditionChanged('Complete');
  for (const [other, rule] of NOT_WITH_COMPLETE) {
    if (!isComplete || !change.has(other)) continue;
    if (isCompleteChanged || change.hasConditionChanged(other)) change.refuseConditions(rule);
  }
  if (isCompleteChanged || change.hasChanged('completionTime')) {
    if (completionTime !== undefined && !isComplete) {
      const rule = 'cannot set completionTime when there is no Complete=True condition';
      change.refuse('completionTime', completionTime, rule);
    }
    if (completionTime === undefined && isComplete) {
      change.require('completionTime', 'completionTime is required for Complete jobs');
    }
  }
  if (change.hasChanged('startTime', 'completionTime') && isBefore(completionTime, startTime)) {
    change.refuse('completionTime', completionTime, 'completionTime cannot be set before startTime');
  }
}

/** Checks that each end is preceded by `FailureTarget` or `SuccessCriteriaMet`, which are kept afterwards. */
function validateTargets(change: JobStatusChange): void {
  const isFailureNews = change.hasConditionChanged('Failed') || hasFailedIndexesChanged(change);
  if (isFailureNews && change.has('Failed') && !change.has('FailureTarget')) {
    change.refuseConditions('cannot set Failed=True condition without the FailureTarget=true condition');
  }
  const isSuccessNews = change.hasConditionChanged('Complete') || change.hasConditionChanged('SuccessCriteriaMet');
  if (isSuccessNews && change.has('Complete') && !change.has('SuccessCriteriaMet')) {
    change.refuseConditions('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
}

function validateFinished(change: JobStatusChange): void {
  if (!isJobFinished(change.job)) return;
  const { active = 0, startTime, uncountedTerminatedPods } = change.status;
  if (isFinishedNewsOr(change, 'active') && active > 0) {
    change.refuse('active', active, 'active>0 is invalid for finished job');
  }
  const { suspend, completions } = change.job.spec ?? {};
  const neverStarts = suspend === true && completions === 0;
  if (isFinishedNewsOr(change, 'startTime') && startTime === undefined && !neverStarts) {
    change.require('startTime', 'startTime is required for finished job');
  }
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  if (succeeded.length + failed.length > 0 && isFinishedNewsOr(change, 'uncountedTerminatedPods')) {
    const rule = 'uncountedTerminatedPods needs to be empty for finished job';
    change.refuse('uncountedTerminatedPods', uncountedTerminatedPods, rule);
  }
}

function validateIndexes(change: JobStatusChange): void {
  const { completedIndexes = '', failedIndexes } = change.status;
  const { completions, backoffLimitPerIndex } = change.job.spec ?? {};
  const isCompletedChanged = (change.storedStatus.completedIndexes ?? '') !== completedIndexes;
  const isFailedChanged = hasFailedIndexesChanged(change);
  if (isCompletedChanged) validateFormat(change, 'completedIndexes', completedIndexes);
  if (isFailedChanged && failedIndexes !== undefined && backoffLimitPerIndex !== undefined) {
    validateFormat(change, 'failedIndexes', failedIndexes);
  }
  if (isCompletedChanged && completedIndexes !== '' && !isIndexedJob(change.job)) {
    const rule = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    change.refuse('completedIndexes', completedIndexes, rule);
  }
  if (isFailedChanged && failedIndexes !== undefined && backoffLimitPerIndex === undefined) {
    const rule = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    change.refuse('failedIndexes', failedIndexes, rule);
  }
  if (failedIndexes === undefined || completions === undefined || !(isCompletedChanged || isFailedChanged)) return;
  const common = firstCommonIndex(completedIndexes, failedIndexes, completions);
  if (common === undefined) return;
  change.refuse('failedIndexes', failedIndexes, `failedIndexes and completedIndexes overlap at index: ${common}`);
}

function validateFormat(change: JobStatusChange, name: 'completedIndexes' | 'failedIndexes', text: string): void {
  const { completions } = change.job.spec ?? {};
  if (completions === undefined) return;
  const count = countIndexes(text, completions);
  if (typeof count !== 'number') change.refuse(name, text, `error parsing ${name}: ${count.error}`);
}

function validatePodCounts(change: JobStatusChange): void {
  const { active = 0, ready, terminating = 0 } = change.status;
  if (terminating > 0 && isJobFinished(change.job) && isFinishedNewsOr(change, 'terminating')) {
    change.refuse('terminating', terminating, 'terminating>0 is invalid for finished job');
  }
  if (change.hasChanged('ready', 'active') && ready !== undefined && ready > active) {
    change.refuse('ready', ready, 'cannot set more ready pods than active');
  }
}

function validateSuccessCriteria(change: JobStatusChange): void {
  const isMet = change.has('SuccessCriteriaMet');
  if (isMet && change.has('Failed')) {
    change.refuseConditions('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  }
  if (isMet && change.has('FailureTarget')) {
    change.refuseConditions('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  }
  if (change.job.spec?.successPolicy && !isMet && change.has('Complete')) {
    change.refuseConditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
}

function validateLastingConditions(change: JobStatusChange): void {
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (change.had(type) && !change.has(type)) {
      change.refuseConditions(`cannot disable the terminal ${type}=True condition`);
    }
  }
}

/** Checks that counters only grow; only an indexed Job that is scaled down drops successes. */
function validateProgress(change: JobStatusChange): void {
  const { completions, parallelism } = change.job.spec ?? {};
  const { succeeded = 0, failed = 0 } = change.status;
  if (failed < (change.storedStatus.failed ?? 0)) {
    change.refuse('failed', failed, 'cannot decrease the failed counter');
  }
  const canShrink = isIndexedJob(change.job) && completions === parallelism;
  if (!canShrink && succeeded < (change.storedStatus.succeeded ?? 0)) {
    change.refuse('succeeded', succeeded, 'cannot decrease the succeeded counter');
  }
}

function validateLastingTimes(change: JobStatusChange): void {
  const { startTime, completionTime } = change.status;
  const { startTime: storedStart, completionTime: storedCompletion } = change.storedStatus;
  if (completionTime !== undefined && storedCompletion !== undefined && change.hasChanged('completionTime')) {
    change.refuse('completionTime', completionTime, 'completionTime cannot be mutated');
  }
  if (storedStart !== undefined && change.hasChanged('startTime') && !mayRestart(change)) {
    change.refuse('startTime', startTime, 'field is immutable for unsuspended job once set');
  }
}

function validateLastingSuccess(change: JobStatusChange): void {
  const [wasMet, isMet] = [change.had('SuccessCriteriaMet'), change.has('SuccessCriteriaMet')];
  if (wasMet && !isMet) change.refuseConditions('cannot disable the SuccessCriteriaMet=True condition');
  if (change.had('Complete') && !wasMet && isMet) {
    change.refuseConditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
}

/** Whether the start time may change: a suspended Job has none, and gets a new one when it resumes. */
function mayRestart(change: JobStatusChange): boolean {
  const { conditions = [] } = change.status;
  const isResumed = conditions.some(({ type, status }) => type === 'Suspended' && status === 'False');
  return change.job.spec?.suspend === true || (isResumed && change.had('Suspended'));
}

/** Whether the Job has only just finished, or its field differs from that of the finished stored Job. */
function isFinishedNewsOr(change: JobStatusChange, name: keyof JobStatus): boolean {
  return !isJobFinished(change.stored) || change.hasChanged(name);
}

function hasFailedIndexesChanged({ status, storedStatus }: JobStatusChange): boolean {
  return storedStatus.failedIndexes !== status.failedIndexes;
}

function isBefore(time: Time | undefined, other: Time | undefined): boolean {
  return time !== undefined && other !== undefined && millisOfTime(time) < millisOfTime(other);
}
