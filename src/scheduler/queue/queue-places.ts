import { type ActiveQueue, PrioritySortedPods, SortedPods } from './active-queue.ts';
import { type BackoffLimits, BackoffQueue } from './backoff-queue.ts';
import { isBeforeByPriority, type Less } from './pod-order.ts';
import type { QueuedPodInfo, QueuePlace } from './queued-pod-info.ts';
import { UnschedulablePods } from './unschedulable-pods.ts';

/** Where pods wait, each in exactly one place; who is in which place is decided elsewhere. Pods are known by uid. */
export class QueuePlaces {
  readonly #byUid = new Map<string, QueuedPodInfo>();
  readonly #active: ActiveQueue;
  readonly backoff: BackoffQueue;
  readonly unschedulable = new UnschedulablePods();

  constructor(limits: BackoffLimits, less: Less | undefined) {
    this.#active = less === undefined ? new PrioritySortedPods() : new SortedPods(less);
    this.backoff = new BackoffQueue(limits, less ?? isBeforeByPriority);
  }

  get(uid: string): QueuedPodInfo | undefined {
    return this.#byUid.get(uid);
  }

  /** In no particular order. */
  all(): Iterable<QueuedPodInfo> {
    return this.#byUid.values();
  }

  /**
   * From wherever it is. One that stays unschedulable is looked at anew: another plugin may keep it now. A pod that met
   * an error backs off apart from the others.
   */
  put(pod: QueuedPodInfo, place: Exclude<QueuePlace, 'errorBackoff'>): void {
    if (pod.place === null) this.#byUid.set(pod.podInfo.uid, pod);
    else this.#takeOut(pod);
    pod.place = place;
    if (place === 'active') this.#active.push(pod);
    else if (place === 'unschedulable') this.unschedulable.set(pod);
    else this.backoff.push(pod);
  }

  remove(pod: QueuedPodInfo): void {
    this.#byUid.delete(pod.podInfo.uid);
    this.#takeOut(pod);
    pod.place = null;
  }

  /** The pod whose turn it is, out of all places: from back-off when nothing is active. */
  takeNext(): QueuedPodInfo | undefined {
    const next = this.#active.pop() ?? this.backoff.popEarly();
    if (next === undefined) return undefined;
    this.#byUid.delete(next.podInfo.uid);
    next.place = null;
    return next;
  }

  /** The pod changed, and perhaps its turn. */
  reorder(pod: QueuedPodInfo): void {
    if (pod.place === 'active') this.#active.update(pod);
    else if (pod.place !== 'unschedulable') this.backoff.update(pod);
  }

  #takeOut(pod: QueuedPodInfo): void {
    if (pod.place === 'active') this.#active.remove(pod);
    else if (pod.place === 'unschedulable') this.unschedulable.delete(pod);
    else if (pod.place !== null) this.backoff.remove(pod);
  }
}
