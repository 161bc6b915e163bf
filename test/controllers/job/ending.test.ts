import { describe, expect, test } from 'vitest';
import type { JobCondition, JobStatus } from '../../../src/api/job.ts';
import {
  endingBefore,
  endingByCompletion,
  endingByDeadline,
  endingByIndexes,
  endingByPods,
  remainingDeadlineMillis,
} from '../../../src/controllers/job/ending.ts';
import type { JobSync } from '../../../src/controllers/job/job-sync.ts';
import { atSecond, ended, type JobOptions, type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';
import { SyncBench } from './fake-job-api.ts';

function observe(options: JobOptions, pods: readonly JobPodOptions[] = [], nowMillis = 0): JobSync {
  const bench = new SyncBench();
  bench.clock.advance(nowMillis);
  const job = makeJob(options);
  return bench.observe(
    job,
    pods.map((pod, i) => makeJobPod(job, `p${i}`, pod)),
  );
}

const reasonOf = (ending: JobCondition | undefined): string | undefined => ending && `${ending.type} ${ending.reason}`;
const condition = (type: string): JobCondition => ({ type, status: 'True', reason: 'Why' });
const INDEXED = { completionMode: 'Indexed', completions: 4 };

test('an ending that was written stays; success comes first', () => {
  const of = (...types: string[]) => endingBefore(observe({ status: { conditions: types.map(condition) } }));
  expect(reasonOf(of('FailureTarget'))).toBe('FailureTarget Why');
  expect(reasonOf(of('FailureTarget', 'SuccessCriteriaMet'))).toBe('SuccessCriteriaMet Why');
  expect(of('Suspended')).toBeUndefined();
});

describe('failed pods', () => {
  const failed = { phase: 'Failed' };

  test.each<[string, JobOptions, JobPodOptions[], string | undefined]>([
    ['as many as the limit', { backoffLimit: 2 }, [failed, failed], undefined],
    ['one more than the limit', { backoffLimit: 1 }, [failed, failed], 'FailureTarget BackoffLimitExceeded'],
    ['none are allowed', { backoffLimit: 0 }, [failed], 'FailureTarget BackoffLimitExceeded'],
    ['counted ones count', { backoffLimit: 1, status: { failed: 2 } }, [], 'FailureTarget BackoffLimitExceeded'],
    [
      'uncounted ones count',
      { backoffLimit: 1, status: { failed: 1, uncountedTerminatedPods: { failed: ['x'] } } },
      [],
      'FailureTarget BackoffLimitExceeded',
    ],
  ])('%s', (_, options, pods, reason) => {
    expect(reasonOf(endingByPods(observe(options, pods)))).toBe(reason);
  });

  test('a policy says more than the limit', () => {
    const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [3] } }];
    const pod = (code: number) => ({ status: { phase: 'Failed', containerStatuses: [ended(code)] } });
    const options = { backoffLimit: 0, podFailurePolicy: { rules } };
    const ending = endingByPods(observe(options, [pod(1), pod(3)]));
    expect(ending?.reason).toBe('PodFailurePolicy');
    expect(ending?.message).toBe(
      'Container main for pod default/p1 failed with exit code 3 matching FailJob rule at index 0',
    );
    expect(endingByPods(observe(options, [pod(1)]))?.reason).toBe('BackoffLimitExceeded');
  });
});

describe('restarts within a pod', () => {
  const pod = (phase: string, containers: number, init = 0): JobPodOptions => ({
    status: {
      phase,
      containerStatuses: [{ name: 'main', restartCount: containers }],
      initContainerStatuses: [{ name: 'init', restartCount: init }],
    },
  });

  test.each<[number, string, JobPodOptions[], boolean]>([
    [3, 'OnFailure', [pod('Running', 1), pod('Pending', 0, 1)], false],
    [3, 'OnFailure', [pod('Running', 1, 1), pod('Pending', 1)], true],
    [3, 'OnFailure', [pod('Succeeded', 9)], false],
    [3, 'Never', [pod('Running', 9)], false],
    [0, 'OnFailure', [pod('Running', 0)], false],
    [0, 'OnFailure', [pod('Running', 1)], true],
  ])('limit %i, %s, %j: %s', (backoffLimit, restartPolicy, pods, fails) => {
    const ending = endingByPods(observe({ backoffLimit, podSpec: { restartPolicy } }, pods));
    expect(ending?.reason === 'BackoffLimitExceeded').toBe(fails);
  });
});

