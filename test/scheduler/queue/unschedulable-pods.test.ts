import { describe, expect, it } from 'vitest';
import type { Labels } from '../../../src/api/meta.ts';
import { ActionType, clusterEvent, type HintKeys } from '../../../src/framework/events.ts';
import type { Plugin } from '../../../src/framework/plugin.ts';
import type { EqualPods } from '../../../src/scheduler/queue/equal-pods.ts';
import { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { QueueingHints } from '../../../src/scheduler/queue/queueing-hints.ts';
import { UnschedulablePods } from '../../../src/scheduler/queue/unschedulable-pods.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { NODE_ADD, pendingPod } from '../../builders/make-queue.ts';

const POD_DELETE = clusterEvent('AssignedPod', ActionType.Delete);
const TEMPLATE = {};

/** The pods and the event have the keys that their label and the event's old object say; `any` stands for null. */
const KEYS: HintKeys = {
  ofPod({ pod }) {
    const keys = pod.metadata?.labels?.['keys'] ?? '';
    if (keys === 'fails') throw new Error('no idea');
    return keys === 'any' ? null : keys.split('.');
  },
  ofEvent: (keys) => (keys === 'any' ? null : (keys as string).split('.')),
};

const plugins: Plugin[] = ['A', 'B'].map((name) => ({ name, eventsToRegister: () => [{ event: NODE_ADD }] }));
plugins.push({ name: 'Gate', eventsToRegister: () => [{ event: clusterEvent('Node', ActionType.Delete) }] });
plugins.push({ name: 'Keyed', eventsToRegister: () => [{ event: POD_DELETE, hint: () => 'Queue', keys: KEYS }] });

function makePods(): UnschedulablePods {
  return new UnschedulablePods(new QueueingHints([['default-scheduler', plugins]]), () => TEMPLATE);
}

function rejectedBy(name: string, rejectors: readonly string[], pending: readonly string[] = [], labels?: Labels) {
  const pod = new QueuedPodInfo(makePodInfo(pendingPod(name, 0, { metadata: { labels } })), 0, 0);
  pod.unschedulablePlugins = new Set(rejectors);
  pod.pendingPlugins = new Set(pending);
  return pod;
}

const namesOf = (pods: Iterable<QueuedPodInfo>): string[] => [...pods].map(({ podInfo }) => podInfo.name);
const namesIn = (groups: Iterable<EqualPods>): string[][] => [...groups].map(({ pods }) => namesOf(pods));

function concernedBy(
  pods: UnschedulablePods,
  event = NODE_ADD,
  oldObject: unknown = null,
  own: readonly QueuedPodInfo[] = [],
): string[][] {
  return namesIn(pods.concernedBy({ event, oldObject, newObject: null }, own));
}

describe('UnschedulablePods', () => {
  it('finds pods by who rejected them, each once', () => {
    const pods = makePods();
    for (const pod of [rejectedBy('a', ['A']), rejectedBy('b', ['B'], ['A']), rejectedBy('c', ['C'])]) pods.set(pod);
    expect(concernedBy(pods)).toEqual([['a'], ['b']]);
    expect(concernedBy(pods, POD_DELETE)).toEqual([]);
    expect(namesIn(pods.groups())).toEqual([['a'], ['b'], ['c']]);
    expect(namesOf(pods.all())).toEqual(['a', 'b', 'c']);
  });

  it('forgets a pod under all its plugins', () => {
    const pods = makePods();
    const pod = rejectedBy('a', ['A', 'B', 'Keyed'], [], { keys: 'x.any' });
    pods.set(pod);
    pods.delete(pod);
    pods.delete(pod);
    expect([pods.size, concernedBy(pods), concernedBy(pods, POD_DELETE, 'any'), pods.all()]).toEqual([0, [], [], []]);
    expect(namesIn(pods.groups())).toEqual([]);
  });

  it('looks anew at a pod that is set again', () => {
    const pods = makePods();
    const pod = rejectedBy('a', []);
    pods.set(pod);
    pod.gate('Gate', []);
    pods.set(pod);
    expect([concernedBy(pods, clusterEvent('Node', ActionType.Delete)), pods.size]).toEqual([[['a']], 1]);
  });

  it('keeps equal pods in one group, and follows a pod whose labels change', () => {
    const pods = makePods();
    const [a, b, c] = [rejectedBy('a', ['A']), rejectedBy('b', ['A']), rejectedBy('c', ['A'])];
    for (const pod of [a, b, c]) pods.set(pod);
    expect(concernedBy(pods)).toEqual([['a', 'b', 'c']]);
    a.podInfo = makePodInfo(pendingPod('a', 0, { metadata: { labels: { app: 'web' } } }));
    pods.update(a);
    expect(concernedBy(pods)).toEqual([['b', 'c'], ['a']]);
    expect(namesOf(pods.all())).toEqual(['a', 'b', 'c']);
  });

  it('finds pods by the keys of hints; without keys, and by an event about the pod itself, in any case', () => {
    const pods = makePods();
    const keys = ['x', 'y.x', 'any', 'fails', 'z'];
    const all = keys.map((each) => rejectedBy(each, ['Keyed'], [], { keys: each }));
    for (const pod of all) pods.set(pod);
    const found = (eventKeys: string, own: readonly QueuedPodInfo[] = []): string[] => {
      return concernedBy(pods, POD_DELETE, eventKeys, own).flat().sort();
    };
    expect(found('x')).toEqual(['any', 'fails', 'x', 'y.x']);
    expect(found('y.z')).toEqual(['any', 'fails', 'y.x', 'z']);
    expect(found('none')).toEqual(['any', 'fails']);
    expect(found('any')).toEqual([...keys].sort());
    expect(found('none', all.slice(0, 1))).toEqual(['any', 'fails', 'x']);
  });
});
