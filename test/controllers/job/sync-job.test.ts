import { beforeEach, describe, expect, test } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import { POD_INDEXES } from '../../../src/controllers/job/pod-indexes.ts';
import { syncJob } from '../../../src/controllers/job/sync-job.ts';
import { WrittenVersions } from '../../../src/controllers/job/written-versions.ts';
import { notFound } from '../../../src/store/objects/api-error.ts';
import { atSecond, type JobOptions, type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';
import { boomOn, KEY, SyncBench } from './fake-job-api.ts';

const READY = { phase: 'Running', isReady: true };
let bench: SyncBench;
let jobs: Indexer<Job>;
let pods: Indexer<Pod>;
let seenPods: string;
let writtenVersions: WrittenVersions;

beforeEach(() => {
  bench = new SyncBench();
  jobs = new Indexer<Job>();
  pods = new Indexer<Pod>();
  for (const [name, valuesOf] of Object.entries(POD_INDEXES)) pods.addIndex(name, valuesOf);
  seenPods = '1';
  writtenVersions = new WrittenVersions({ pods: () => seenPods, jobs: () => '1' });
});

function given(options: JobOptions, made: Record<string, JobPodOptions> = {}): Job {
  const job = makeJob(options);
  jobs.set(job);
  for (const [name, pod] of Object.entries(made)) pods.set(makeJobPod(job, name, pod));
  return job;
}

function sync(): string {
  const { api, writes, memory, metrics, clock, syncAfter } = bench;
  try {
    syncJob({ api, writes, jobs, pods, memory, metrics, clock, writtenVersions, syncAfter }, KEY);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('nothing is done', () => {
  test('while a cache is older than the last write', () => {
    given({});
    writtenVersions.wrote(KEY, 'uid-job', 'pods', '7');
    expect(sync()).toContain('not as new');
    expect(bench.api.calls).toEqual([]);
    expect(bench.metrics.staleSyncs.get()).toBe(1);
    seenPods = '7';
    expect(sync()).toBe('');
    expect(bench.api.calls).toEqual(['create job-', 'status']);
  });

  test('for a Job that is gone, but to forget it', () => {
    bench.memory.expectations.expectCreations(KEY, 1);
    bench.memory.finalizerRemovals.expect(KEY, ['uid']);
    bench.memory.setBackOff(KEY, { failures: 1, lastFailureMillis: 0 });
    expect(sync()).toBe('');
    expect(bench.memory.expectations.get(KEY)).toBeUndefined();
    expect(bench.memory.finalizerRemovals.get(KEY).size).toBe(0);
    expect(bench.memory.backOffRecords.size).toBe(0);
  });

  test('for a Job that another controller looks after', () => {
    given({ managedBy: 'example.com/other' }, { a: { phase: 'Failed' } });
    expect(sync()).toBe('');
    expect(bench.api.calls).toEqual([]);
  });

  test('for a finished Job, but to forget its failures', () => {
    given({ status: { conditions: [{ type: 'Failed', status: 'True' }] } }, { a: READY });
    bench.memory.setBackOff(KEY, { failures: 1, lastFailureMillis: 0 });
    expect(sync()).toBe('');
    expect(bench.api.calls).toEqual([]);
    expect(bench.memory.backOffRecords.size).toBe(0);
  });

  test('for a Job whose end was written and is not seen yet', () => {
    given({}, { a: READY });
    bench.memory.finished.add('uid-job');
    expect(sync()).toBe('');
    expect(bench.api.calls).toEqual([]);
  });

  test('for a Job of an unknown mode, which an event reports', () => {
    given({ completionMode: 'Sideways' });
    expect(sync()).toBe('');
    expect(bench.api.calls).toEqual([]);
    expect(bench.api.events).toEqual([
      'Warning UnknownCompletionMode Skipped Job sync because completion mode is unknown',
    ]);
  });

  test('when the selector is none', () => {
    given({ manualSelector: true, selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } });
    expect(sync()).toBe(`couldn't convert Job selector: "Near" is not a valid label selector operator`);
  });
});

test('a Job starts: it gets pods, and a status', () => {
  given({ parallelism: 2, completions: 5 });
  expect(sync()).toBe('');
  expect(bench.api.calls).toEqual(['create job-', 'create job-', 'status']);
  expect(bench.api.statuses).toEqual([
    { startTime: atSecond(0), active: 2, ready: 0, terminating: 0, uncountedTerminatedPods: {} },
  ]);
  expect([...bench.metrics.syncs.entries()]).toEqual([[['NonIndexed', 'success', 'pods_created'], 1]]);
});

test('a Job that is as it should be needs no call', () => {
  const status = { startTime: atSecond(0), active: 1, ready: 1, terminating: 0 };
  given({ status }, { a: READY });
  expect(sync()).toBe('');
  expect(bench.api.calls).toEqual([]);
});

test('while writes are not seen, nothing is created or deleted for scale; all else goes on', () => {
  bench.memory.expectations.expectCreations(KEY, 1);
  given({ parallelism: 3, completions: 5 }, { a: READY, b: { phase: 'Succeeded' } });
  expect(sync()).toBe('');
  expect(bench.api.calls).toEqual(['status', 'patch b', 'status']);
  expect(bench.api.statuses[1]).toMatchObject({ active: 1, succeeded: 1 });
});

test('a pod that is gone counts again while the cache still shows it with its finalizer, as upstream', () => {
  const job = given({ completions: 5, backoffLimit: 99 }, { a: { phase: 'Failed' } });
  bench.memory.expectations.expectCreations(KEY, 1);
  bench.api.failing = (call) => (call === 'patch a' ? notFound('pods', 'a') : undefined);
  expect(sync()).toBe('');
  expect(bench.api.calls).toEqual(['status', 'patch a', 'status']);
  expect(bench.api.statuses[1]).toMatchObject({ failed: 1, uncountedTerminatedPods: {} });
  jobs.set({ ...job, status: bench.api.statuses[1] as object });
  expect(sync()).toBe('');
  expect(bench.api.statuses[2]).toMatchObject({ failed: 1, uncountedTerminatedPods: { failed: ['uid-a'] } });
  expect(bench.api.statuses[3]).toMatchObject({ failed: 2, uncountedTerminatedPods: {} });
  jobs.set({ ...job, status: bench.api.statuses[3] as object });
  pods.delete(KEY.replace('job', 'a'));
  expect(sync()).toBe('');
  expect(bench.api.calls).toHaveLength(6);
});

test('a deadline is waited for, and then ends the Job', () => {
  given({ activeDeadlineSeconds: 30, status: { startTime: atSecond(0) } }, { a: READY });
  bench.clock.advance(29_000);
  sync();
  expect(bench.resyncs).toEqual([1]);
  bench.clock.advance(1000);
  expect(sync()).toBe('');
  expect(bench.resyncs).toEqual([1]);
  expect(bench.api.calls.slice(-4)).toEqual(['delete a', 'status', 'patch a', 'status']);
  // The deleted pod is on its way out: the Job has not failed before that is over.
  expect(bench.api.statuses.at(-1)).toMatchObject({ failed: 1, terminating: 1, ready: 0 });
});

describe('a Job that ends', () => {
  test('is not over while a pod could not be deleted', () => {
    given({ backoffLimit: 0, status: { failed: 1 } }, { a: READY, b: READY });
    bench.api.failing = boomOn(/delete a/);
    expect(sync()).toContain('unable to delete pods');
    expect(bench.api.calls).toEqual(['delete a', 'delete b', 'status']);
    expect(bench.api.statuses[0]).not.toHaveProperty('conditions');
    expect(bench.api.statuses[0]).toMatchObject({ active: 1, terminating: 1 });
  });

  test('is not over while there may be pods that are not seen', () => {
    bench.memory.expectations.expectCreations(KEY, 1);
    given({ backoffLimit: 0, status: { failed: 1 } }, { a: READY });
    expect(sync()).toBe('');
    expect(bench.api.calls).toEqual(['delete a', 'status']);
    expect(bench.api.statuses[0]).not.toHaveProperty('conditions');
  });
});

test('a Job that is being deleted is not scaled', () => {
  given({ metadata: { name: 'job', deletionTimestamp: atSecond(0) }, parallelism: 3, suspend: true }, { a: {} });
  expect(sync()).toBe('');
  expect(bench.api.calls).toEqual(['status', 'patch a']);
  expect(bench.api.statuses[0]).not.toHaveProperty('conditions');
});

test('an error of the status goes before one of the pods', () => {
  given({});
  bench.api.failing = boomOn(/create|status/);
  expect(sync()).toBe('tracking status: adding uncounted pods to status: Internal error occurred: boom');
  bench.api.failing = boomOn(/create/);
  expect(sync()).toBe('Internal error occurred: boom');
  expect([...bench.metrics.syncs.entries()]).toEqual([[['NonIndexed', 'error', 'pods_created'], 2]]);
});
