import { describe, expect, test } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import { orphanKeyOf, orphanKeyOfPods, releaseOrphans } from '../../../src/controllers/job/orphan-pods.ts';
import { JOB_INDEXES, POD_INDEXES } from '../../../src/controllers/job/pod-indexes.ts';
import { notFound } from '../../../src/store/objects/api-error.ts';
import { makeJob, makeJobPod } from '../../builders/make-job.ts';
import { boomOn, FakeJobApi } from './fake-job-api.ts';

const COMPLETE = { conditions: [{ type: 'Complete', status: 'True' }] };
const MANUAL = { manualSelector: true, selector: { matchLabels: { app: 'x' } } };

function release(pods: readonly Pod[], jobs: readonly Job[], key: string, api = new FakeJobApi()): readonly string[] {
  const podCache = new Indexer<Pod>();
  const jobCache = new Indexer<Job>();
  for (const [name, valuesOf] of Object.entries(POD_INDEXES)) podCache.addIndex(name, valuesOf);
  for (const [name, valuesOf] of Object.entries(JOB_INDEXES)) jobCache.addIndex(name, valuesOf);
  for (const pod of pods) podCache.set(pod);
  for (const job of jobs) jobCache.set(job);
  const reportError = (error: unknown, activity: string) => api.calls.push(`${activity}: ${(error as Error).message}`);
  releaseOrphans({ api, pods: podCache, jobs: jobCache, reportError }, key as `name:${string}`);
  return api.calls;
}

describe('one pod', () => {
  const live = makeJob();
  const finished = makeJob({ status: COMPLETE });
  const pod = makeJobPod(live, 'p');
  const owned = (owner: object): Pod => ({ ...pod, metadata: { ...pod.metadata, ownerReferences: [owner as never] } });
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'uid-job', controller: true };

  test.each<[string, Pod, readonly Job[], boolean]>([
    ['of a finished Job', pod, [finished], true],
    ['of a Job that is gone', pod, [], true],
    ['of a Job whose name is another one’s', owned({ ...owner, uid: 'old' }), [live], true],
    ['of nobody', { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } }, [live], true],
    ['of a live Job', pod, [live], false],
    [
      'of a finished Job that another controller looks after',
      pod,
      [makeJob({ status: COMPLETE, managedBy: 'x.io/y' })],
      false,
    ],
    ['of an owner that is no Job', owned({ ...owner, kind: 'ReplicaSet', apiVersion: 'apps/v1' }), [], false],
    ['of a Job of another version', owned({ ...owner, apiVersion: 'batch/v2' }), [], false],
    ['without the finalizer', makeJobPod(live, 'p', { isTracked: false }), [finished], false],
  ])('%s', (_, target, jobs, isReleased) => {
    expect(release([target], jobs, orphanKeyOf(target))).toEqual(isReleased ? ['patch p'] : []);
  });

  test('that is gone is no loss; another error is', () => {
    expect(release([], [], 'name:default/p')).toEqual([]);
    const api = new FakeJobApi();
    api.failing = () => notFound('pods', 'p');
    expect(release([pod], [], 'name:default/p', api)).toEqual(['patch p']);
    api.failing = boomOn(/patch/);
    expect(() => release([pod], [], 'name:default/p', api)).toThrow('boom');
  });
});

describe('all pods of a Job', () => {
  test('are found by a generated selector', () => {
    const job = makeJob({ status: COMPLETE });
    const pods = [makeJobPod(job, 'a'), makeJobPod(job, 'b'), makeJobPod(makeJob({ name: 'other' }), 'c')];
    const key = orphanKeyOfPods(job);
    expect(key).toBe('selector:default/batch.kubernetes.io/controller-uid=uid-job');
    expect(release(pods, [job], key)).toEqual(['patch a', 'patch b']);
  });

  test('go on without one that cannot be patched, which is reported', () => {
    const job = makeJob({ status: COMPLETE });
    const api = new FakeJobApi();
    api.failing = boomOn(/patch a/);
    expect(release([makeJobPod(job, 'a'), makeJobPod(job, 'b')], [job], orphanKeyOfPods(job), api)).toEqual([
      'patch a',
      'release orphan pod default/a: Internal error occurred: boom',
      'patch b',
    ]);
  });

  test('are found by a selector of any form, in the Job’s namespace', () => {
    const template = { metadata: { labels: { app: 'x' } }, spec: {} };
    const job = makeJob({ ...MANUAL, template, status: COMPLETE });
    const elsewhere = makeJobPod(job, 'c', { metadata: { namespace: 'far', name: 'c' } });
    const key = orphanKeyOfPods(job);
    expect(key).toBe('selector:default/app=x');
    expect(release([makeJobPod(job, 'a'), elsewhere], [job], key)).toEqual(['patch a']);
  });
});
