import { beforeEach, describe, expect, test } from 'vitest';
import type { Job } from '../../../src/api/job.ts';
import type { ObjectMeta } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import { objectKey } from '../../../src/client/object-key.ts';
import type { DelayingQueue, WorkQueue } from '../../../src/client/queue/work-queues.ts';
import { JobHandler, PodHandler } from '../../../src/controllers/job/event-handlers.ts';
import { JobMemory } from '../../../src/controllers/job/job-memory.ts';
import { JobMetrics } from '../../../src/controllers/job/metrics.ts';
import type { OrphanKey } from '../../../src/controllers/job/orphan-pods.ts';
import { JOB_INDEXES } from '../../../src/controllers/job/pod-indexes.ts';
import { FakeClock } from '../../../src/lib/clock.ts';
import { atSecond, type JobOptions, makeJob, makeJobPod } from '../../builders/make-job.ts';
import { KEY } from './fake-job-api.ts';

const COMPLETE = { conditions: [{ type: 'Complete', status: 'True' }] };
const TERMINATING = { deletionTimestamp: '2026-01-01T00:00:30Z' };
const ORPHANS = 'orphans selector:default/batch.kubernetes.io/controller-uid=uid-job';

/** What the queues were asked: `key +seconds`, or `orphans key`. */
let asked: string[];
let clock: FakeClock;
let jobs: Indexer<Job>;
let memory: JobMemory;
let metrics: JobMetrics;
let jobHandler: JobHandler;
let podHandler: PodHandler;

beforeEach(() => {
  asked = [];
  clock = new FakeClock(Date.UTC(2026, 0, 1));
  jobs = new Indexer<Job>();
  for (const [name, valuesOf] of Object.entries(JOB_INDEXES)) jobs.addIndex(name, valuesOf);
  memory = new JobMemory(clock);
  metrics = new JobMetrics();
  const queue = {
    addAfter: (key: string, delayMillis: number) => asked.push(`${key} +${delayMillis / 1000}`),
  } as unknown as DelayingQueue<string>;
  const orphanQueue = { add: (key: string) => asked.push(`orphans ${key}`) } as unknown as WorkQueue<OrphanKey>;
  const modules = { jobs, queue, orphanQueue, memory, metrics, clock };
  jobHandler = new JobHandler(modules);
  podHandler = new PodHandler(modules);
});

describe('a Job', () => {
  const of = (generation: number, options: JobOptions = {}): Job => {
    const job = makeJob(options);
    return { ...job, metadata: { ...job.metadata, generation } };
  };

  test('that comes, goes or changes its spec is synced now', () => {
    jobHandler.onAdd(of(1));
    jobHandler.onUpdate(of(1), of(2));
    jobHandler.onDelete(of(2));
    expect(asked).toEqual([`${KEY} +0`, `${KEY} +0`, `${KEY} +0`, ORPHANS]);
  });

  test('whose status changes is synced soon', () => {
    jobHandler.onUpdate(of(1), of(1, { status: { active: 1 } }));
    expect(asked).toEqual([`${KEY} +1`]);
  });

  test('that is finished only needs its pods released', () => {
    memory.finished.add('uid-job');
    jobHandler.onUpdate(of(1), of(2, { status: COMPLETE }));
    expect(asked).toEqual([ORPHANS]);
    expect(memory.finished.size).toBe(0);
  });

  test.each([
    [undefined, 20, 17],
    [10, 20, 17],
    [10, 2, -1],
    [10, 10, undefined],
    [10, undefined, undefined],
  ])('whose deadline was %s and becomes %s is synced at it: %s', (before, after, delaySeconds) => {
    clock.advance(5000);
    const status = { startTime: atSecond(2) };
    const deadline = (activeDeadlineSeconds: number | undefined) =>
      activeDeadlineSeconds === undefined ? { status } : { status, activeDeadlineSeconds };
    jobHandler.onUpdate(of(1, deadline(before)), of(2, deadline(after)));
    expect(asked).toEqual([`${KEY} +0`, ...(delaySeconds === undefined ? [] : [`${KEY} +${delaySeconds}`])]);
  });

  test('that another controller looks after is counted', () => {
    jobHandler.onAdd(of(1, { managedBy: 'example.com/other' }));
    expect(metrics.externalJobs.get('example.com/other')).toBe(1);
  });
});

