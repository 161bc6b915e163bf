import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import type { PodSelection } from '../manifests/pod-selection.ts';
import type { ScheduleResult } from './decision/result.ts';
import {
  type ExtenderScheduler,
  type PreemptingAttempt,
  type PreemptingScheduler,
  type Preemption,
  schedulePreempting,
  schedulePreemptingAsync,
} from './schedule-preempting.ts';

/** The result of a pod that was evicted from its node. */
export interface Eviction {
  readonly status: 'preempted';
  readonly node: string;
  /** The namespace/name of the preemptor. */
  readonly preemptedBy: string;
}

/** The result of a pending pod, or of a bound pod that was evicted for one. */
export interface Placement {
  readonly pod: Pod;
  readonly result: ScheduleResult | Eviction;
  /** The preemption for this pod; null if there was none. */
  readonly preemption: Preemption | null;
}

type PlacingScheduler = PreemptingScheduler & ExtenderScheduler;

/**
 * Places the pending pods in turn, and removes victims of preemption at once. The placements have the order of the
 * pending pods; a victim that was bound from the start follows the pod that evicted it.
 */
export class PodPlacer {
  readonly #scheduler: PlacingScheduler;
  readonly #bound: ReadonlyMap<string, Pod>;
  readonly #placements: Placement[] = [];
  /** The index of the placement, by namespace/name. */
  readonly #indexes = new Map<string, number>();

  constructor(scheduler: PlacingScheduler, { bound }: PodSelection) {
    this.#scheduler = scheduler;
    this.#bound = new Map(bound.map((pod) => [podKey(pod), pod]));
  }

  get placements(): readonly Placement[] {
    return this.#placements;
  }

  place(pod: Pod): void {
    this.#note(pod, schedulePreempting(this.#scheduler, pod));
  }

  /** Places a pod for which extenders may have to be called. */
  async placeAsync(pod: Pod): Promise<void> {
    this.#note(pod, await schedulePreemptingAsync(this.#scheduler, pod));
  }

  #note(pod: Pod, { result, preemption }: PreemptingAttempt): void {
    const key = podKey(pod);
    this.#indexes.set(key, this.#placements.length);
    this.#placements.push({ pod, result, preemption });
    for (const victim of preemption?.victims ?? []) this.#evict(victim, key);
  }

  #evict(victim: string, preemptedBy: string): void {
    const index = this.#indexes.get(victim);
    if (index !== undefined) {
      const placement = this.#placements[index] as Placement;
      if (placement.result.status !== 'scheduled') return;
      const { node } = placement.result;
      this.#placements[index] = { ...placement, result: { status: 'preempted', node, preemptedBy } };
      return;
    }
    const pod = this.#bound.get(victim);
    if (pod === undefined) return;
    const node = pod.spec?.nodeName ?? '';
    this.#placements.push({ pod, result: { status: 'preempted', node, preemptedBy }, preemption: null });
  }
}
