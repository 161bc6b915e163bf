import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { EventHandler } from '../../src/client/informer/event-handler.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../src/framework/node-info.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { SchedulerCache } from '../../src/scheduler/cache/scheduler-cache.ts';
import {
  type EventHandlerModules,
  nodeHandler,
  objectHandler,
  PodHandler,
} from '../../src/scheduler/event-handlers.ts';
import type { QueueingHints } from '../../src/scheduler/queue/queueing-hints.ts';
import type { SchedulingQueue } from '../../src/scheduler/queue/scheduling-queue.ts';
import { makeNode } from '../builders/make-node.ts';
import { pendingPod } from '../builders/make-queue.ts';
import { makeClaim } from '../builders/make-storage.ts';

/** A queue that records its calls. No plugin registered for updates of claims. */
class RecordingQueue implements Partial<SchedulingQueue> {
  readonly recorded: string[] = [];

  add(pod: Pod): void {
    this.recorded.push(`add ${pod.metadata?.name}`);
  }

  update(_before: Pod, pod: Pod): void {
    this.recorded.push(`update ${pod.metadata?.name}`);
  }

  delete(pod: Pod): void {
    this.recorded.push(`delete ${pod.metadata?.name}`);
  }

  readonly hints = {
    isOfInterest: ({ label }) => label !== 'PersistentVolumeClaimUpdate',
  } as Partial<QueueingHints> as QueueingHints;

  moveAllToActiveOrBackoffQueue(
    ...[event, before, after]: Parameters<SchedulingQueue['moveAllToActiveOrBackoffQueue']>
  ): void {
    const { metadata, spec } = (after ?? before) as Pod;
    this.recorded.push(`${event.label} ${metadata?.name}${spec?.nodeName ? ` on ${spec.nodeName}` : ''}`);
  }

  take(): string[] {
    return this.recorded.splice(0);
  }
}

let queue: RecordingQueue;
let cluster: ClusterState;
let cache: SchedulerCache;
let waiting: Set<string>;
let modules: EventHandlerModules;

beforeEach(() => {
  queue = new RecordingQueue();
  cluster = new ClusterState(podRequirements);
  cache = new SchedulerCache({ cluster, loop: new VirtualEventLoop(0), assumedPodTtlMillis: 0 });
  waiting = new Set();
  modules = {
    cache,
    queue: queue as unknown as SchedulingQueue,
    isResponsibleFor: ({ spec }) => spec?.schedulerName === 'default-scheduler',
    rejectWaitingPod: (uid) => waiting.delete(uid),
  };
});

const version = (pod: Pod, resourceVersion: string, over: Pod['metadata'] = {}): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, resourceVersion, ...over },
});
const onNode = (pod: Pod, nodeName = 'n'): Pod => ({ ...pod, spec: { ...pod.spec, nodeName } });
const nominated = (pod: Pod, nominatedNodeName: string): Pod => ({ ...pod, status: { nominatedNodeName } });

describe('nodes', () => {
  it('are added, changed and removed, and the queue receives the events that matter', () => {
    const handler = nodeHandler(modules);
    handler.onAdd(makeNode('n'), false);
    handler.onUpdate(makeNode('n'), makeNode('n', { images: { app: 1 } }));
    handler.onUpdate(makeNode('n'), makeNode('n', { cpu: 8, labels: { a: 'b' } }));
    expect(cluster.node('n')?.allocatable.milliCPU).toBe(8000);
    handler.onDelete(makeNode('n'), false);
    expect(cluster.nodeCount).toBe(0);
    expect(queue.take()).toEqual(['NodeAdd n', 'NodeUpdateNodeAllocatable n', 'NodeUpdateNodeLabel n', 'NodeDelete n']);
  });
});

