import { describe, expect, test } from 'vitest';
import type { JobStatus } from '../../../src/api/job.ts';
import type { JobSync } from '../../../src/controllers/job/job-sync.ts';
import { trackStatus } from '../../../src/controllers/job/track-status.ts';
import { internalError, notFound } from '../../../src/store/objects/api-error.ts';
import { ended, type JobOptions, type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';
import { boomOn, KEY, SyncBench } from './fake-job-api.ts';

const FAILURE = { type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded', message: 'too late' };
const SUCCESS = { type: 'SuccessCriteriaMet', status: 'True', reason: 'CompletionsReached', message: 'done' };

interface Tracked {
  readonly bench: SyncBench;
  readonly calls: readonly string[];
  readonly statuses: readonly (JobStatus | undefined)[];
  readonly error: string;
}

function track(
  options: JobOptions,
  pods: Record<string, JobPodOptions>,
  change: Partial<JobSync> = {},
  bench = new SyncBench(),
): Tracked {
  const job = makeJob({ backoffLimit: 99, ...options });
  const made = Object.entries(pods).map(([name, pod]) => makeJobPod(job, name, pod));
  const sync = Object.assign(bench.observe(job, made), change);
  let error = '';
  try {
    trackStatus(bench, sync, false);
  } catch (caught) {
    error = (caught as Error).message;
  }
  return { bench, calls: bench.api.calls, statuses: bench.api.statuses, error };
}

const succeeded = { phase: 'Succeeded' };
const failed = { phase: 'Failed' };

describe('a pod that came to its end', () => {
  test('is recorded as uncounted, released, and counted', () => {
    const { calls, statuses } = track({ completions: 9 }, { a: succeeded, b: failed, c: {} });
    expect(calls).toEqual(['status', 'patch a', 'patch b', 'status']);
    expect(statuses[0]?.uncountedTerminatedPods).toEqual({ succeeded: ['uid-a'], failed: ['uid-b'] });
    expect(statuses[0]).not.toHaveProperty('succeeded');
    expect(statuses[1]).toMatchObject({ succeeded: 1, failed: 1, uncountedTerminatedPods: {} });
  });

  test('of an indexed Job is known by its index: one write is enough', () => {
    const options = { completionMode: 'Indexed', completions: 9, status: { completedIndexes: '3', succeeded: 1 } };
    const pods = { a: { ...succeeded, index: 2 }, b: { ...succeeded, index: 3 }, c: { ...succeeded, index: 9 } };
    const { calls, statuses } = track(options, pods);
    expect(calls).toEqual(['status', 'patch a', 'patch b', 'patch c']);
    expect(statuses[0]).toMatchObject({ completedIndexes: '2,3', succeeded: 2, uncountedTerminatedPods: {} });
  });

  test('is not touched when the write fails, nor is its failure remembered', () => {
    const bench = new SyncBench();
    bench.api.failing = boomOn(/status/);
    const { calls, error } = track({}, { a: failed }, {}, bench);
    expect(calls).toEqual(['status']);
    expect(error).toBe('adding uncounted pods to status: Internal error occurred: boom');
    expect(bench.memory.backOffRecords.size).toBe(0);
  });

  test('stays recorded as uncounted while its finalizer cannot be removed; the others count', () => {
    const bench = new SyncBench();
    bench.api.failing = boomOn(/patch a/);
    const { calls, statuses, error } = track({}, { a: failed, b: failed }, {}, bench);
    expect(calls).toEqual(['status', 'patch a', 'patch b', 'status']);
    expect(statuses[1]).toMatchObject({ failed: 1, uncountedTerminatedPods: { failed: ['uid-a'] } });
    expect(error).toBe('Internal error occurred: boom');
    expect([...bench.memory.finalizerRemovals.get(KEY)]).toEqual(['uid-b']);
  });

  test('counts when it is gone already', () => {
    const bench = new SyncBench();
    bench.api.failing = (call) => (call === 'patch a' ? notFound('pods', 'a') : undefined);
    const { statuses, error } = track({}, { a: failed }, {}, bench);
    expect(statuses[1]).toMatchObject({ failed: 1, uncountedTerminatedPods: {} });
    expect(error).toBe('');
    expect(bench.memory.finalizerRemovals.get(KEY).size).toBe(0);
  });

  test('counts when an earlier sync recorded it as uncounted, and its finalizer is gone', () => {
    const status = { uncountedTerminatedPods: { succeeded: ['uid-a', 'uid-gone'], failed: ['uid-b'] }, succeeded: 4 };
    const { statuses } = track({ completions: 9, status }, { a: { ...succeeded, isTracked: false }, b: failed });
    expect(statuses[0]).toMatchObject({ succeeded: 6, uncountedTerminatedPods: { failed: ['uid-b'] } });
    expect(statuses[1]).toMatchObject({ succeeded: 6, failed: 1, uncountedTerminatedPods: {} });
  });

  test('is not counted again while the cache shows the finalizer that it lost', () => {
    const bench = new SyncBench();
    bench.memory.finalizerRemovals.expect(KEY, ['uid-a']);
    const { calls } = track({ status: { failed: 1 } }, { a: failed }, {}, bench);
    expect(calls).toEqual([]);
  });

  test('that a policy ignores is released without counting', () => {
    const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [3] } }];
    const pod = { status: { phase: 'Failed', containerStatuses: [ended(3)] } };
    const { calls, bench } = track({ podFailurePolicy: { rules } }, { a: pod });
    expect(calls).toEqual(['patch a']);
    expect(bench.metrics.policyFailures.get('Ignore')).toBe(1);
  });
});

