import { beforeEach, describe, expect, it } from 'vitest';
import type { Status } from '../../src/framework/status.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { PodsInPreBind } from '../../src/scheduler/pods-in-pre-bind.ts';
import { WaitingPods } from '../../src/scheduler/waiting-pods.ts';
import { makePodInfo } from '../builders/make-cluster.ts';
import { makePod } from '../builders/make-pod.ts';

const POD = makePodInfo({ ...makePod('p'), metadata: { name: 'p', uid: 'u' } });

let loop: VirtualEventLoop;
let reported: string[];
const report = (status: Status | null): void => {
  reported.push(status === null ? 'allowed' : `${status.code} by ${status.plugin}: ${status.reasons.join()}`);
};

beforeEach(() => {
  loop = new VirtualEventLoop(0);
  reported = [];
});

describe('a pod that waits for Permit plugins', () => {
  let waiting: WaitingPods;

  beforeEach(() => {
    waiting = new WaitingPods(loop);
    waiting.add(
      POD,
      new Map([
        ['A', 100],
        ['B', 250],
      ]),
    );
    waiting.whenDecided(POD, report);
  });

  it('goes on when all have allowed it, in a task of its own', () => {
    waiting.get('u')?.allow('A');
    expect(waiting.get('u')?.pendingPlugins()).toEqual(['B']);
    waiting.get('u')?.allow('B');
    expect(reported).toEqual([]);
    loop.runUntil(0);
    expect(reported).toEqual(['allowed']);
    expect(waiting.size).toBe(0);
    loop.runUntilIdle();
    expect(reported).toHaveLength(1);
  });

  it('is rejected by one plugin, and later decisions are ignored', () => {
    expect(waiting.get('u')?.reject('B', 'no')).toBe(true);
    expect(waiting.get('u')?.reject('A', 'never')).toBe(false);
    expect(waiting.get('u')?.preempt('C')).toBe(false);
    expect(waiting.reject('u')).toBe(false);
    loop.runUntilIdle();
    expect(reported).toEqual(['Unschedulable by B: no']);
  });

  it('is rejected when the first runs out of time', () => {
    loop.runUntilIdle();
    expect(loop.nowMillis()).toBe(100);
    expect(reported).toEqual(['Unschedulable by A: rejected due to timeout after waiting 100ms at plugin A']);
  });

  it('can be preempted', () => {
    expect(waiting.get('u')?.preempt('DefaultPreemption')).toBe(true);
    loop.runUntilIdle();
    expect(reported).toEqual(['Error by DefaultPreemption: preempted']);
  });

  it('reports at once what was decided before somebody asked', () => {
    const other = makePodInfo({ ...makePod('q'), metadata: { name: 'q', uid: 'v' } });
    waiting.add(other, new Map([['A', 100]]));
    waiting.get('v')?.allow('A');
    waiting.whenDecided(other, report);
    expect(reported).toEqual(['allowed']);
    loop.runUntil(50);
    expect(reported).toEqual(['allowed']);
  });
});

describe('a pod in PreBind', () => {
  it('can be called back until the plugins are done', () => {
    const pods = new PodsInPreBind(loop);
    const end = pods.begin(POD, report);
    expect(pods.get('u')?.preempt('DefaultPreemption')).toBe(true);
    expect(pods.get('u')?.preempt('DefaultPreemption')).toBe(false);
    end(null);
    loop.runUntilIdle();
    expect(reported).toEqual(['Error by DefaultPreemption: context canceled']);
    expect(pods.get('u')).toBeUndefined();
  });

  it('goes on once', () => {
    const pods = new PodsInPreBind(loop);
    const end = pods.begin(POD, report);
    end(null);
    end(null);
    expect([reported, pods.get('u')]).toEqual([['allowed'], undefined]);
  });
});
