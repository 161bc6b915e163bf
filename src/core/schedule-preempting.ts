import type { Pod } from '../api/pod.ts';
import type { ScheduleResult } from './decision/result.ts';

/** The preemption for a pod. */
export interface Preemption {
  readonly nominatedNode: string;
  /** The evicted pods (`namespace/name`) in the order of their eviction: most important first. */
  readonly victims: readonly string[];
  /** The text of the FailedScheduling event before the preemption. */
  readonly message: string;
}

export interface PreemptingAttempt {
  /** The result after preemption, if there was one. */
  readonly result: ScheduleResult;
  readonly preemption: Preemption | null;
}

/** The methods of a scheduler that `schedulePreempting` uses. */
export interface PreemptingScheduler {
  schedule(pod: Pod): ScheduleResult;
  removePod(namespace: string, name: string): void;
}

/** The methods of a scheduler with extenders that `schedulePreemptingAsync` uses. */
export interface ExtenderScheduler extends Pick<PreemptingScheduler, 'removePod'> {
  scheduleAsync(pod: Pod): Promise<ScheduleResult>;
}

/**
 * Schedules one pod. When preemption finds victims, they are removed at once, and the pod is scheduled again, with the
 * nominated node first. In a real cluster the victims would need time to end, and other pods would be scheduled in
 * between.
 */
export function schedulePreempting(scheduler: PreemptingScheduler, pod: Pod): PreemptingAttempt {
  return continuePreempting(scheduler, pod, scheduler.schedule(pod));
}

/** Continues after the first attempt for the pod, as `schedulePreempting` does after its own. */
export function continuePreempting(scheduler: PreemptingScheduler, pod: Pod, first: ScheduleResult): PreemptingAttempt {
  const rounds = new Rounds(first);
  while (rounds.evict(scheduler)) rounds.result = scheduler.schedule(pod);
  return rounds.attempt;
}

export async function schedulePreemptingAsync(scheduler: ExtenderScheduler, pod: Pod): Promise<PreemptingAttempt> {
  const rounds = new Rounds(await scheduler.scheduleAsync(pod));
  while (rounds.evict(scheduler)) rounds.result = await scheduler.scheduleAsync(pod);
  return rounds.attempt;
}

/** Repeated attempts for one pod. They end, since each but the last removes a pod. */
class Rounds {
  /** The result of the last attempt. */
  result: ScheduleResult;
  #preemption: Preemption | null = null;

  constructor(result: ScheduleResult) {
    this.result = result;
  }

  /** Removes the victims of the last attempt. Returns false when there are none, so that this attempt was the last. */
  evict(scheduler: Pick<PreemptingScheduler, 'removePod'>): boolean {
    const found = preemptionOf(this.result);
    if (found === null) return false;
    for (const victim of found.victims) {
      const slash = victim.indexOf('/');
      scheduler.removePod(victim.slice(0, slash), victim.slice(slash + 1));
    }
    this.#preemption = { ...found, victims: [...(this.#preemption?.victims ?? []), ...found.victims] };
    return true;
  }

  get attempt(): PreemptingAttempt {
    return { result: this.result, preemption: this.#preemption };
  }
}

function preemptionOf(result: ScheduleResult): Preemption | null {
  if (result.status !== 'unschedulable') return null;
  const { nominatedNode, victims = [], message } = result;
  return nominatedNode === undefined || victims.length === 0 ? null : { nominatedNode, victims, message };
}
