import { describe, expect, test } from 'vitest';
import type { JobCondition, JobStatus } from '../../../src/api/job.ts';
import { validateJobStatusUpdate } from '../../../src/api/validation/job-status.ts';
import { type JobOptions, makeJob } from '../../builders/make-job.ts';

const START = '2026-01-01T00:00:00Z';
const LATER = '2026-01-01T00:01:00Z';
const is = (...types: string[]): JobCondition[] =>
  types.map((type) => (type.startsWith('!') ? { type: type.slice(1), status: 'False' } : { type, status: 'True' }));
const COMPLETE: JobStatus = {
  startTime: START,
  completionTime: LATER,
  conditions: is('SuccessCriteriaMet', 'Complete'),
};
const FAILED: JobStatus = { startTime: START, conditions: is('FailureTarget', 'Failed') };
const INDEXED: JobOptions = { completionMode: 'Indexed', completions: 5, parallelism: 3 };

const texts = (after: JobStatus, before: JobStatus = {}, options: JobOptions = {}): string[] =>
  validateJobStatusUpdate(makeJob({ ...options, status: after }), makeJob({ ...options, status: before })).map(
    ({ field, reason }) => `${field}: ${reason}`,
  );

test('usual steps are valid', () => {
  expect(texts({ startTime: START, active: 2, ready: 1, terminating: 0 })).toEqual([]);
  expect(texts(COMPLETE, { startTime: START, conditions: is('SuccessCriteriaMet') })).toEqual([]);
  expect(texts(FAILED, { startTime: START })).toEqual([]);
  const uncounted = { uncountedTerminatedPods: { succeeded: ['a'], failed: ['b'] } };
  expect(texts({ startTime: START, ...uncounted }, { startTime: START })).toEqual([]);
});

describe('counters', () => {
  test.each<[string, JobStatus, JobStatus, string[]]>([
    ['negative', { active: -1 }, {}, ['status.active: Invalid value: -1: must be greater than or equal to 0']],
    [
      'more ready than active',
      { active: 1, ready: 2 },
      {},
      ['status.ready: Invalid value: 2: cannot set more ready pods than active'],
    ],
    ['more ready, but as before', { active: 1, ready: 2, failed: 1 }, { active: 1, ready: 2 }, []],
    [
      'ready, active left out',
      { ready: 1 },
      { active: 1, ready: 1 },
      ['status.ready: Invalid value: 1: cannot set more ready pods than active'],
    ],
    [
      'fewer failed',
      { failed: 1 },
      { failed: 2 },
      ['status.failed: Invalid value: 1: cannot decrease the failed counter'],
    ],
    [
      'fewer succeeded',
      {},
      { succeeded: 2 },
      ['status.succeeded: Invalid value: 0: cannot decrease the succeeded counter'],
    ],
  ])('%s', (_, after, before, expected) => {
    expect(texts(after, before)).toEqual(expected);
  });

  test('successes of an elastic Job may be forgotten', () => {
    expect(texts({ succeeded: 1 }, { succeeded: 2 }, { ...INDEXED, parallelism: 5 })).toEqual([]);
    expect(texts({ succeeded: 1 }, { succeeded: 2 }, INDEXED)).toHaveLength(1);
  });
});

test('what is wrong is said in the order of the API', () => {
  const after: JobStatus = { active: -1, ready: 1, terminating: 2, conditions: is('Failed', 'SuccessCriteriaMet') };
  expect(texts(after, { failed: 1, startTime: START, conditions: is('Complete') })).toEqual([
    'status.active: Invalid value: -1: must be greater than or equal to 0',
    'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
    'status.startTime: Required value: startTime is required for finished job',
    'status.terminating: Invalid value: 2: terminating>0 is invalid for finished job',
    'status.ready: Invalid value: 1: cannot set more ready pods than active',
    'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions',
    'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
    'status.failed: Invalid value: 0: cannot decrease the failed counter',
    'status.startTime: Invalid value: null: field is immutable for unsuspended job once set',
    'status.conditions: Invalid value: cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
  ]);
});

test('every uncounted pod is listed once', () => {
  const uncountedTerminatedPods = { succeeded: ['a', ''], failed: ['a'] };
  expect(texts({ uncountedTerminatedPods })).toEqual([
    'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
    'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
  ]);
});

