import type { KubernetesObject } from '../../api/meta.ts';
import { type ClusterEvent, matchesEvent } from '../../framework/events.ts';
import type { EqualPods } from './equal-pods.ts';
import type { InFlightEvent } from './in-flight-pods.ts';
import type { PreEnqueueCheck } from './queue-modules.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';
import type { QueueingHints, QueueingStrategy } from './queueing-hints.ts';

/** A pod that an event may help, and how it is requeued. */
export interface HelpedPod {
  readonly pod: QueuedPodInfo;
  readonly strategy: Exclude<QueueingStrategy, 'Skip'>;
}

/**
 * Finds the pods that an event may help, in the order in which they became unschedulable. The hints of a group are
 * asked once if they read only what its pods have in common; the pods that the event is about are asked separately.
 *
 * `own`: the waiting pods that the event is about. `preCheck`: whether the event can concern a pod; null: it can
 * concern all.
 */
export function helpedPods(
  hints: QueueingHints,
  groups: Iterable<EqualPods>,
  event: InFlightEvent,
  own: readonly QueuedPodInfo[],
  preCheck: PreEnqueueCheck | null,
): HelpedPod[] {
  const helped: HelpedPod[] = [];
  const ask = (pod: QueuedPodInfo, pods = 1): QueueingStrategy => {
    return hints.strategyFor(pod, event.event, event.oldObject, event.newObject, pods);
  };
  const add = (pod: QueuedPodInfo, strategy: QueueingStrategy): void => {
    if (strategy !== 'Skip') helped.push({ pod, strategy });
  };
  for (const { pods } of groups) {
    const [first] = pods as Iterable<QueuedPodInfo>;
    if (first === undefined || !opensGate(first, event.event)) continue;
    if (preCheck !== null || !hints.isByTemplate(first, event.event)) {
      for (const pod of pods) if (preCheck === null || preCheck(pod.podInfo)) add(pod, ask(pod));
      continue;
    }
    const asked = own.filter((pod) => pods.has(pod));
    for (const pod of asked) add(pod, ask(pod));
    const others = pods.size - asked.length;
    if (others === 0) continue;
    const other = asked.length === 0 ? first : [...pods].find((pod) => !asked.includes(pod));
    const strategy = ask(other ?? first, others);
    if (strategy !== 'Skip') for (const pod of pods) if (!asked.includes(pod)) helped.push({ pod, strategy });
  }
  return helped.sort((a, b) => a.pod.entry - b.pod.entry);
}

/** Whether the pod is not gated, or the event may open its gate. */
export function opensGate(pod: QueuedPodInfo, event: ClusterEvent): boolean {
  return !pod.isGated || pod.gatingPluginEvents.some((registered) => matchesEvent(registered.event, event));
}

/** The pods that wait, by uid. */
interface WaitingByUid {
  get(uid: string): QueuedPodInfo | undefined;
}

/** The waiting pods that the event is about, which concerns them in ways of their own. */
export function ownPods({ oldObject, newObject }: InFlightEvent, waiting: WaitingByUid): readonly QueuedPodInfo[] {
  const before = podOf(oldObject, waiting);
  const after = podOf(newObject, waiting);
  if (before === undefined) return after === undefined ? NO_PODS : [after];
  return after === undefined || after === before ? [before] : [before, after];
}

const NO_PODS: readonly QueuedPodInfo[] = [];

function podOf(object: unknown, waiting: WaitingByUid): QueuedPodInfo | undefined {
  if (object === null || object === undefined) return undefined;
  return waiting.get((object as KubernetesObject).metadata?.uid ?? '');
}
