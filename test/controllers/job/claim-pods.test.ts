import { beforeEach, describe, expect, test } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import { claimPods } from '../../../src/controllers/job/claim-pods.ts';
import { planOf, selectorOf } from '../../../src/controllers/job/job-plan.ts';
import { POD_INDEXES } from '../../../src/controllers/job/pod-indexes.ts';
import { internalError, invalid, notFound } from '../../../src/store/objects/api-error.ts';
import { makeJob, makeJobPod } from '../../builders/make-job.ts';
import { boomOn, type FakeJobApi, SyncBench } from './fake-job-api.ts';

const MANUAL = { manualSelector: true, selector: { matchLabels: { app: 'x' } } };
const TEMPLATE = { metadata: { labels: { app: 'x' } }, spec: { containers: [], restartPolicy: 'Never' } };

let bench: SyncBench;
let api: FakeJobApi;
let pods: Indexer<Pod>;
let job: Job;

beforeEach(() => {
  bench = new SyncBench();
  api = bench.api;
  pods = new Indexer<Pod>();
  for (const [name, valuesOf] of Object.entries(POD_INDEXES)) pods.addIndex(name, valuesOf);
  job = makeJob({ ...MANUAL, template: TEMPLATE });
  api.live = job;
});

const claim = (of = job): (string | undefined)[] => {
  const claimed = claimPods({ api, writes: bench.writes, pods }, of, selectorOf(planOf(of)));
  return claimed.map(({ metadata }) => metadata?.name);
};
const unowned = (name: string, metadata: Pod['metadata'] = {}): Pod =>
  makeJobPod(job, name, {
    isTracked: false,
    metadata: { name, uid: `uid-${name}`, labels: { app: 'x' }, ownerReferences: [], ...metadata },
  });
