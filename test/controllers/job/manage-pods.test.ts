import { describe, expect, test } from 'vitest';
import type { JobStatus } from '../../../src/api/job.ts';
import type { JobSync } from '../../../src/controllers/job/job-sync.ts';
import { managePods } from '../../../src/controllers/job/manage-pods.ts';
import { ended, type JobOptions, type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';
import { boomOn, KEY, SyncBench } from './fake-job-api.ts';

const FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const TERMINATING = { phase: 'Running', deletionTimestamp: '2026-01-01T00:00:30Z' };

interface Done {
  readonly bench: SyncBench;
  readonly sync: JobSync;
  readonly action: string;
  readonly error: unknown;
  readonly calls: readonly string[];
}

function manage(options: JobOptions, pods: readonly JobPodOptions[], bench = new SyncBench()): Done {
  const job = makeJob(options);
  const made = pods.map((pod, i) => makeJobPod(job, `p${i}`, pod));
  const sync = bench.observe(job, made);
  const { action, error } = managePods(bench, sync);
  return { bench, sync, action, error, calls: bench.api.calls };
}

const many = (count: number, pod: JobPodOptions = {}): JobPodOptions[] => Array.from({ length: count }, () => pod);

describe('how many pods are wanted', () => {
  test.each<[string, JobOptions, JobStatus, number, number]>([
    ['parallelism', { parallelism: 3, completions: 9 }, {}, 0, 3],
    ['the completions that are left', { parallelism: 3, completions: 9 }, { succeeded: 8 }, 0, 1],
    ['none when all have succeeded', { parallelism: 3, completions: 2 }, { succeeded: 5 }, 0, 0],
    ['beside those that run', { parallelism: 3, completions: 9 }, {}, 2, 1],
    ['of a work queue as many as may run', { parallelism: 3 }, {}, 1, 2],
    ['of a work queue none after a success', { parallelism: 3 }, { succeeded: 1 }, 1, 0],
    ['none without parallelism', { parallelism: 0, completions: 9 }, {}, 0, 0],
    ['at most 500 at a time', { parallelism: 900, completions: 900 }, {}, 0, 500],
  ])('%s', (_, options, status, active, created) => {
    const { sync, calls, action } = manage({ ...options, status }, many(active));
    expect(calls.filter((call) => call.startsWith('create'))).toHaveLength(created);
    expect(sync.active).toBe(active + created);
    expect(action).toBe(created > 0 ? 'pods_created' : 'tracking');
  });
});

describe('too many pods', () => {
  test('are deleted, and then none is created', () => {
    const { calls, sync, action } = manage({ parallelism: 1, completions: 9 }, [{ isReady: true }, {}, {}]);
    expect(calls).toEqual(['patch p1', 'delete p1', 'patch p2', 'delete p2']);
    expect(sync).toMatchObject({ active: 1, ready: 1, terminating: 2 });
    expect(action).toBe('pods_deleted');
  });

  test('are deleted at most 500 at a time', () => {
    const { sync } = manage({ parallelism: 0, completions: 9 }, many(501));
    expect(sync).toMatchObject({ active: 1, terminating: 500 });
  });

  test('are all of a suspended Job', () => {
    const { sync, error } = manage({ suspend: true, parallelism: 9 }, many(501, { isReady: true }));
    expect(sync).toMatchObject({ active: 0, ready: 0, terminating: 501 });
    expect(error).toBeUndefined();
  });

  test('are, in an indexed Job, also those without an index', () => {
    const options = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
    expect(manage(options, [{ index: 0 }, {}]).calls).toEqual(['patch p1', 'delete p1']);
  });
});

test.each([
  ['TerminatingOrFailed', 2],
  ['Failed', 1],
])('pods on their way out are replaced by policy %s: %i new', (podReplacementPolicy, created) => {
  const counted = { ...TERMINATING, isTracked: false };
  const { calls } = manage({ parallelism: 3, completions: 9, podReplacementPolicy }, [{}, counted]);
  expect(calls).toHaveLength(created);
});

describe('after failures', () => {
  const failed = (second: number, index?: number, failures = 0): JobPodOptions => ({
    ...(index !== undefined && { index, annotations: { [FAILURES]: String(failures) } }),
    status: { phase: 'Failed', containerStatuses: [ended(1, second)] },
  });

  test('all pods wait, and the Job says that none is active', () => {
    const bench = new SyncBench();
    bench.clock.advance(4000);
    const { sync, calls } = manage({ parallelism: 3, completions: 9 }, [failed(0), {}], bench);
    expect(calls).toEqual([]);
    expect(bench.resyncs).toEqual([6]);
    expect(sync.active).toBe(0);
  });

  test('a wait is a second at least', () => {
    const bench = new SyncBench();
    bench.clock.advance(9900);
    manage({ parallelism: 3, completions: 9 }, [failed(0)], bench);
    expect(bench.resyncs).toEqual([1]);
  });

  test('earlier ones are remembered', () => {
    const bench = new SyncBench();
    bench.memory.setBackOff(KEY, { failures: 2, lastFailureMillis: bench.clock.nowMillis() });
    manage({ parallelism: 3, completions: 9 }, [failed(0)], bench);
    expect(bench.resyncs).toEqual([40]);
  });

  test('with a limit per index, each index waits for itself', () => {
    const options = { completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 5 };
    const bench = new SyncBench();
    bench.clock.advance(15_000);
    const { calls } = manage(options, [failed(0, 0), failed(2, 1, 1), failed(9, 2)], bench);
    expect(calls).toEqual(['create job-0-']);
    expect(bench.resyncs).toEqual([]);
    expect(bench.api.created[0]?.metadata?.annotations?.[FAILURES]).toBe('1');
  });

  test('with a limit per index, the Job comes back when the first index may go on', () => {
    const options = { completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 5 };
    const bench = new SyncBench();
    bench.clock.advance(5000);
    const { sync, calls } = manage(options, [failed(2, 0), failed(0, 1, 2)], bench);
    expect(calls).toEqual([]);
    expect(bench.resyncs).toEqual([7]);
    expect(sync.active).toBe(0);
  });
});

test('an error is handed on, and counted', () => {
  const bench = new SyncBench();
  bench.api.failing = boomOn(/create/);
  const { sync, error } = manage({ parallelism: 3, completions: 9 }, [{}], bench);
  expect((error as Error).message).toBe('Internal error occurred: boom');
  expect(sync.active).toBe(1);
  expect(bench.metrics.createdPods.get('new', 'failed')).toBe(1);
});

test.each<[JobOptions, JobPodOptions[], string]>([
  [{}, [], 'new'],
  [{}, [TERMINATING], 'recreate_terminating_or_failed'],
  [{ podReplacementPolicy: 'Failed', status: { failed: 1 } }, [], 'recreate_failed'],
  [{ podReplacementPolicy: 'Failed' }, [TERMINATING], 'recreate_terminating_or_failed'],
])('pods are created for a reason: %j', (options, pods, reason) => {
  const bench = new SyncBench();
  bench.clock.advance(60_000);
  manage({ parallelism: 2, completions: 9, ...options }, pods, bench);
  expect(bench.metrics.createdPods.get(reason, 'succeeded')).toBeGreaterThan(0);
});