describe('a pod of a Job', () => {
  const job = makeJob();
  const pod = (resourceVersion: string, metadata: ObjectMeta = {}): Pod =>
    makeJobPod(job, 'p', { metadata: { resourceVersion, ...metadata } });

  beforeEach(() => {
    jobs.set(job);
    memory.expectations.expectCreations(KEY, 1);
  });

  const open = () => {
    const { creations, deletions } = memory.expectations.get(KEY) ?? {};
    return [creations, deletions];
  };

  test('that comes was expected', () => {
    podHandler.onAdd(pod('1'));
    expect(asked).toEqual([`${KEY} +1`]);
    expect(open()).toEqual([0, 0]);
  });

  test('that changes lets the Job be synced; the same version again does not', () => {
    podHandler.onUpdate(pod('1'), pod('2'));
    podHandler.onUpdate(pod('2'), pod('2'));
    expect(asked).toEqual([`${KEY} +1`]);
  });

  test('that has lost its finalizer fulfils that expectation', () => {
    memory.finalizerRemovals.expect(KEY, ['uid-p']);
    podHandler.onUpdate(pod('1'), pod('2', { finalizers: [] }));
    expect(memory.finalizerRemovals.get(KEY).size).toBe(0);
  });

  test('that is marked as being deleted is as good as gone, and no creation', () => {
    memory.expectations.expectDeletions(KEY, 3);
    memory.finalizerRemovals.expect(KEY, ['uid-p']);
    podHandler.onAdd(pod('1', TERMINATING));
    podHandler.onUpdate(pod('1'), pod('2', TERMINATING));
    expect(open()).toEqual([0, 1]);
    expect(memory.finalizerRemovals.get(KEY).size).toBe(1);
    podHandler.onDelete(pod('3', TERMINATING));
    expect(open()).toEqual([0, 0]);
    expect(memory.finalizerRemovals.get(KEY).size).toBe(0);
    expect(asked).toEqual([`${KEY} +1`, `${KEY} +1`, `${KEY} +1`]);
  });

  test('that is finished, or gone, is released when it goes', () => {
    jobs.set(makeJob({ status: COMPLETE }));
    podHandler.onDelete(pod('1'));
    jobs.delete(objectKey(job));
    podHandler.onUpdate(pod('1'), pod('2', TERMINATING));
    podHandler.onDelete(pod('3', { finalizers: [] }));
    expect(asked).toEqual(['orphans name:default/p', 'orphans name:default/p']);
  });

  test('that nobody knows, or that belongs to another kind of owner, concerns nobody', () => {
    const foreign = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'job', uid: 'uid-job', controller: true }];
    podHandler.onAdd(pod('1', { ownerReferences: foreign }));
    jobs.set({ ...job, metadata: { ...job.metadata, uid: 'new' } });
    podHandler.onAdd(pod('1'));
    expect(asked).toEqual([]);
  });

  test('that moves to another Job lets both be synced', () => {
    const other = makeJob({ name: 'other' });
    jobs.set(other);
    memory.finalizerRemovals.expect(KEY, ['uid-p']);
    const moved = makeJobPod(other, 'p', { isTracked: false, metadata: { resourceVersion: '2' } });
    podHandler.onUpdate(pod('1'), moved);
    expect(asked).toEqual([`${KEY} +1`, 'default/other +1']);
    expect(memory.finalizerRemovals.get(KEY).size).toBe(0);
  });
});

describe('a pod that nobody controls', () => {
  const manual = { manualSelector: true, selector: { matchLabels: { app: 'x' } } };
  const template = { metadata: { labels: { app: 'x' } }, spec: {} };
  const free = (resourceVersion: string, labels: Record<string, string>, finalizers: string[] = []): Pod => ({
    metadata: { name: 'p', namespace: 'default', uid: 'uid-p', resourceVersion, labels, finalizers },
  });

  beforeEach(() => {
    jobs.set(makeJob({ name: 'a', ...manual, template }));
    jobs.set(makeJob({ name: 'b', ...manual, template }));
    jobs.set(makeJob({ name: 'c' }));
    jobs.set(makeJob({ name: 'far', ...manual, template, metadata: { namespace: 'far' } }));
  });

  test('wakes every Job that selects it', () => {
    podHandler.onAdd(free('1', { app: 'x' }));
    podHandler.onAdd(free('1', { 'batch.kubernetes.io/controller-uid': 'uid-c' }));
    podHandler.onAdd(free('1', {}));
    expect(asked).toEqual(['default/a +1', 'default/b +1', 'default/c +1']);
  });

  test('wakes them again only when its labels or its owner change', () => {
    podHandler.onUpdate(free('1', { app: 'x' }), free('2', { app: 'x' }));
    expect(asked).toEqual([]);
    podHandler.onUpdate(free('1', { app: 'y' }), free('2', { app: 'x' }));
    expect(asked).toEqual(['default/a +1', 'default/b +1']);
  });

  test('loses a finalizer that it has', () => {
    const finalizers = ['batch.kubernetes.io/job-tracking'];
    podHandler.onAdd(free('1', {}, finalizers));
    podHandler.onUpdate(free('1', {}, finalizers), free('2', {}, finalizers));
    podHandler.onDelete(free('3', {}, finalizers));
    expect(asked).toEqual(Array.from({ length: 3 }, () => 'orphans name:default/p'));
  });
});

test('finished pods with finalizer are counted when they come to be, and when they are no more', () => {
  const job = makeJob();
  const running = makeJobPod(job, 'p', { phase: 'Running' });
  const done = makeJobPod(job, 'p', { phase: 'Failed' });
  podHandler.onAdd(running);
  podHandler.onUpdate(running, done);
  podHandler.onUpdate(done, done);
  podHandler.onDelete(done);
  expect([...metrics.finishedTrackedPods.entries()]).toEqual([
    [['add'], 1],
    [['delete'], 1],
  ]);
});
