import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { PodWorker, type UpdateType } from '../../../src/kubelet/pod-workers/pod-worker.ts';
import type { OnSynced, PodSyncer, SyncResult } from '../../../src/kubelet/pod-workers/sync-result.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';

const STATUS = { uid: 'p', name: 'p', ips: [], containerStatuses: [], sandboxStatuses: [] };
const POD: Pod = { metadata: { uid: 'p' }, spec: { terminationGracePeriodSeconds: 30 } };

function deletedIn(seconds: number): Pod {
  const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: seconds };
  return { ...POD, metadata: { uid: 'p', ...deletion } };
}

let loop: VirtualEventLoop;
/** What was begun, ended, cancelled and asked for, in order. */
let seen: string[];
/** The time that syncs take, and their result. */
let syncMillis: number;
let result: SyncResult;
let inWork: number;
/** Whether statuses are outdated when they arrive. */
let areOutdated: boolean;

function sync(name: string, onSynced: OnSynced) {
  seen.push(name);
  expect(++inWork).toBe(1);
  const timer = loop.after(syncMillis, () => {
    inWork--;
    onSynced(result);
  });
  return {
    cancel: () => {
      seen.push('cancelled');
      inWork--;
      timer.cancel();
    },
  };
}

const syncer: PodSyncer = {
  syncPod: (_, __, onSynced) => sync('sync', onSynced),
  syncTerminatingPod: (_, __, seconds, onSynced) => sync(`terminating within ${seconds} s`, onSynced),
  syncTerminatedPod: (_, __, onSynced) => sync('terminated', onSynced),
};

function newWorker(maySkipResyncs = true): PodWorker {
  return new PodWorker(POD, {
    clock: loop,
    syncer,
    getNewerThan: (_, __, onAnswer) => loop.soon(() => onAnswer({ status: STATUS }, areOutdated)),
    requestRelist: () => seen.push('relist'),
    enqueue: (_, delayMillis) => seen.push(`again in ${delayMillis}`),
    jitterShare: () => 0,
    resyncAtMillis: (dueMillis) => dueMillis,
    maySkipResyncs: () => maySkipResyncs,
  });
}

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  seen = [];
  syncMillis = 100;
  result = {};
  inWork = 0;
  areOutdated = false;
});

describe('PodWorker', () => {
  test('updates during a sync are one sync after it', () => {
    const worker = newWorker();
    worker.update(POD, 'update');
    loop.runUntil(50);
    for (let i = 0; i < 3; i++) worker.update(POD, 'event');
    loop.runUntil(300);
    // While the second takes its time, the resync after the first may come.
    expect(seen).toEqual(['sync', 'again in undefined', 'sync', 'again in 60000', 'again in undefined']);
  });

  test('an event that comes before an outdated status is not forgotten', () => {
    const worker = newWorker();
    areOutdated = true;
    worker.update(POD, 'event');
    loop.runUntil(50);
    areOutdated = false;
    loop.runUntil(300);
    expect(seen.filter((each) => each === 'sync')).toEqual(['sync', 'sync']);
  });

  test('a pod that has ended goes through all states, without anybody asking', () => {
    const worker = newWorker();
    result = { isTerminal: true };
    worker.update(POD, 'update');
    loop.runUntilIdle();
    const ended = ['sync', 'again in 0', 'terminating within 30 s', 'again in 0', 'terminated', 'again in undefined'];
    expect(seen).toEqual(ended);
    expect([worker.mayRun, worker.isFinished]).toEqual([false, true]);
    worker.update(POD, 'update');
    loop.runUntilIdle();
    expect(seen).toEqual(ended);
  });

  test('a deletion overtakes a sync, and a shorter grace period the termination', () => {
    const worker = newWorker();
    worker.update(POD, 'update');
    loop.runUntil(50);
    worker.update(deletedIn(20), 'update');
    loop.runUntil(90);
    worker.update(deletedIn(20), 'update');
    worker.update(deletedIn(5), 'update');
    loop.runUntilIdle();
    expect(seen.filter((each) => !each.startsWith('again'))).toEqual([
      ...['sync', 'cancelled', 'terminating within 20 s', 'cancelled', 'terminating within 5 s', 'terminated'],
    ]);
  });

  test('a failed sync stays in its state, and is tried again', () => {
    const worker = newWorker();
    result = { error: { message: 'no' } };
    worker.update(deletedIn(5), 'update');
    loop.runUntilIdle();
    expect(seen).toEqual(['terminating within 5 s', 'again in 10000']);
    result = {};
    worker.update(deletedIn(5), 'resync');
    loop.runUntilIdle();
    expect(worker.isFinished).toBe(true);
  });

  test('what was done is looked at at once, and resynced because the pod is not idle', () => {
    const worker = newWorker();
    result = { hasActed: true };
    worker.update(POD, 'update');
    loop.runUntilIdle();
    expect(seen).toEqual(['sync', 'again in 60000', 'relist']);
  });

  test('resyncs that were left out come back when they may not be', () => {
    const worker = newWorker();
    worker.update(POD, 'update');
    loop.runUntil(200_000);
    worker.resumeResyncs();
    // Synced at 100 ms, and then every minute.
    expect(seen).toEqual(['sync', 'again in undefined', 'again in 40100']);
    worker.resumeResyncs();
    expect(seen).toHaveLength(3);
  });

  test('never has two syncs at once, whatever comes when', () => {
    const step = fc.record({
      afterMillis: fc.nat(150),
      type: fc.constantFrom<UpdateType>('update', 'event', 'kill', 'resync'),
      graceSeconds: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined, freq: 3 }),
      takesMillis: fc.constantFrom(0, 40, 200),
      comesTo: fc.constantFrom<SyncResult>({}, { hasActed: true }, { isTerminal: true }, { error: { message: '' } }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        loop = new VirtualEventLoop(0);
        inWork = 0;
        const worker = newWorker();
        let isDeleted = false;
        for (const { afterMillis, type, graceSeconds, takesMillis, comesTo } of steps) {
          loop.runUntil(loop.nowMillis() + afterMillis);
          syncMillis = takesMillis;
          result = comesTo;
          isDeleted ||= graceSeconds !== undefined;
          worker.update(isDeleted ? deletedIn(graceSeconds ?? 30) : POD, type);
        }
        result = {};
        worker.update(deletedIn(0), 'update');
        loop.runUntilIdle();
        expect([worker.isFinished, inWork]).toEqual([true, 0]);
      }),
    );
  });
});
