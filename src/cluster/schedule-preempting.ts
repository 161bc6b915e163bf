import type { Pod } from '../api/pod.ts';
import type { ScheduleResult } from '../core/result.ts';

/** What preemption did for a pod. */
export interface Preemption {
  readonly nominatedNode: string;
  /** namespace/name, in the order in which they were evicted: most important first. */
  readonly victims: readonly string[];
  /** Text of the FailedScheduling event that came before. */
  readonly message: string;
}

export interface Attempt {
  /** After preemption, where there was one. */
  readonly result: ScheduleResult;
  readonly preemption: Preemption | null;
}

/** The part of a scheduler that this needs. */
export interface PreemptingScheduler {
  schedule(pod: Pod): ScheduleResult;
  removePod(namespace: string, name: string): void;
}

/**
 * Decides for one pod; when preemption names victims they are removed at once and the pod is tried again, first of all
 * on the node that was nominated. In a cluster the victims would take their time to end, and other pods would come in
 * between.
 */
export function schedulePreempting(scheduler: PreemptingScheduler, pod: Pod): Attempt {
  let result = scheduler.schedule(pod);
  let preemption: Preemption | null = null;
  const victims: string[] = [];
  // Each turn removes a pod, so this ends.
  for (let found = preemptionOf(result); found !== null; found = preemptionOf(result)) {
    for (const victim of found.victims) {
      const slash = victim.indexOf('/');
      scheduler.removePod(victim.slice(0, slash), victim.slice(slash + 1));
    }
    victims.push(...found.victims);
    preemption = { ...found, victims };
    result = scheduler.schedule(pod);
  }
  return { result, preemption };
}

function preemptionOf(result: ScheduleResult): Preemption | null {
  if (result.status !== 'unschedulable') return null;
  const { nominatedNode, victims = [], message } = result;
  return nominatedNode === undefined || victims.length === 0 ? null : { nominatedNode, victims, message };
}