test('with a limit per index the last failed pod waits for its replacement', () => {
  const options = { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 5 };
  const pods = { a: { ...failed, index: 0 }, b: { ...failed, index: 1 }, c: { index: 1 } };
  const { calls, statuses } = track(options, pods);
  expect(calls).toEqual(['status', 'patch b', 'status']);
  expect(statuses[0]).toMatchObject({ failedIndexes: '', uncountedTerminatedPods: { failed: ['uid-b'] } });
});

test('at most 500 uncounted pods are recorded at a time, and then the Job does not finish', () => {
  const pods = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, succeeded]));
  const { statuses, calls } = track({ completions: 501 }, pods, { ending: SUCCESS });
  expect(statuses[0]?.uncountedTerminatedPods?.succeeded).toHaveLength(500);
  expect(calls.filter((call) => call.startsWith('patch'))).toHaveLength(500);
  expect(statuses.at(-1)?.conditions?.map(({ type }) => type)).toEqual(['SuccessCriteriaMet']);
});

describe('a Job that ends', () => {
  const typesOf = (status: JobStatus | undefined) => status?.conditions?.map(({ type }) => type);

  test('fails in two steps, and takes all of its pods along', () => {
    const { statuses, bench } = track({}, { a: {}, b: { phase: 'Running' } }, { ending: FAILURE, active: 0 });
    expect(typesOf(statuses[0])).toEqual(['FailureTarget']);
    expect(statuses[0]?.uncountedTerminatedPods?.failed).toEqual(['uid-a', 'uid-b']);
    expect(statuses[1]).toMatchObject({ failed: 2 });
    expect(statuses[1]?.conditions?.[1]).toMatchObject({
      type: 'Failed',
      reason: FAILURE.reason,
      message: FAILURE.message,
    });
    expect(statuses[1]).not.toHaveProperty('completionTime');
    expect(bench.api.events).toEqual(['Warning DeadlineExceeded too late']);
    expect(bench.memory.finished.has('uid-job')).toBe(true);
    expect(bench.metrics.finishedJobs.get('NonIndexed', 'failed', 'DeadlineExceeded')).toBe(1);
    expect(bench.metrics.finishedPods.get('NonIndexed', 'failed')).toBe(2);
  });

  test('completes in two steps, and does not count the pods that it kills', () => {
    const { statuses, bench } = track({ completions: 1 }, { a: {}, b: succeeded }, { ending: SUCCESS });
    expect(typesOf(statuses[0])).toEqual(['SuccessCriteriaMet']);
    expect(statuses[0]?.uncountedTerminatedPods).toEqual({ succeeded: ['uid-b'] });
    expect(typesOf(statuses[1])).toEqual(['SuccessCriteriaMet', 'Complete']);
    expect(statuses[1]).toMatchObject({ succeeded: 1, completionTime: '2026-01-01T00:00:00Z' });
    expect(bench.api.events).toEqual(['Normal Completed Job completed']);
  });

  test('reports when more pods succeeded than should', () => {
    const { bench } = track({ completions: 1 }, { a: succeeded, b: succeeded }, { ending: SUCCESS });
    expect(bench.api.events[0]).toBe(
      'Warning TooManySucceededPods Too many succeeded pods running after completion count reached',
    );
  });

  test('waits for pods on their way out', () => {
    const { statuses } = track({}, {}, { ending: FAILURE, terminating: 1 });
    expect(statuses.map(typesOf)).toEqual([['FailureTarget']]);
  });

  test('has nothing to say while it waits', () => {
    const status = { conditions: [FAILURE] };
    expect(track({ status }, {}, { ending: FAILURE, terminating: 1 }).calls).toEqual([]);
  });

  test('is not finished when that cannot be written', () => {
    const bench = new SyncBench();
    let writes = 0;
    bench.api.failing = (call) => (call === 'status' && ++writes === 2 ? internalError('boom') : undefined);
    const { error } = track({}, {}, { ending: FAILURE }, bench);
    expect(error).toBe('removing uncounted pods from status: Internal error occurred: boom');
    expect(bench.memory.finished.size).toBe(0);
    expect(bench.api.events).toEqual([]);
  });
});

test('a Job that is being deleted releases all of its pods, and counts those that are done', () => {
  const metadata = { name: 'job', deletionTimestamp: '2026-01-01T00:00:05Z' };
  const { calls, statuses } = track({ metadata }, { a: {}, b: succeeded });
  expect(calls).toEqual(['status', 'patch a', 'patch b', 'status']);
  expect(statuses[1]).toMatchObject({ succeeded: 1 });
});

test('without news nothing is written', () => {
  expect(track({}, { a: {}, b: { ...failed, isTracked: false } }).calls).toEqual([]);
});
