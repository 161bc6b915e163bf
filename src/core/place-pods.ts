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

/** A pod that had a node and lost it. */
export interface Eviction {
  readonly status: 'preempted';
  readonly node: string;
  /** namespace/name of the pod that needed the room. */
  readonly preemptedBy: string;
}

/** What became of a pod: of each that was to be placed, and of each that was evicted for one of them. */
export interface Placement {
  readonly pod: Pod;
  readonly result: ScheduleResult | Eviction;
  /** What the pod itself did to others; null for most. */
  readonly preemption: Preemption | null;
}

type PlacingScheduler = PreemptingScheduler & ExtenderScheduler;

/**
 * Places the pending pods in turn. Victims of preemption are removed at once. The list has the pending pods in their
 * order; victims that had a node from the start stand behind the pod that evicted them.
 */
export class PodPlacer {
  readonly #scheduler: PlacingScheduler;
  readonly #bound: ReadonlyMap<string, Pod>;
  readonly #placements: Placement[] = [];
  /** namespace/name to the index of the placement. */
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

  /** `place`, also for pods about which extenders have to be asked. */
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
