import type { Pod } from '../api/pod.ts';
import type { ScheduleResult } from './decision/result.ts';

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

/** The same of one that asks extenders. */
export interface AskingScheduler extends Pick<PreemptingScheduler, 'removePod'> {
  scheduleAsync(pod: Pod): Promise<ScheduleResult>;
}

/**
 * Decides for one pod; when preemption names victims they are removed at once and the pod is tried again, first of all
 * on the node that was nominated. In a cluster the victims would take their time to end, and other pods would come in
 * between.
 */
export function schedulePreempting(scheduler: PreemptingScheduler, pod: Pod): Attempt {
  const rounds = new Rounds(scheduler.schedule(pod));
  while (rounds.evict(scheduler)) rounds.result = scheduler.schedule(pod);
  return rounds.attempt;
}

export async function schedulePreemptingAsync(scheduler: AskingScheduler, pod: Pod): Promise<Attempt> {
  const rounds = new Rounds(await scheduler.scheduleAsync(pod));
  while (rounds.evict(scheduler)) rounds.result = await scheduler.scheduleAsync(pod);
  return rounds.attempt;
}

/** One try after the other. Each removes a pod, so this ends. */
class Rounds {
  /** Of the last try. */
  result: ScheduleResult;
  #preemption: Preemption | null = null;

  constructor(result: ScheduleResult) {
    this.result = result;
  }

  /** Removes the victims that the last try has named; false: there are none, and it was the last. */
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

  get attempt(): Attempt {
    return { result: this.result, preemption: this.#preemption };
  }
}

function preemptionOf(result: ScheduleResult): Preemption | null {
  if (result.status !== 'unschedulable') return null;
  const { nominatedNode, victims = [], message } = result;
  return nominatedNode === undefined || victims.length === 0 ? null : { nominatedNode, victims, message };
}
