import { hasTrueCondition, type Job, type JobStatus } from '../job.ts';
import { semanticallyEqual } from '../semantic-equality.ts';
import type { Problem } from './check.ts';
import { invalidField, invalidValue, requiredValue } from './field-error.ts';

/** A Job status that is to replace the stored one, with its problems. */
export class JobStatusChange {
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
