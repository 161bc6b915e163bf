import { beforeEach, describe, expect, test } from 'vitest';
import type { ContainerState, Pod, PodStatus } from '../../../src/api/pod.ts';
import { StatusManager } from '../../../src/kubelet/status/status-manager.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { internalError } from '../../../src/store/objects/api-error.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';
import { makePod } from '../../builders/make-pod.ts';

let loop: VirtualEventLoop;
let store: Store;
let mayRun: boolean;
let isRefused: boolean;
let rounds: number;
let reported: string[];
let statuses: StatusManager;
let pod: Pod;

beforeEach(() => {
  loop = new VirtualEventLoop(Date.UTC(2026, 0, 1));
  store = new Store({ clock: loop, names: new RandomNames(new Prng(1)) });
  [mayRun, isRefused, rounds, reported] = [true, false, 0, []];
  const refusing = <Args extends unknown[], Result>(call: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      if (isRefused) throw internalError('boom');
      return call(...args);
    };
  };
  const client = {
    get: store.get.bind(store),
    updateStatus: refusing(store.updateStatus.bind(store)) as Store['updateStatus'],
    delete: store.delete.bind(store),
  };
  statuses = new StatusManager({
    client,
    loop,
    reportError: (error, activity) => reported.push(`${activity}: ${(error as Error).message}`),
    mayRun: () => mayRun,
    requestRound: () => rounds++,
  });
  pod = store.create('pods', makePod('p', { nodeName: 'n' }));
});

function set(status: PodStatus): void {
  statuses.setPodStatus(pod, status);
  loop.runUntilIdle();
}

const stored = (): Pod => store.get('pods', 'default', 'p');

describe('StatusManager', () => {
  test('keeps the names of claims, which others write', () => {
    const claims = { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'p-gpu' }] };
    store.updateStatus('pods', { ...stored(), status: { ...stored().status, ...claims } });
    set({ phase: 'Running' });
    expect(stored().status).toMatchObject({ phase: 'Running', ...claims });
    const { resourceVersion } = stored().metadata ?? {};
    set({ phase: 'Running', reason: undefined });
    statuses.reconcile(stored());
    statuses.round();
    expect(stored().metadata?.resourceVersion).toBe(resourceVersion);
    set({ phase: 'Succeeded' });
    expect(stored().status).toMatchObject(claims);
  });

  test('writes what has changed, and nothing else', () => {
    set({ phase: 'Running' });
    const { resourceVersion } = stored().metadata ?? {};
    set({ phase: 'Running', reason: undefined });
    expect(stored().metadata?.resourceVersion).toBe(resourceVersion);
    expect(stored().status).toMatchObject({ phase: 'Running', qosClass: 'BestEffort' });
  });

  test('leaves the conditions of others alone', () => {
    store.patch(
      'pods',
      'default',
      'p',
      {
        type: 'strategic',
        body: {
          status: {
            conditions: [
              { type: 'DisruptionTarget', status: 'True' },
              { type: 'Ready', status: 'False' },
            ],
          },
        },
      },
      'status',
    );
    set({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
    expect(stored().status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
      'Ready True',
      'DisruptionTarget True',
    ]);
  });

  test('does not say that a pod has ended while it may run', () => {
    set({ phase: 'Running' });
    set({ phase: 'Failed', reason: 'DeadlineExceeded' });
    expect(stored().status).toMatchObject({ phase: 'Running' });
    expect(stored().status?.reason).toBeUndefined();
    mayRun = false;
    statuses.terminatePod(pod);
    loop.runUntilIdle();
    expect(stored().status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });

  test('deletes a pod for good when it is to go and has ended', () => {
    set({ phase: 'Running' });
    store.delete('pods', 'default', 'p');
    statuses.setPodStatus(stored(), { phase: 'Running' });
    loop.runUntilIdle();
    expect(stored().metadata?.deletionTimestamp).toBeDefined();
    mayRun = false;
    statuses.terminatePod(stored());
    loop.runUntilIdle();
    expect(store.list('pods').items).toEqual([]);
  });

  test('what was refused is written in the next round', () => {
    isRefused = true;
    set({ phase: 'Running' });
    expect([stored().status?.phase, rounds, reported]).toEqual([
      'Pending',
      1,
      ['write status of pod default/p: Internal error occurred: boom'],
    ]);
    isRefused = false;
    statuses.round();
    expect(stored().status?.phase).toBe('Running');
  });

  test('what somebody else has changed is written again in the next round', () => {
    set({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
    statuses.reconcile(stored());
    expect(rounds).toBe(0);
    const conditions = [{ type: 'Ready', status: 'False' }];
    const patch = { type: 'strategic', body: { status: { conditions } } } as const;
    statuses.reconcile(store.patch('pods', 'default', 'p', patch, 'status'));
    expect(rounds).toBe(1);
    statuses.round();
    expect(stored().status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
  });

  test('says when the pod started, once and for all', () => {
    set({ phase: 'Running' });
    const { startTime } = stored().status ?? {};
    expect(startTime).toBe('2026-01-01T00:00:00Z');
    loop.after(5000, () => statuses.setPodStatus(pod, { phase: 'Failed', startTime: '2026-01-01T00:00:05Z' }));
    mayRun = false;
    loop.runUntilIdle();
    expect(stored().status).toMatchObject({ phase: 'Failed', startTime });
  });

  test('keeps to it that a container has ended for good', () => {
    const spec = { ...pod.spec, restartPolicy: 'Never' };
    const containerStatuses = (state: ContainerState) => [{ name: pod.spec?.containers?.[0]?.name ?? '', state }];
    const ended = { phase: 'Running', containerStatuses: containerStatuses({ terminated: { exitCode: 0 } }) };
    statuses.setPodStatus({ ...pod, spec }, ended);
    statuses.setPodStatus(
      { ...pod, spec },
      { phase: 'Running', containerStatuses: containerStatuses({ running: {} }) },
    );
    loop.runUntilIdle();
    expect(stored().status).toMatchObject(ended);
    expect(reported).toEqual([]);
  });

  test('says of every container how it ended when nothing is left of the pod', () => {
    set({ phase: 'Running', containerStatuses: [{ name: 'a', state: { waiting: { reason: 'ContainerCreating' } } }] });
    mayRun = false;
    statuses.terminatePod(pod);
    loop.runUntilIdle();
    expect(stored().status).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } } }],
    });
  });

  test('says nothing of another pod of the same name, or of one that is gone', () => {
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
    set({ phase: 'Running' });
    store.create('pods', makePod('p', { nodeName: 'm' }));
    set({ phase: 'Failed' });
    expect([stored().status?.phase, reported]).toEqual(['Pending', []]);
  });
});
