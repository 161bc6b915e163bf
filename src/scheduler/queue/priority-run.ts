import { isBeforeByTime } from './pod-order.ts';
import type { PodRun, QueuedPodInfo } from './queued-pod-info.ts';

/** The list is shortened only after at least so many pods have left. */
const SHORTEN_AT = 32;

/** The pods of one priority, in the order of their times. Pods are appended at the end and removed anywhere. */
export class PriorityRun implements PodRun {
  readonly priority: number;
  #places: (QueuedPodInfo | undefined)[] = [];
  /** The number of the first place in the list; shortening the list does not change the number of a place. */
  #first = 0;
  /** All places before this index are empty. */
  #head = 0;
  #length = 0;
  #last: QueuedPodInfo | null = null;

  constructor(priority: number) {
    this.priority = priority;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns false, with nothing changed, for a pod that is not the last in order. */
  append(pod: QueuedPodInfo): boolean {
    if (this.#length === 0) this.#clear();
    if (this.#last !== null && isBeforeByTime(pod, this.#last)) return false;
    pod.run = this;
    pod.runPlace = this.#first + this.#places.length;
    this.#places.push(pod);
    this.#last = pod;
    this.#length++;
    return true;
  }

  head(): QueuedPodInfo | undefined {
    if (this.#length === 0) return undefined;
    while (this.#places[this.#head] === undefined) this.#head++;
    return this.#places[this.#head];
  }

  remove(pod: QueuedPodInfo): void {
    this.#places[pod.runPlace - this.#first] = undefined;
    pod.run = null;
    this.#length--;
    if (this.#head >= SHORTEN_AT && this.#head * 2 >= this.#places.length) this.#shorten();
  }

  /** Starts anew when the run is empty: the next pod may be earlier in order than those that have left. */
  #clear(): void {
    this.#first += this.#places.length;
    this.#places.length = 0;
    this.#head = 0;
    this.#last = null;
  }

  /** Removes the empty places before the head; they are half of the list, so each pod is moved once on average. */
  #shorten(): void {
    this.#places = this.#places.slice(this.#head);
    this.#first += this.#head;
    this.#head = 0;
  }
}
