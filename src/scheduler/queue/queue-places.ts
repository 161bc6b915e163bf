import { type ActiveQueue, PrioritySortedPods, SortedPods } from './active-queue.ts';
import { type BackoffLimits, BackoffQueue } from './backoff-queue.ts';
import { isBeforeByPriority, type Less } from './pod-order.ts';
import type { QueuedPodInfo, QueuePlace } from './queued-pod-info.ts';
import type { UnschedulablePods } from './unschedulable-pods.ts';

/** The places where pods wait, each pod in exactly one; `SchedulingQueue` decides in which. Pods are found by uid. */
export class QueuePlaces {
  readonly #byUid = new Map<string, QueuedPodInfo>();
  readonly #active: ActiveQueue;
  readonly backoff: BackoffQueue;
  readonly unschedulable: UnschedulablePods;

  constructor(limits: BackoffLimits, less: Less | undefined, unschedulable: UnschedulablePods) {
    this.unschedulable = unschedulable;
    this.#active = less === undefined ? new PrioritySortedPods() : new SortedPods(less);
    this.backoff = new BackoffQueue(limits, less ?? isBeforeByPriority);
  }

  get(uid: string): QueuedPodInfo | undefined {
    return this.#byUid.get(uid);
  }

  /** All waiting pods, in no particular order. */
  all(): Iterable<QueuedPodInfo> {
    return this.#byUid.values();
  }

  /**
   * Moves the pod to a place, from any other. A pod that stays unschedulable is entered anew, because other plugins may
   * reject it now. A pod with an error backs off in the error backoff queue.
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

  /** Removes the next pod and returns it: an active pod, or else one in back-off that may leave it early. */
  takeNext(mayLeaveEarly: (pod: QueuedPodInfo) => boolean): QueuedPodInfo | undefined {
    const next = this.#active.pop() ?? this.backoff.popEarly(mayLeaveEarly);
    if (next === undefined) return undefined;
    this.#byUid.delete(next.podInfo.uid);
    next.place = null;
    return next;
  }

  /** Restores the order, or the group, of the pod's place after the pod has changed. */
  reorder(pod: QueuedPodInfo): void {
    if (pod.place === 'active') this.#active.update(pod);
    else if (pod.place === 'unschedulable') this.unschedulable.update(pod);
    else this.backoff.update(pod);
  }

  #takeOut(pod: QueuedPodInfo): void {
    if (pod.place === 'active') this.#active.remove(pod);
    else if (pod.place === 'unschedulable') this.unschedulable.delete(pod);
    else if (pod.place !== null) this.backoff.remove(pod);
  }
}
