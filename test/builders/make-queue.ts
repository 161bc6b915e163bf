import type { Pod } from '../../src/api/pod.ts';
import { NominatedPods } from '../../src/framework/cluster/nominated-pods.ts';
import { ActionType, clusterEvent, type QueueingHint } from '../../src/framework/events.ts';
import type { Plugin, PreEnqueuePlugin } from '../../src/framework/plugin.ts';
import { PodInfo, podRequirements } from '../../src/framework/pod-info.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import type { QueueObserver, SchedulingQueueOptions } from '../../src/scheduler/queue/queue-modules.ts';
import type { QueuedPodInfo } from '../../src/scheduler/queue/queued-pod-info.ts';
import { SchedulingQueue } from '../../src/scheduler/queue/scheduling-queue.ts';
import { makePodInfo } from './make-cluster.ts';

/** What the plugin `Fit` of these queues listens to; its hint says what the event's new object says. */
export const NODE_ADD = clusterEvent('Node', ActionType.Add);

export interface QueueRig {
  readonly loop: VirtualEventLoop;
  readonly queue: SchedulingQueue;
  readonly nominated: NominatedPods;
  /** Names of what is popped, in order. */
  readonly popAll: () => string[];
  /** Pops the next pod and reports that these plugins rejected it; without any: that it failed. */
  readonly failNext: (...plugins: readonly string[]) => QueuedPodInfo;
  readonly placeOf: (name: string) => string;
  /** Whether the queue has said that there is something to pop. */
  wasReady: boolean;
}

export interface QueueRigOptions extends SchedulingQueueOptions {
  readonly plugins?: readonly Plugin[];
  readonly gates?: readonly PreEnqueuePlugin[];
  readonly observer?: QueueObserver;
  readonly isHeld?: (uid: string) => boolean;
}

/** A queue on a virtual clock that begins at 0, for pods whose uid is their name. */
export function makeQueue({ plugins = [], gates = [], observer, isHeld, ...options }: QueueRigOptions = {}): QueueRig {
  const loop = new VirtualEventLoop(0);
  const nominated = new NominatedPods(() => {});
  const profile = { plugins: [FIT, ...plugins, ...gates], preEnqueuePlugins: gates };
  const queue = new SchedulingQueue(
    {
      loop,
      profiles: new Map([['default-scheduler', profile]]),
      podInfoOf: (pod) => new PodInfo(pod, podRequirements(pod), ''),
      nominated,
      isPending: () => true,
      isHeld,
      observer: observer ?? null,
      onReady: () => {
        rig.wasReady = true;
      },
    },
    options,
  );
  queue.run();
  const rig: QueueRig = {
    loop,
    queue,
    nominated,
    wasReady: false,
    popAll() {
      const names: string[] = [];
      for (let next = queue.pop(); next !== null; next = queue.pop()) names.push(next.podInfo.name);
      return names;
    },
    failNext(...rejectors) {
      const queued = queue.pop();
      if (queued === null) throw new Error('nothing to pop');
      queued.unschedulablePlugins = new Set(rejectors);
      queued.pendingPlugins = new Set();
      queue.addUnschedulableIfNotPresent(queued);
      return queued;
    },
    placeOf(name) {
      const queued = queue.queuedPod(name);
      if (queued === undefined) return queue.isInFlight(name) ? 'inFlight' : 'none';
      return queued.isGated ? 'gated' : (queued.place ?? 'none');
    },
  };
  return rig;
}

const FIT: Plugin = {
  name: 'Fit',
  eventsToRegister: () => [{ event: NODE_ADD, hint: (_pod, _old, says) => says as QueueingHint }],
};

/** A pending pod; its uid is its name. */
export function pendingPod(name: string, priority = 0, over: Pod = {}): Pod {
  return {
    ...over,
    metadata: { namespace: 'default', name, uid: name, ...over.metadata },
    spec: { schedulerName: 'default-scheduler', priority, ...over.spec },
  };
}

/** A gate that is shut for pods with this label, and opens at `NODE_ADD`. */
export function labelGate(name: string): PreEnqueuePlugin {
  return {
    name,
    eventsToRegister: () => [{ event: NODE_ADD }],
    preEnqueue: ({ pod }) =>
      pod.metadata?.labels?.[name] === undefined
        ? null
        : { code: 'UnschedulableAndUnresolvable', reasons: ['shut'], plugin: name },
  };
}

export function pendingPodInfo(name: string, priority = 0): PodInfo {
  return makePodInfo(pendingPod(name, priority));
}
