import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { jobStatusErrors } from '../../../src/kinds/validation/job-statuses.ts';

const TIME = '2024-01-01T00:00:00Z';
const LATER = '2024-01-01T01:00:00Z';

function problems(status: JsonObject, before: JsonObject = {}, spec: JsonObject = {}): string[] {
  return jobStatusErrors({ spec, status }, { spec, status: before }).map(({ field, message }) => {
    return `${field}: ${message}`.replace('status.', '');
  });
}

function conditions(...types: string[]): JsonObject[] {
  return types.map((type) => ({ type, status: 'True' }));
}

const DONE = {
  startTime: TIME,
  completionTime: LATER,
  succeeded: 1,
  conditions: conditions('SuccessCriteriaMet', 'Complete'),
};

describe('jobStatusErrors', () => {
  it('accepts what the job controller reports', () => {
    expect(problems({ active: 1, ready: 0, startTime: TIME })).toEqual([]);
    expect(problems(DONE, { active: 1, startTime: TIME })).toEqual([]);
    expect(problems({ startTime: TIME, failed: 1, conditions: conditions('FailureTarget', 'Failed') })).toEqual([]);
    expect(problems({ conditions: conditions('X') })).toEqual([]);
  });

  it('checks the conditions of a finished job', () => {
    expect(problems({ active: 1, conditions: conditions('Complete') })).toEqual([
      'completionTime: Required value: completionTime is required for Complete jobs',
      'conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      'active: Invalid value: 1: active>0 is invalid for finished job',
      'startTime: Required value: startTime is required for finished job',
    ]);
    expect(problems({ startTime: LATER, completionTime: TIME })).toEqual([
      `completionTime: Invalid value: "${TIME}": cannot set completionTime when there is no Complete=True condition`,
      `completionTime: Invalid value: "${TIME}": must be equal to or after \`startTime\``,
    ]);
    const uncountedTerminatedPods = { succeeded: ['a', 'a'], failed: [''] };
    expect(problems({ ...DONE, uncountedTerminatedPods }).slice(0, 3)).toEqual([
      'uncountedTerminatedPods.succeeded[1]: Duplicate value: "a"',
      'uncountedTerminatedPods.failed[0]: Invalid value: "": must not be empty',
      'uncountedTerminatedPods: Invalid value: {"Succeeded":["a","a"],"Failed":[""]}: must be empty for finished job',
    ]);
  });

  it('does not mind what was so before', () => {
    const odd = { active: 1, conditions: conditions('Complete') };
    expect(problems({ ...odd, failed: 1 }, odd)).toEqual([]);
  });

  it('checks lists of indexes', () => {
    const spec = { completionMode: 'Indexed', completions: 5, backoffLimitPerIndex: 1 };
    expect(problems({ completedIndexes: '0-3', failedIndexes: '3,9' }, {}, spec)).toEqual([
      'failedIndexes: Invalid value: "3,9": error parsing failedIndexes: too large index: "9"',
      'failedIndexes: Invalid value: "3,9": failedIndexes and completedIndexes overlap at index: 3',
    ]);
    expect(problems({ completedIndexes: '0', failedIndexes: '1' })).toEqual([
      'completedIndexes: Invalid value: "0": ' +
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      'failedIndexes: Invalid value: "1": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    ]);
  });

  it('takes nothing back', () => {
    expect(problems({ succeeded: 0, startTime: TIME }, { ...DONE, failed: 2 })).toEqual([
      'conditions: Invalid value: cannot disable the terminal Complete=True condition',
      'failed: Invalid value: 0: cannot decrease the failed counter',
      'succeeded: Invalid value: 0: cannot decrease the succeeded counter',
      'conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition',
    ]);
    expect(problems({}, { startTime: TIME })).toEqual([
      'startTime: Required value: startTime cannot be removed for unsuspended job',
    ]);
    expect(problems({}, { startTime: TIME }, { suspend: true })).toEqual([]);
    expect(problems({ ready: 2, active: 1 })).toEqual([
      'ready: Invalid value: 2: cannot set more ready pods than active',
    ]);
  });
});