const errorOf = (): string => {
  try {
    claim();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('pods that the Job controls and selects are its own', () => {
  pods.set(makeJobPod(job, 'mine'));
  pods.set(makeJobPod(makeJob({ name: 'other' }), 'theirs', { metadata: { labels: { app: 'x' } } }));
  pods.set(makeJobPod(makeJob({ name: 'other' }), 'theirs'));
  expect(claim()).toEqual(['mine']);
  expect(api.calls).toEqual([]);
});

test.each<[string, Pod['metadata']]>([
  ['is in another namespace', { namespace: 'far' }],
  ['names another Job', { ownerReferences: [{ kind: 'Job', name: 'x', uid: 'uid-job', controller: true }] }],
  ['names something else', { ownerReferences: [{ kind: 'X', name: 'job', uid: 'uid-job', controller: true }] }],
])('a pod with the uid of the Job that %s is left alone, selected or not', (_, metadata) => {
  pods.set(makeJobPod(job, 'mine'));
  pods.set(makeJobPod(job, 'selected', { metadata: { name: 'selected', ...metadata } }));
  expect(claim()).toEqual(['mine']);
  pods.set(makeJobPod(job, 'other', { metadata: { name: 'other', labels: { app: 'y' }, ...metadata } }));
  expect(claim()).toEqual(['mine']);
  expect(api.calls).toEqual([]);
});

test('one that is selected no more is released, though all were selected before', () => {
  for (const name of ['a', 'b', 'c']) pods.set(makeJobPod(job, name));
  expect(claim()).toEqual(['a', 'b', 'c']);
  pods.set(makeJobPod(job, 'b', { metadata: { labels: { app: 'y' } } }));
  expect(claim()).toEqual(['a', 'c']);
  expect(api.calls).toEqual(['patch b']);
});

describe('pods that nobody controls', () => {
  test('are adopted: they get an owner and a finalizer, and are tracked from now on', () => {
    pods.set(unowned('free'));
    const [adopted] = claimPods({ api, writes: bench.writes, pods }, job, selectorOf(planOf(job)));
    expect(adopted?.metadata?.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
    expect(api.calls).toEqual(['get job', 'patch free']);
    expect(api.patches[0]?.metadata).toMatchObject({
      uid: 'uid-free',
      ownerReferences: [{ kind: 'Job', name: 'job', uid: 'uid-job', controller: true }],
      finalizers: ['batch.kubernetes.io/job-tracking'],
    });
  });

  test('stay alone when they are not selected, or on their way out', () => {
    pods.set(unowned('other', { labels: { app: 'y' } }));
    pods.set(unowned('elsewhere', { namespace: 'far' }));
    pods.set(unowned('leaving', { deletionTimestamp: '2026-01-01T00:00:30Z' }));
    expect(claim()).toEqual([]);
    expect(api.calls).toEqual([]);
  });

  test('are found by the label of a generated selector', () => {
    job = makeJob();
    api.live = job;
    const labels = job.spec?.template?.metadata?.labels;
    pods.set(unowned('free', { labels }));
    pods.set(unowned('other', { labels: { ...labels, 'batch.kubernetes.io/controller-uid': 'uid-other' } }));
    expect(claim()).toEqual(['free']);
  });

  test('that are gone are no loss', () => {
    pods.set(unowned('gone'));
    pods.set(unowned('here'));
    api.failing = (call) => (call === 'patch gone' ? notFound('pods', 'gone') : undefined);
    expect(claim()).toEqual(['here']);
  });

  test('cannot be adopted by a Job that is being deleted, or is another one by now', () => {
    pods.set(unowned('free'));
    pods.set(unowned('too'));
    const deletionTimestamp = '2026-01-01T00:00:05Z';
    api.live = { ...job, metadata: { ...job.metadata, deletionTimestamp } };
    const why = 'default/job has just been deleted at 2026-01-01 00:00:05 +0000 UTC';
    expect(errorOf()).toBe(
      `[can't adopt Pod default/free (uid-free): ${why}, can't adopt Pod default/too (uid-too): ${why}]`,
    );
    // The Job is looked up once.
    expect(api.calls).toEqual(['get job']);
    api.live = { ...job, metadata: { ...job.metadata, uid: 'new' } };
    pods.delete('default/too');
    expect(errorOf()).toBe(
      "can't adopt Pod default/free (uid-free): can't recheck DeletionTimestamp: " +
        'original Job default/job is gone: got uid new, wanted uid-job',
    );
    api.failing = boomOn(/get/);
    expect(errorOf()).toContain("can't recheck DeletionTimestamp: Internal error occurred: boom");
  });
});

describe('pods that the Job controls but does not select', () => {
  const strayed = (): Pod => makeJobPod(job, 'strayed', { metadata: { labels: {} } });

  test('are released, without owner and finalizer', () => {
    pods.set(strayed());
    pods.set(makeJobPod(job, 'mine'));
    expect(claim()).toEqual(['mine']);
    expect(api.patches[0]?.metadata).toEqual({
      uid: 'uid-strayed',
      ownerReferences: [{ $patch: 'delete', uid: 'uid-job' }],
      '$deleteFromPrimitiveList/finalizers': ['batch.kubernetes.io/job-tracking'],
    });
  });

  test.each([
    ['is gone', notFound('pods', 'strayed'), ''],
    ['is not ours any more', invalid('pods', 'strayed', [{ field: 'x', reason: 'y' }]), ''],
    ['cannot be patched', internalError('boom'), 'Internal error occurred: boom'],
  ])('a pod that %s', (_, error, thrown) => {
    pods.set(strayed());
    api.failing = () => error;
    expect(errorOf()).toBe(thrown);
  });
});

test('a Job that is being deleted adopts and releases nothing', () => {
  pods.set(unowned('free'));
  pods.set(makeJobPod(job, 'mine'));
  const leaving = { ...job, metadata: { ...job.metadata, deletionTimestamp: '2026-01-01T00:00:05Z' } };
  expect(claim(leaving)).toEqual(['mine']);
  expect(api.calls).toEqual([]);
});
