import { beforeEach, describe, expect, test } from 'vitest';
import type { JobSpec, JobStatus } from '../../../src/api/job.ts';
import { timeAtMillis } from '../../../src/api/time.ts';
import { GarbageCollector } from '../../../src/controllers/garbage-collector/garbage-collector.ts';
import { TtlAfterFinishedController } from '../../../src/controllers/ttl-after-finished/ttl-controller.ts';
import { makePod } from '../../builders/make-pod.ts';
import { ControlPlane } from '../control-plane.ts';

let plane: ControlPlane;

beforeEach(() => {
  plane = new ControlPlane();
  const { client, informers, loop, reportError } = plane;
  new TtlAfterFinishedController({ client, informers, loop, reportError }).start();
  informers.start();
  plane.runSeconds(1);
});

function createJob(name: string, spec: JobSpec = {}): void {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  plane.store.create('jobs', { metadata: { name, namespace: 'default' }, spec: { template, ...spec } });
}

/** Finishes a Job now, or so many seconds ago. */
function finish(name: string, type: 'Complete' | 'Failed', secondsAgo = 0): void {
  const now = timeAtMillis(plane.loop.nowMillis() - secondsAgo * 1000);
  const before = { Complete: 'SuccessCriteriaMet', Failed: 'FailureTarget' }[type];
  const conditions = [before, type].map((each) => ({ type: each, status: 'True', lastTransitionTime: now }));
  const status: JobStatus = { startTime: now, conditions, ...(type === 'Complete' && { completionTime: now }) };
  plane.store.patch('jobs', 'default', name, { type: 'merge', body: { status } }, 'status');
}

const isDeleting = (name: string): boolean =>
  plane.store.get('jobs', 'default', name).metadata?.deletionTimestamp !== undefined;

describe('a Job that has ended', () => {
  test.each(['Complete', 'Failed'] as const)('is deleted when its time is over: %s', (type) => {
    createJob('j', { ttlSecondsAfterFinished: 100 });
    plane.runSeconds(50);
    finish('j', type);
    plane.runSeconds(99);
    expect(isDeleting('j')).toBe(false);
    plane.runSeconds(2);
    expect(isDeleting('j')).toBe(true);
    expect(plane.store.get('jobs', 'default', 'j').metadata?.finalizers).toEqual(['foregroundDeletion']);
  });

  test('is deleted at once when it may not stay at all, or ended long ago', () => {
    createJob('at-once', { ttlSecondsAfterFinished: 0 });
    createJob('long-ago', { ttlSecondsAfterFinished: 10 });
    finish('at-once', 'Complete');
    finish('long-ago', 'Failed', 11);
    plane.runSeconds(1);
    expect([isDeleting('at-once'), isDeleting('long-ago')]).toEqual([true, true]);
  });

  test('stays for ever when it says nothing', () => {
    createJob('j');
    finish('j', 'Complete');
    plane.runSeconds(1e6);
    expect(isDeleting('j')).toBe(false);
  });

  test('stays longer, or shorter, when its time is changed', () => {
    for (const name of ['longer', 'shorter']) {
      createJob(name, { ttlSecondsAfterFinished: 100 });
      finish(name, 'Complete');
    }
    plane.runSeconds(1);
    const spec = (ttlSecondsAfterFinished: number) =>
      ({ type: 'merge', body: { spec: { ttlSecondsAfterFinished } } }) as const;
    plane.store.patch('jobs', 'default', 'longer', spec(200));
    plane.store.patch('jobs', 'default', 'shorter', spec(10));
    plane.runSeconds(20);
    expect([isDeleting('longer'), isDeleting('shorter')]).toEqual([false, true]);
    plane.runSeconds(170);
    expect(isDeleting('longer')).toBe(false);
    plane.runSeconds(20);
    expect(isDeleting('longer')).toBe(true);
  });
});

test('a Job that runs is left alone', () => {
  createJob('j', { ttlSecondsAfterFinished: 0 });
  plane.runSeconds(1000);
  expect(isDeleting('j')).toBe(false);
});

test('what the API says counts, not an old cache', () => {
  createJob('j', { ttlSecondsAfterFinished: 100 });
  finish('j', 'Complete');
  plane.runSeconds(1);
  plane.informers.of('jobs').stop();
  plane.store.patch('jobs', 'default', 'j', { type: 'merge', body: { spec: { ttlSecondsAfterFinished: 300 } } });
  plane.runSeconds(200);
  expect(isDeleting('j')).toBe(false);
  plane.runSeconds(100);
  expect(isDeleting('j')).toBe(true);
});

test('another Job of the name is another Job', () => {
  createJob('j', { ttlSecondsAfterFinished: 100 });
  finish('j', 'Complete');
  plane.runSeconds(1);
  plane.informers.of('jobs').stop();
  plane.store.delete('jobs', 'default', 'j', { propagationPolicy: 'Background' });
  createJob('j');
  plane.runSeconds(200);
  expect(isDeleting('j')).toBe(false);
  expect(plane.reported).toEqual([]);
});

test('a refusal is reported, and tried again', () => {
  createJob('j', { ttlSecondsAfterFinished: 10 });
  plane.isRefused = ({ verb }) => verb === 'delete';
  finish('j', 'Complete');
  plane.runSeconds(12);
  expect(plane.reported[0]).toBe('sync ttl of job default/j: Internal error occurred: boom');
  plane.isRefused = () => false;
  plane.runSeconds(10);
  expect(isDeleting('j')).toBe(true);
});

test('with the garbage collector nothing remains of the Job', () => {
  const { client, informers, loop, reportError } = plane;
  new GarbageCollector({ client, informers, loop, reportError }).start();
  informers.start();
  createJob('j', { ttlSecondsAfterFinished: 10 });
  const { uid = '' } = plane.store.get('jobs', 'default', 'j').metadata ?? {};
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid, controller: true, blockOwnerDeletion: true };
  plane.store.create('pods', {
    ...makePod('p'),
    metadata: { name: 'p', namespace: 'default', ownerReferences: [owner] },
  });
  finish('j', 'Complete');
  plane.runSeconds(9);
  expect(plane.names('pods')).toEqual(['default/p']);
  plane.runSeconds(2);
  expect([plane.names('jobs'), plane.names('pods')]).toEqual([[], []]);
});
