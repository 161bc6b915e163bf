import type { Pod } from '../../src/api/pod.ts';
import { NominatedPods } from '../../src/framework/cluster/nominated-pods.ts';
import { ActionType, clusterEvent } from '../../src/framework/events.ts';
import { PodInfo, podRequirements } from '../../src/framework/pod-info.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import type { QueueProfile } from '../../src/scheduler/queue/queue-modules.ts';
import { SchedulingQueue } from '../../src/scheduler/queue/scheduling-queue.ts';
import type { SuiteOptions } from '../kernels/kernel-suite.ts';
import { measureRates, type Rate } from '../rate-suite.ts';

const NODE_TAINT = clusterEvent('Node', ActionType.UpdateNodeTaint);
const REQUIREMENTS = podRequirements({});
const PROFILE: QueueProfile = {
  plugins: [{ name: 'Fit', eventsToRegister: () => [{ event: NODE_TAINT, hint: () => 'QueueSkip' }] }],
  preEnqueuePlugins: [{ name: 'Gates', preEnqueue: () => null }],
};

/** Pods a second through the scheduling queue, without anything that decides. */
export function schedulingQueueSuite(options: SuiteOptions): Rate[] {
  const count = options.tiny ? 10 : 100_000;
  const alike = Array.from({ length: count }, (_, i) => podOf(i, 0));
  const mixed = Array.from({ length: count }, (_, i) => podOf(i, ((i * 7919) % 8) * 1000));
  const cases = {
    'add, pop, done: one priority': () => drained(filled(alike)),
    'add, pop, done: eight priorities': () => drained(filled(mixed)),
    'add, pop, fail, retry, done': () => drained(failedOnce(filled(alike))),
    'an event that helps none of them': () => {
      const queue = failedOnce(filled(alike), new Set(['Fit']));
      queue.moveAllToActiveOrBackoffQueue(NODE_TAINT, {}, {});
      return drained(queue);
    },
  };
  const perPod = Object.entries(cases).map(([name, run]) => [name, { operations: count, run }] as const);
  return measureRates('scheduling queue', Object.fromEntries(perPod), options);
}

function filled(pods: readonly Pod[]): SchedulingQueue {
  const queue = new SchedulingQueue({
    loop: new VirtualEventLoop(),
    profiles: new Map([['default-scheduler', PROFILE]]),
    podInfoOf: (pod) => new PodInfo(pod, REQUIREMENTS, ''),
    nominated: new NominatedPods(() => {}),
    isPending: () => true,
  });
  for (const pod of pods) queue.add(pod);
  return queue;
}

/** Every pod is tried once, and rejected by these plugins, or by an error. */
function failedOnce(queue: SchedulingQueue, rejectors: ReadonlySet<string> = new Set()): SchedulingQueue {
  const tried = [];
  for (let pod = queue.pop(); pod !== null; pod = queue.pop()) tried.push(pod);
  for (const pod of tried) {
    pod.unschedulablePlugins = rejectors;
    queue.addUnschedulableIfNotPresent(pod);
  }
  return queue;
}

function drained(queue: SchedulingQueue): number {
  queue.activate([...queue.pendingPods()].map(({ podInfo }) => podInfo.pod));
  let count = 0;
  for (let pod = queue.pop(); pod !== null; pod = queue.pop()) {
    queue.done(pod.podInfo.uid);
    count++;
  }
  return count;
}

function podOf(i: number, priority: number): Pod {
  return {
    metadata: { namespace: 'default', name: `pod-${i}`, uid: `uid-${i}` },
    spec: { schedulerName: 'default-scheduler', priority },
  };
}