describe('pods', () => {
  it('wait in the queue until they have a node', () => {
    const handler: EventHandler<Pod> = new PodHandler(modules);
    const pod = version(pendingPod('p'), '1');
    handler.onAdd(pod, false);
    handler.onUpdate(pod, version(pod, '1'));
    handler.onUpdate(pod, version(pod, '2'));
    handler.onUpdate(pod, onNode(pod));
    expect(cache.podOf(pod)?.nodeName).toBe('n');
    handler.onUpdate(onNode(pod), version(onNode(pod), '4'));
    handler.onDelete(onNode(pod), false);
    expect(cache.podOf(pod)).toBeUndefined();
    expect(queue.take()).toEqual([
      ...['add p', 'update p', 'AssignedPodAdd p on n', 'delete p'],
      ...['AssignedPodUpdate p on n', 'AssignedPodDelete p on n'],
    ]);
  });

  it('of another scheduler matter only once they have a node', () => {
    const handler: EventHandler<Pod> = new PodHandler(modules);
    const pod = pendingPod('p', 0, { spec: { schedulerName: 'other' } });
    handler.onAdd(pod, false);
    handler.onUpdate(pod, version(pod, '2'));
    handler.onDelete(pod, false);
    handler.onAdd(onNode(pod), false);
    expect(queue.take()).toEqual(['AssignedPodAdd p on n']);
  });

  it('whose end was missed are removed wherever they may be', () => {
    new PodHandler(modules).onDelete(pendingPod('p'), true);
    expect(queue.take()).toEqual(['AssignedPodDelete p', 'delete p']);
  });

  it('that give up a nomination are like pods that leave the node', () => {
    const handler: EventHandler<Pod> = new PodHandler(modules);
    const pod = version(pendingPod('p'), '1');
    handler.onUpdate(pod, nominated(version(pod, '2'), 'n1'));
    handler.onUpdate(nominated(pod, 'n1'), nominated(version(pod, '3'), 'n2'));
    handler.onDelete(nominated(pod, 'n2'), false);
    expect(queue.take()).toEqual(['update p', 'update p', 'AssignedPodDelete p', 'delete p', 'AssignedPodDelete p']);
  });
});

describe('assumed pods', () => {
  const pod = version(pendingPod('p'), '1');

  beforeEach(() => {
    cache.addNode(makeNode('n'));
    cache.assumePod(cluster.pods.info(pod), cluster.node('n') as NodeInfo);
  });

  it('are left alone by updates', () => {
    new PodHandler(modules).onUpdate(pod, version(pod, '2'));
    expect([queue.take(), cache.assumedCount]).toEqual([[], 1]);
  });

  it('give back what they took as soon as their deletion begins', () => {
    const leaving = version(pod, '2', { deletionTimestamp: '2026-01-01T00:00:00Z' });
    new PodHandler(modules).onUpdate(pod, leaving);
    new PodHandler(modules).onUpdate(leaving, version(leaving, '3'));
    expect([queue.take(), cache.assumedCount]).toEqual([['AssignedPodDelete p on n', 'update p'], 0]);
  });

  it('that wait for Permit are rejected, and give it back themselves', () => {
    waiting.add('p');
    new PodHandler(modules).onDelete(pod, false);
    expect([queue.take(), cache.assumedCount, waiting.size]).toEqual([['delete p', 'AssignedPodDelete p on n'], 1, 0]);
  });
});

describe('other objects', () => {
  it('are kept for decisions, and the queue receives what some plugin registered for', () => {
    const handler = objectHandler('PersistentVolumeClaim', cluster.objects, modules.queue);
    handler.onAdd(makeClaim('c'), false);
    handler.onUpdate(makeClaim('c'), makeClaim('c', { volume: 'v' }));
    expect(cluster.objects.get('PersistentVolumeClaim', 'c', 'default')?.spec?.volumeName).toBe('v');
    handler.onDelete(makeClaim('c'), false);
    expect([...cluster.objects.list('PersistentVolumeClaim')]).toEqual([]);
    expect(queue.take()).toEqual(['PersistentVolumeClaimAdd c', 'PersistentVolumeClaimDelete c']);
  });

  it('without an event of their own are only kept', () => {
    const handler = objectHandler('Namespace', cluster.objects, modules.queue);
    handler.onAdd({ metadata: { name: 'ns' } }, false);
    expect(cluster.objects.get('Namespace', 'ns')).toBeDefined();
    handler.onDelete({ metadata: { name: 'ns' } }, false);
    expect([cluster.objects.get('Namespace', 'ns'), queue.take()]).toEqual([undefined, []]);
  });
});