describe('the deadline', () => {
  const status: JobStatus = { startTime: atSecond(0) };

  test.each<[string, JobOptions, number, number | undefined]>([
    ['counts from the start', { status }, 4000, 6000],
    ['is reached at once', { status }, 10_000, 0],
    ['may be over for long', { status }, 60_000, -50_000],
    ['counts from now when the Job starts now', {}, 4500, 10_000],
    ['stands still while suspended', { status, suspend: true }, 60_000, undefined],
    [
      'is over at once when it is no duration of Go',
      { status, activeDeadlineSeconds: 1.6e10 },
      0,
      -2_446_744_073_709.552,
    ],
  ])('%s', (_, options, nowMillis, remaining) => {
    const sync = observe({ activeDeadlineSeconds: 10, ...options }, [], nowMillis);
    expect(remainingDeadlineMillis(sync)).toBe(remaining);
    const isOver = remaining !== undefined && remaining <= 0;
    expect(reasonOf(endingByDeadline(sync))).toBe(isOver ? 'FailureTarget DeadlineExceeded' : undefined);
  });

  test('there is none', () => {
    expect(remainingDeadlineMillis(observe({ status }))).toBeUndefined();
  });
});

describe('indexes', () => {
  test.each<[string, JobOptions, JobStatus, string | undefined]>([
    [
      'too many failed',
      { backoffLimitPerIndex: 1, maxFailedIndexes: 1 },
      { failedIndexes: '0,1' },
      'FailureTarget MaxFailedIndexesExceeded',
    ],
    ['as many failed as may', { backoffLimitPerIndex: 1, maxFailedIndexes: 2 }, { failedIndexes: '0,1' }, undefined],
    [
      'all ended, some badly',
      { backoffLimitPerIndex: 1 },
      { failedIndexes: '0', completedIndexes: '1-3' },
      'FailureTarget FailedIndexes',
    ],
    ['some have not ended', { backoffLimitPerIndex: 1 }, { failedIndexes: '0', completedIndexes: '1,2' }, undefined],
    ['all ended well', { backoffLimitPerIndex: 1 }, { failedIndexes: '', completedIndexes: '0-3' }, undefined],
    ['no limit per index', {}, { failedIndexes: '0', completedIndexes: '1-3' }, undefined],
    [
      'success policy',
      { successPolicy: { rules: [{ succeededCount: 1 }] } },
      { completedIndexes: '2' },
      'SuccessCriteriaMet SuccessPolicy',
    ],
    [
      'failure goes before success',
      { backoffLimitPerIndex: 1, maxFailedIndexes: 0, successPolicy: { rules: [{ succeededCount: 1 }] } },
      { failedIndexes: '0', completedIndexes: '2' },
      'FailureTarget MaxFailedIndexesExceeded',
    ],
  ])('%s', (_, options, status, reason) => {
    expect(reasonOf(endingByIndexes(observe({ ...INDEXED, ...options, status })))).toBe(reason);
  });
});

describe('completion', () => {
  const succeeded = { phase: 'Succeeded' };

  test.each<[string, JobOptions, JobPodOptions[], boolean]>([
    ['all have succeeded', { completions: 2, parallelism: 2 }, [succeeded, succeeded], true],
    ['more than enough', { completions: 1, parallelism: 2 }, [succeeded, succeeded], true],
    ['one is missing', { completions: 2, parallelism: 2 }, [succeeded], false],
    ['one still runs', { completions: 1, parallelism: 2 }, [succeeded, {}], false],
    ['nothing to do', { completions: 0, parallelism: 2 }, [], true],
    ['a work queue: one success, none left', { parallelism: 2 }, [succeeded], true],
    ['a work queue: none yet', { parallelism: 2 }, [], false],
    [
      'an index counts once',
      { ...INDEXED, completions: 2 },
      [
        { ...succeeded, index: 0 },
        { ...succeeded, index: 0 },
      ],
      false,
    ],
  ])('%s', (_, options, pods, isComplete) => {
    const ending = endingByCompletion(observe(options, pods));
    expect(reasonOf(ending)).toBe(isComplete ? 'SuccessCriteriaMet CompletionsReached' : undefined);
  });
});