describe('conditions', () => {
  const UNTARGETED = 'cannot set Failed=True condition without the FailureTarget=true condition';
  const UNMET = 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition';
  const UNTARGETED_JOB: JobStatus = { startTime: START, conditions: is('Failed') };
  const UNMET_JOB: JobStatus = { ...COMPLETE, conditions: is('Complete') };

  test.each<[string, JobStatus, JobStatus, string[]]>([
    [
      'Complete and Failed',
      { ...COMPLETE, conditions: is('Complete', 'Failed') },
      {},
      ['cannot set Complete=True and Failed=true conditions', UNTARGETED, UNMET],
    ],
    [
      'Complete and FailureTarget',
      { ...COMPLETE, conditions: is('Complete', 'FailureTarget') },
      {},
      ['cannot set Complete=True and FailureTarget=true conditions', UNMET],
    ],
    [
      'success and Failed',
      { startTime: START, conditions: is('SuccessCriteriaMet', 'Failed') },
      {},
      [UNTARGETED, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'],
    ],
    [
      'success and FailureTarget',
      { conditions: is('SuccessCriteriaMet', 'FailureTarget') },
      {},
      ['cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'],
    ],
    [
      'Failed no more',
      { startTime: START, conditions: is('FailureTarget', '!Failed') },
      FAILED,
      ['cannot disable the terminal Failed=True condition'],
    ],
    [
      'FailureTarget no more',
      {},
      { conditions: is('FailureTarget') },
      ['cannot disable the terminal FailureTarget=True condition'],
    ],
    [
      'success no more',
      {},
      { conditions: is('SuccessCriteriaMet') },
      ['cannot disable the SuccessCriteriaMet=True condition'],
    ],
    [
      'success afterwards',
      COMPLETE,
      { ...COMPLETE, conditions: is('Complete') },
      ['cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'],
    ],
    ['Failed without a target', { startTime: START, conditions: is('Failed') }, {}, [UNTARGETED]],
    ['complete without success', { ...COMPLETE, conditions: is('Complete') }, { startTime: START }, [UNMET]],
    [
      'success no more, though complete',
      { ...COMPLETE, conditions: is('Complete') },
      COMPLETE,
      [UNMET, 'cannot disable the SuccessCriteriaMet=True condition'],
    ],
    ['Failed without a target, as before', { ...UNTARGETED_JOB, failed: 2 }, UNTARGETED_JOB, []],
    ['complete without success, as before', { ...UNMET_JOB, succeeded: 2 }, UNMET_JOB, []],
  ])('%s', (_, after, before, rules) => {
    expect(texts(after, before)).toEqual(rules.map((rule) => `status.conditions: Invalid value: ${rule}`));
  });

  test('a Job that failed without a target has that looked at when an index fails', () => {
    const options = { ...INDEXED, backoffLimitPerIndex: 1 };
    expect(texts({ ...UNTARGETED_JOB, failedIndexes: '1' }, UNTARGETED_JOB, options)).toEqual([
      `status.conditions: Invalid value: ${UNTARGETED}`,
    ]);
  });

  test('a success policy is to be met before the Job is complete', () => {
    const options = { ...INDEXED, successPolicy: { rules: [{ succeededCount: 1 }] } };
    expect(texts(UNMET_JOB, {}, options)).toEqual([
      `status.conditions: Invalid value: ${UNMET}`,
      'status.conditions: Invalid value: cannot set Complete=True for Job with SuccessPolicy unless ' +
        'SuccessCriteriaMet=True',
    ]);
  });
});

describe('times', () => {
  const { completionTime: _, ...timeless } = COMPLETE;

  test.each<[string, JobStatus, JobStatus, string[]]>([
    [
      'complete without a time',
      timeless,
      { startTime: START },
      ['status.completionTime: Required value: completionTime is required for Complete jobs'],
    ],
    [
      'a time without being complete',
      { startTime: START, completionTime: LATER },
      {},
      [
        `status.completionTime: Invalid value: "${LATER}": cannot set completionTime when there is no ` +
          `Complete=True condition`,
      ],
    ],
    [
      'complete before the start',
      { ...COMPLETE, startTime: LATER, completionTime: START },
      { startTime: LATER },
      [`status.completionTime: Invalid value: "${START}": completionTime cannot be set before startTime`],
    ],
    [
      'another completion',
      { ...COMPLETE, completionTime: START },
      COMPLETE,
      [`status.completionTime: Invalid value: "${START}": completionTime cannot be mutated`],
    ],
    [
      'no start any more',
      {},
      { startTime: START },
      ['status.startTime: Invalid value: null: field is immutable for unsuspended job once set'],
    ],
    [
      'another start',
      { startTime: LATER },
      { startTime: START },
      [`status.startTime: Invalid value: "${LATER}": field is immutable for unsuspended job once set`],
    ],
    [
      'a new start when the Job goes on',
      { startTime: LATER, conditions: is('!Suspended') },
      { startTime: START, conditions: is('Suspended') },
      [],
    ],
  ])('%s', (_, after, before, expected) => {
    expect(texts(after, before)).toEqual(expected);
  });

  test('the start of a suspended Job is taken back', () => {
    expect(texts({}, { startTime: START }, { suspend: true })).toEqual([]);
  });
});

describe('a finished Job', () => {
  test.each<[string, JobStatus, string]>([
    [
      'has no active pods',
      { ...FAILED, active: 1 },
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
    ],
    [
      'waits for no pods',
      { ...FAILED, terminating: 1 },
      'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
    ],
    [
      'has started',
      { conditions: FAILED.conditions },
      'status.startTime: Required value: startTime is required for finished job',
    ],
    [
      'has counted all pods',
      { ...FAILED, uncountedTerminatedPods: { failed: ['a'] } },
      'status.uncountedTerminatedPods: Invalid value: {"failed":["a"]}: uncountedTerminatedPods needs to ' +
        'be empty for finished job',
    ],
  ])('%s', (_, after, problem) => {
    expect(texts(after)).toEqual([problem]);
    // What was wrong before does not block other changes.
    expect(texts({ ...after, failed: 7 }, after)).toEqual([]);
  });

  test('need not have started when there was nothing to do', () => {
    const { startTime: _, ...neverStarted } = COMPLETE;
    expect(texts(neverStarted, {}, { suspend: true, completions: 0 })).toEqual([]);
    expect(texts(neverStarted, {}, { completions: 0 })).toHaveLength(1);
  });
});

describe('indexes', () => {
  const PER_INDEX = { ...INDEXED, backoffLimitPerIndex: 1 };

  test.each<[string, JobOptions, JobStatus, JobStatus, string[]]>([
    ['fine', PER_INDEX, { completedIndexes: '0,2', failedIndexes: '1,3-4' }, {}, []],
    [
      'no indexes',
      {},
      { completedIndexes: '0' },
      {},
      [
        'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed ' +
          'completion mode',
      ],
    ],
    [
      'nonsense',
      INDEXED,
      { completedIndexes: 'all' },
      {},
      [
        'status.completedIndexes: Invalid value: "all": error parsing completedIndexes: cannot convert ' +
          'string to integer for index: "all"',
      ],
    ],
    [
      'failed nonsense',
      PER_INDEX,
      { failedIndexes: '9' },
      {},
      ['status.failedIndexes: Invalid value: "9": error parsing failedIndexes: too large index: "9"'],
    ],
    [
      'failed without a limit',
      INDEXED,
      { failedIndexes: '' },
      {},
      ['status.failedIndexes: Invalid value: "": cannot set non-null failedIndexes when backoffLimitPerIndex is null'],
    ],
    [
      'both',
      PER_INDEX,
      { completedIndexes: '0-2', failedIndexes: '2,3' },
      {},
      ['status.failedIndexes: Invalid value: "2,3": failedIndexes and completedIndexes overlap at index: 2'],
    ],
    [
      'as before',
      PER_INDEX,
      { completedIndexes: '0-9', failedIndexes: '2', active: 1 },
      { completedIndexes: '0-9', failedIndexes: '2' },
      [],
    ],
  ])('%s', (_, options, after, before, expected) => {
    expect(texts(after, before, options)).toEqual(expected);
  });
});
