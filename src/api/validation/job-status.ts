import { hasTrueCondition, isIndexedJob, isJobFinished, type Job, type JobStatus } from '../job.ts';
import type { Time } from '../meta.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import { millisOfTime } from '../time.ts';
import type { Problem } from './check.ts';
import { duplicateValue, invalidField, invalidValue, notNegative, requiredValue } from './field-error.ts';
import { countIndexes, firstCommonIndex } from './index-text.ts';

/**
 * What the API's rules say against the status of `job`, of the right shape, taking the place of that of `stored`. Most
 * rules only look at what changes: a status that is wrong already must not block the rest. Upstream:
 * getStatusValidationOptions in pkg/registry/batch/job/strategy.go and ValidateJobUpdateStatus in
 * pkg/apis/batch/validation/validation.go.
 */
export function validateJobStatusUpdate(job: Job, stored: Job): Problem[] {
  const problems: Problem[] = [];
  const update = new StatusUpdate(job, stored, problems);
  update.validateCounts();
  update.validateUncounted();
  update.validateTerminalConditions();
  update.validateTimes();
  update.validateFinished();
  update.validateIndexes();
  update.validateSuccessCriteria();
  update.validateProgress();
  return problems;
}

/** Conditions that a complete Job cannot have, and what the API says to that. */
const NOT_WITH_COMPLETE = [
  ['Failed', 'cannot set Complete=True and Failed=true conditions'],
  ['FailureTarget', 'cannot set Complete=True and FailureTarget=true conditions'],
] as const;

class StatusUpdate {
  readonly #job: Job;
  readonly #stored: Job;
  readonly #status: JobStatus;
  readonly #storedStatus: JobStatus;
  readonly #problems: Problem[];

  constructor(job: Job, stored: Job, problems: Problem[]) {
    this.#job = job;
    this.#stored = stored;
    this.#status = job.status ?? {};
    this.#storedStatus = stored.status ?? {};
    this.#problems = problems;
  }

