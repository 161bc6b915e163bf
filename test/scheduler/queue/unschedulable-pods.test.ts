import { describe, expect, it } from 'vitest';
import { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { UnschedulablePods } from '../../../src/scheduler/queue/unschedulable-pods.ts';
import { pendingPodInfo } from '../../builders/make-queue.ts';

function rejectedBy(name: string, plugins: readonly string[], pendingPlugins: readonly string[] = []): QueuedPodInfo {
  const pod = new QueuedPodInfo(pendingPodInfo(name), 0, 0);
  pod.unschedulablePlugins = new Set(plugins);
  pod.pendingPlugins = new Set(pendingPlugins);
  return pod;
}

const namesOf = (pods: readonly QueuedPodInfo[]): string[] => pods.map(({ podInfo }) => podInfo.name);

describe('UnschedulablePods', () => {
  it('finds pods by who rejected them, each once', () => {
    const pods = new UnschedulablePods();
    for (const pod of [rejectedBy('a', ['A']), rejectedBy('b', ['B'], ['A']), rejectedBy('c', ['C'])]) pods.set(pod);
    expect(namesOf(pods.rejectedByAny(['A']))).toEqual(['a', 'b']);
    expect(namesOf(pods.rejectedByAny(['A', 'B', 'X']))).toEqual(['a', 'b']);
    expect(pods.rejectedByAny(['X'])).toEqual([]);
    expect(namesOf(pods.all())).toEqual(['a', 'b', 'c']);
  });

  it('forgets a pod under all its plugins', () => {
    const pods = new UnschedulablePods();
    const pod = rejectedBy('a', ['A', 'B']);
    pods.set(pod);
    pods.delete(pod);
    pods.delete(pod);
    expect([pods.size, pods.rejectedByAny(['A', 'B']), pods.all()]).toEqual([0, [], []]);
  });

  it('looks anew at a pod that is set again', () => {
    const pods = new UnschedulablePods();
    const pod = rejectedBy('a', ['A']);
    pods.set(pod);
    pod.gate('Gate', []);
    pods.set(pod);
    expect([namesOf(pods.rejectedByAny(['Gate'])), pods.size]).toEqual([['a'], 1]);
  });
});
