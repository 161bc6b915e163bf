import { isBeforeByTime } from './pod-order.ts';
import type { PodRun, QueuedPodInfo } from './queued-pod-info.ts';

/** So many places at least are taken before the list is shortened. */
const SHORTEN_AT = 32;

/** Pods of one priority, in the order of their times: they are appended, taken from the front, or from in between. */
export class PriorityRun implements PodRun {
  readonly priority: number;
  #places: (QueuedPodInfo | undefined)[] = [];
  /** Number of the first place: numbers go on when the list is shortened. */
  #first = 0;
  /** Up to here, all places are empty. */
  #head = 0;
  #length = 0;
  #last: QueuedPodInfo | null = null;

  constructor(priority: number) {
    this.priority = priority;
  }

  get length(): number {
    return this.#length;
  }

  /** False, and nothing changed, for a pod that is not the last in order. */
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

  /** The last pod that left need not be the last in order: what comes now begins anew. */
  #clear(): void {
    this.#first += this.#places.length;
    this.#places.length = 0;
    this.#head = 0;
    this.#last = null;
  }

  /** Half of the list at a time, so that each pod is moved once on average. */
  #shorten(): void {
    this.#places = this.#places.slice(this.#head);
    this.#first += this.#head;
    this.#head = 0;
  }
}