  validateCounts(): void {
    const { active = 0, ready } = this.#status;
    for (const name of ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const) {
      notNegative(this.#status[name], `status.${name}`, this.#problems);
    }
    if (this.#hasChanged('ready', 'active') && ready !== undefined && ready > active) {
      this.#refuse('ready', ready, 'cannot set more ready pods than active');
    }
  }

  validateUncounted(): void {
    const seen = new Set<string>();
    for (const list of ['succeeded', 'failed'] as const) {
      for (const [index, uid] of (this.#status.uncountedTerminatedPods?.[list] ?? []).entries()) {
        const field = `status.uncountedTerminatedPods.${list}[${index}]`;
        if (uid === '') this.#problems.push(invalidValue(field, uid, 'must not be empty'));
        else if (seen.has(uid)) this.#problems.push(duplicateValue(field, uid));
        seen.add(uid);
      }
    }
  }

  validateTerminalConditions(): void {
    const isComplete = this.#has('Complete');
    const isCompleteChanged = this.#hasConditionChanged('Complete');
    for (const [other, text] of NOT_WITH_COMPLETE) {
      if (!isComplete || !this.#has(other)) continue;
      if (isCompleteChanged || this.#hasConditionChanged(other)) this.#refuseConditions(text);
    }
    for (const type of ['Failed', 'Complete', 'FailureTarget', 'SuccessCriteriaMet']) {
      if (!hasTrueCondition(this.#stored, type) || this.#has(type)) continue;
      const what = type === 'SuccessCriteriaMet' ? 'the' : 'the terminal';
      this.#refuseConditions(`cannot disable ${what} ${type}=True condition`);
    }
  }

  validateTimes(): void {
    const { startTime, completionTime } = this.#status;
    const { startTime: storedStart, completionTime: storedCompletion } = this.#storedStatus;
    const isComplete = this.#has('Complete');
    if (this.#hasConditionChanged('Complete') || this.#hasChanged('completionTime')) {
      if (completionTime !== undefined && !isComplete) {
        const rule = 'cannot set completionTime when there is no Complete=True condition';
        this.#refuse('completionTime', completionTime, rule);
      }
      if (completionTime === undefined && isComplete) {
        this.#require('completionTime', 'completionTime is required for Complete jobs');
      }
    }
    if (this.#hasChanged('startTime', 'completionTime') && isBefore(completionTime, startTime)) {
      this.#refuse('completionTime', completionTime, 'completionTime cannot be set before startTime');
    }
    if (completionTime !== undefined && storedCompletion !== undefined && this.#hasChanged('completionTime')) {
      this.#refuse('completionTime', completionTime, 'completionTime cannot be mutated');
    }
    if (storedStart !== undefined && this.#hasChanged('startTime') && !this.#mayRestart()) {
      this.#refuse('startTime', startTime, 'field is immutable for unsuspended job once set');
    }
  }

  /** The time of a Job that is suspended stands still; it starts anew when the Job goes on. */
  #mayRestart(): boolean {
    const { conditions = [] } = this.#status;
    const isResumed = conditions.some(({ type, status }) => type === 'Suspended' && status === 'False');
    return this.#job.spec?.suspend === true || (isResumed && hasTrueCondition(this.#stored, 'Suspended'));
  }

  validateFinished(): void {
    if (!isJobFinished(this.#job)) return;
    const { active = 0, terminating = 0, startTime, uncountedTerminatedPods } = this.#status;
    const isFinishedChanged = !isJobFinished(this.#stored);
    if ((isFinishedChanged || this.#hasChanged('active')) && active > 0) {
      this.#refuse('active', active, 'active>0 is invalid for finished job');
    }
    if ((isFinishedChanged || this.#hasChanged('terminating')) && terminating > 0) {
      this.#refuse('terminating', terminating, 'terminating>0 is invalid for finished job');
    }
    const { suspend, completions } = this.#job.spec ?? {};
    const neverStarts = suspend === true && completions === 0;
    if ((isFinishedChanged || this.#hasChanged('startTime')) && startTime === undefined && !neverStarts) {
      this.#require('startTime', 'startTime is required for finished job');
    }
    const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
    if (succeeded.length + failed.length === 0) return;
    if (isFinishedChanged || this.#hasChanged('uncountedTerminatedPods')) {
      const rule = 'uncountedTerminatedPods needs to be empty for finished job';
      this.#refuse('uncountedTerminatedPods', uncountedTerminatedPods, rule);
    }
  }

  validateIndexes(): void {
    const { completedIndexes = '', failedIndexes } = this.#status;
    const { completions, backoffLimitPerIndex } = this.#job.spec ?? {};
    const isCompletedChanged = (this.#storedStatus.completedIndexes ?? '') !== completedIndexes;
    const isFailedChanged = this.#storedStatus.failedIndexes !== failedIndexes;
    if (isCompletedChanged) {
      this.#validateFormat('completedIndexes', completedIndexes);
      if (completedIndexes !== '' && !isIndexedJob(this.#job)) {
        const rule = 'cannot set non-empty completedIndexes when non-indexed completion mode';
        this.#refuse('completedIndexes', completedIndexes, rule);
      }
    }
    if (isFailedChanged && failedIndexes !== undefined) {
      if (backoffLimitPerIndex !== undefined) this.#validateFormat('failedIndexes', failedIndexes);
      else {
        const rule = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
        this.#refuse('failedIndexes', failedIndexes, rule);
      }
    }
    if (failedIndexes === undefined || completions === undefined || !(isCompletedChanged || isFailedChanged)) return;
    const common = firstCommonIndex(completedIndexes, failedIndexes, completions);
    if (common === undefined) return;
    this.#refuse('failedIndexes', failedIndexes, `failedIndexes and completedIndexes overlap at index: ${common}`);
  }

  validateSuccessCriteria(): void {
    const isMet = this.#has('SuccessCriteriaMet');
    if (isMet && this.#has('Failed')) {
      this.#refuseConditions('cannot set SuccessCriteriaMet=True and Failed=true conditions');
    }
    if (isMet && this.#has('FailureTarget')) {
      this.#refuseConditions('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
    }
    if (this.#job.spec?.successPolicy && !isMet && this.#has('Complete')) {
      this.#refuseConditions('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
    }
    const wasCompleteWithout =
      hasTrueCondition(this.#stored, 'Complete') && !hasTrueCondition(this.#stored, 'SuccessCriteriaMet');
    if (wasCompleteWithout && isMet) {
      this.#refuseConditions('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
    }
  }

  /** Counters grow; only an indexed Job that is scaled down forgets successes. */
  validateProgress(): void {
    const { completions, parallelism } = this.#job.spec ?? {};
    const { succeeded = 0, failed = 0 } = this.#status;
    if (failed < (this.#storedStatus.failed ?? 0)) {
      this.#refuse('failed', failed, 'cannot decrease the failed counter');
    }
    const canShrink = isIndexedJob(this.#job) && completions === parallelism;
    if (!canShrink && succeeded < (this.#storedStatus.succeeded ?? 0)) {
      this.#refuse('succeeded', succeeded, 'cannot decrease the succeeded counter');
    }
  }

  #validateFormat(name: 'completedIndexes' | 'failedIndexes', text: string): void {
    const { completions } = this.#job.spec ?? {};
    if (completions === undefined) return;
    const count = countIndexes(text, completions);
    if (typeof count !== 'number') this.#refuse(name, text, `error parsing ${name}: ${count.error}`);
  }

  #has(type: string): boolean {
    return hasTrueCondition(this.#job, type);
  }

  #hasConditionChanged(type: string): boolean {
    return this.#has(type) !== hasTrueCondition(this.#stored, type);
  }

  #hasChanged(...names: readonly (keyof JobStatus)[]): boolean {
    return names.some((name) => {
      const [before, after] = [this.#storedStatus[name], this.#status[name]];
      // Only `active` counts as zero when it is missing.
      return name === 'active' ? (before ?? 0) !== (after ?? 0) : !semanticallyEqual(before, after);
    });
  }

  #refuse(name: string, value: unknown, rule: string): void {
    this.#problems.push(invalidValue(`status.${name}`, value, rule));
  }

  #refuseConditions(rule: string): void {
    this.#problems.push(invalidField('status.conditions', rule));
  }

  #require(name: string, rule: string): void {
    this.#problems.push(requiredValue(`status.${name}`, rule));
  }
}

function isBefore(time: Time | undefined, other: Time | undefined): boolean {
  return time !== undefined && other !== undefined && millisOfTime(time) < millisOfTime(other);
}
