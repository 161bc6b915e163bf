import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished } from '../../../src/api/pod-conditions.ts';
import { isBeforeByPriority } from '../../../src/scheduler/queue/pod-order.ts';
import type { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import type { StoreScheduler } from '../../../src/scheduler/store-scheduler.ts';
import { secondsSinceStart } from '../control/control-case.ts';
import { displayName } from './queue-case.ts';
import type { RecordingQueue } from './recording-queue.ts';
import type { StubObjects } from './stub-objects.ts';

type Fields = Record<string, unknown>;

/** Where every pod is, as the recordings show it: absent fields are empty. */
export function observedState(objects: StubObjects, scheduler: StoreScheduler, queue: RecordingQueue): Fields {
  const pods = new Map<string, Pod>();
  for (const pod of objects.stored<Pod>('Pod')) if (!isPodFinished(pod)) pods.set(displayName(pod), pod);
  for (const { pods: onNode } of scheduler.profiles.cluster.knownNodes()) {
    for (const { pod } of onNode) pods.set(displayName(pod), pod);
  }
  const waiting = [...queue.pendingPods()];
  // When two pods have one name, the one in flight is shown.
  for (const { podInfo } of [...waiting, ...queue.inFlight.values()]) pods.set(displayName(podInfo.pod), podInfo.pod);
  const isBefore = (a: QueuedPodInfo, b: QueuedPodInfo): number => (isBeforeByPriority(a, b) ? -1 : 1);
  const byName = (a: QueuedPodInfo, b: QueuedPodInfo): number =>
    displayName(a.podInfo.pod) < displayName(b.podInfo.pod) ? -1 : 1;
  const expiry = (pod: QueuedPodInfo): number => queue.backoffExpirationMillis(pod);
  const inPlace = (place: string, order: (a: QueuedPodInfo, b: QueuedPodInfo) => number): string[] =>
    waiting
      .filter((pod) => pod.place === place)
      .sort(order)
      .map(({ podInfo }) => displayName(podInfo.pod));
  return withoutEmpty({
    pods: Object.fromEntries([...pods].map(([name, pod]) => [name, podState(pod, scheduler, queue)])),
    activeOrder: inPlace('active', isBefore),
    backoffOrder: inPlace('backoff', (a, b) => expiry(a) - expiry(b) || isBefore(a, b)),
    // Within a window, the recordings show them by name.
    errorBackoffOrder: inPlace('errorBackoff', (a, b) => expiry(a) - expiry(b) || byName(a, b)),
    inFlight: [...queue.inFlight.values()].map(({ podInfo }) => displayName(podInfo.pod)).sort(),
    inFlightEvents: queue.inFlightEvents().map(({ event }) => event.label),
    nominated: Object.fromEntries([...queue.nominations()].map(([{ pod }, node]) => [displayName(pod), node])),
  });
}

function podState(pod: Pod, { cache }: StoreScheduler, queue: RecordingQueue): Fields {
  const uid = pod.metadata?.uid ?? '';
  const queued = queue.queuedPod(uid) ?? queue.inFlight.get(uid);
  const cached = cache.podOf(pod);
  return {
    queue: queue.placeOf(uid),
    ...(queued !== undefined && queuedState(queued, queue)),
    ...(cached !== undefined && { cache: cached.isAssumed ? 'assumed' : 'bound', node: cached.nodeName }),
  };
}

function queuedState(pod: QueuedPodInfo, queue: RecordingQueue): Fields {
  const expiryMillis = pod.place === null ? Number.NEGATIVE_INFINITY : queue.backoffExpirationMillis(pod);
  return {
    attempts: pod.attempts,
    unschedulableCount: pod.unschedulableCount,
    errorCount: pod.consecutiveErrorsCount,
    timestamp: secondsSinceStart(pod.timestampMillis),
    ...(expiryMillis > 0 && { backoffExpiry: secondsSinceStart(expiryMillis) }),
    ...withoutEmpty({
      unschedulablePlugins: [...pod.unschedulablePlugins].sort(),
      pendingPlugins: [...pod.pendingPlugins].sort(),
    }),
    ...(pod.isGated && { gatedBy: pod.gatingPlugin }),
  };
}

/** Lists that are empty are left out, and maps but `pods`. */
function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => key === 'pods' || Object.keys(value as object).length > 0),
  );
}
