import { describe, expect, test } from 'vitest';
import { deleteActivePods, deleteUnwantedPods } from '../../../src/controllers/job/pod-writes.ts';
import { notFound } from '../../../src/store/objects/api-error.ts';
import { type JobPodOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';
import { boomOn, SyncBench } from './fake-job-api.ts';

const READY = { phase: 'Running', isReady: true };
const job = makeJob();
const podsOf = (pods: Record<string, JobPodOptions>) =>
  Object.entries(pods).map(([name, options]) => makeJobPod(job, name, options));

function remove(bench: SyncBench, pods: Record<string, JobPodOptions>) {
  const made = podsOf(pods);
  return deleteUnwantedPods(bench.writes, bench.memory.expectations, bench.observe(job, made), made);
}

describe('pods that are no longer wanted', () => {
  test('lose the finalizer before they are deleted', () => {
    const bench = new SyncBench();
    expect(remove(bench, { a: READY, b: { isTracked: false } })).toMatchObject({ deleted: 2, unready: 1 });
    expect(bench.api.calls).toEqual(['patch a', 'delete a', 'delete b']);
    expect(bench.api.patches).toEqual([
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['batch.kubernetes.io/job-tracking'] } },
    ]);
    expect(bench.api.events).toEqual([
      'Normal SuccessfulDelete Deleted pod: a',
      'Normal SuccessfulDelete Deleted pod: b',
    ]);
    expect(bench.expected).toEqual([0, 2]);
  });

  test('stay when they keep the finalizer', () => {
    const bench = new SyncBench();
    bench.api.failing = boomOn(/patch a/);
    const { error, ...counts } = remove(bench, { a: READY, b: READY });
    expect(counts).toEqual({ deleted: 1, unready: 1 });
    expect((error as Error).message).toBe('Internal error occurred: boom');
    expect(bench.api.calls).toEqual(['patch a', 'patch b', 'delete b']);
    expect(bench.expected).toEqual([0, 1]);
  });

  test('are not expected to go when that was refused; ready ones count as gone all the same', () => {
    const bench = new SyncBench();
    bench.api.failing = boomOn(/delete a/);
    const { error, ...counts } = remove(bench, { a: READY, b: READY });
    expect(counts).toEqual({ deleted: 1, unready: 2 });
    expect((error as Error).message).toBe('unable to delete pods: Internal error occurred: boom');
    expect(bench.api.events[0]).toBe('Warning FailedDelete Error deleting: Internal error occurred: boom');
    expect(bench.expected).toEqual([0, 1]);
  });

  test('are deleted when they are gone already', () => {
    const bench = new SyncBench();
    bench.api.failing = (call) => (/patch a|delete b/.test(call) ? notFound('pods', 'x') : undefined);
    expect(remove(bench, { a: READY, b: {} })).toEqual({ deleted: 2, unready: 0, error: undefined });
    expect(bench.api.events).toEqual([]);
    expect(bench.expected).toEqual([0, 0]);
  });
});

test('the active pods of a Job that ends keep the finalizer', () => {
  const bench = new SyncBench();
  bench.api.failing = boomOn(/delete a/);
  const pods = podsOf({ a: READY, b: READY, c: { phase: 'Succeeded' } });
  expect(deleteActivePods(bench.writes, bench.observe(job, pods))).toMatchObject({ deleted: 1, unready: 2 });
  expect(bench.api.calls).toEqual(['delete a', 'delete b']);
  expect(bench.expected).toEqual([0, 0]);
});
