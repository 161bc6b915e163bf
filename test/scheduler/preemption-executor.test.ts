import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { PodsInPreBind } from '../../src/scheduler/pods-in-pre-bind.ts';
import { PreemptionExecutor } from '../../src/scheduler/preemption-executor.ts';
import type { SchedulerApi } from '../../src/scheduler/scheduler-api.ts';
import { WaitingPods } from '../../src/scheduler/waiting-pods.ts';
import { forbidden, notFound } from '../../src/store/objects/api-error.ts';
import { logLines } from '../builders/log-lines.ts';
import { makePodInfo } from '../builders/make-cluster.ts';
import { makePod } from '../builders/make-pod.ts';

let reported: string[];
let logged: ReturnType<typeof logLines>;
let failures: Map<string, Error>;
let listed: Map<string, Pod>;
let executor: PreemptionExecutor;
let loop: VirtualEventLoop;
let waitingPods: WaitingPods;
let askedMeanwhile: boolean[];

const preemptor = victim('hi');

function victim(name: string, deletionTimestamp?: string) {
  const pod = makePod(name);
  return makePodInfo({ ...pod, metadata: { ...pod.metadata, uid: name, deletionTimestamp } });
}

beforeEach(() => {
  reported = [];
  logged = logLines();
  askedMeanwhile = [];
  failures = new Map();
  listed = new Map(['a', 'b', 'c'].map((name) => [name, victim(name).pod]));
  loop = new VirtualEventLoop(0);
  waitingPods = new WaitingPods(loop);
  const api = {
    patchPodStatus: (_namespace: string, name: string) => void reported.push(`patch ${name}`),
    deletePod(_namespace: string, name: string) {
      askedMeanwhile.push(executor.isPreempting('hi'));
      const failure = failures.get(name);
      reported.push(failure === undefined ? `delete ${name}` : `refused ${name}`);
      if (failure !== undefined) throw failure;
    },
  } as unknown as SchedulerApi;
  executor = new PreemptionExecutor(
    {
      api,
      loop,
      waitingPods,
      cluster: new ClusterState(podRequirements),
      podsInPreBind: new PodsInPreBind(loop),
      podLister: { get: (_namespace, name) => listed.get(name) },
      recorder: { event: ({ metadata }, _related, _type, reason) => void reported.push(`${reason} ${metadata?.name}`) },
      observer: null,
      logger: logged.logger,
    },
    ({ metadata }) => void reported.push(`activate ${metadata?.name}`),
  );
});

function run(...victims: ReturnType<typeof victim>[]): void {
  const eviction = executor.prepare(preemptor, 'n', victims);
  if (eviction === null) reported.push('nothing to do');
  else executor.run(eviction);
}

describe('an eviction', () => {
  it('marks and deletes one victim after the other, and says so', () => {
    run(victim('a'), victim('b'));
    expect(reported).toEqual(['patch a', 'delete a', 'Preempted a', 'patch b', 'delete b', 'Preempted b']);
    // The last victim is known, and not on its way yet.
    expect(askedMeanwhile).toEqual([true, true]);
    expect(executor.isPreempting('hi')).toBe(false);
  });

  it('holds the preemptor from the moment it is prepared', () => {
    expect(executor.isPreempting('hi')).toBe(false);
    const a = victim('a');
    expect(executor.prepare(preemptor, 'n', [a])).toMatchObject({ preemptor, nodeName: 'n', victims: [a.pod] });
    expect(executor.isPreempting('hi')).toBe(true);
  });

  it('holds it no longer when the last victim is gone from the cache', () => {
    listed.delete('b');
    run(victim('a'), victim('b'));
    expect(askedMeanwhile).toEqual([true, false]);
  });

  it('leaves out who is on the way already', () => {
    run(victim('a', '2026-01-01T00:00:00Z'), victim('b'));
    expect(reported).toEqual(['patch b', 'delete b', 'Preempted b']);
    reported = [];
    run(victim('a', '2026-01-01T00:00:00Z'));
    expect(reported).toEqual(['nothing to do']);
    expect(executor.isPreempting('hi')).toBe(false);
  });

  it('takes a victim that is gone for done', () => {
    failures.set('a', notFound('pods', 'a'));
    run(victim('a'), victim('b'));
    expect(reported).toEqual(['patch a', 'refused a', 'patch b', 'delete b', 'Preempted b']);
    expect(logged.lines).toHaveLength(1);
  });

  it('that fails again in the same instant has the preemptor wait, so that the clock moves on', () => {
    failures.set('a', forbidden('pods', 'a', 'no'));
    for (let i = 0; i < 3; i++) run(victim('a'));
    expect(reported.filter((line) => line === 'activate hi')).toHaveLength(1);
    loop.runUntil(9);
    expect(reported.filter((line) => line === 'activate hi')).toHaveLength(1);
    loop.runUntil(10);
    expect(reported.filter((line) => line === 'activate hi')).toHaveLength(3);
    run(victim('a'));
    expect(reported.at(-1)).toBe('activate hi');
  });

  it('that fails has the preemptor tried again, and spares the last victim', () => {
    failures.set('a', forbidden('pods', 'a', 'no'));
    run(victim('a'), victim('b'), victim('c'));
    expect(reported).toEqual(['patch a', 'refused a', 'patch b', 'delete b', 'Preempted b', 'activate hi']);
    expect(logged.lines).toEqual([
      'INFO berth preemption pod=default/hi node=n victims=["default/a","default/b","default/c"]',
      expect.stringMatching(/^WARN berth a victim could not be evicted pod=default\/hi victim=default\/a error="pods /),
    ]);
    expect(executor.isPreempting('hi')).toBe(false);
  });

  it('only stops a victim that is not bound yet', () => {
    const low = victim('a');
    waitingPods.add(low, new Map([['Permit', 1000]]));
    run(low);
    expect(reported).toEqual(['Preempted a']);
  });
});
