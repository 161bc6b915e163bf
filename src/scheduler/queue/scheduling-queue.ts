import { schedulerNameOf } from '../../api/defaults.ts';
import type { Pod } from '../../api/pod.ts';
import {
  type ClusterEvent,
  EVENT_FORCE_ACTIVATE,
  EVENT_UNSCHEDULABLE_TIMEOUT,
  EVENT_UNSCHEDULED_POD_ADD,
  EVENT_UNSCHEDULED_POD_UPDATE,
  isWildCard,
} from '../../framework/events.ts';
import type { PreEnqueuePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { podSchedulingPropertiesChange } from './cluster-events.ts';
import { FlushTimers } from './flush-timers.ts';
import { helpedPods, opensGate, ownPods } from './helped-pods.ts';
import { type InFlightEvent, InFlightPods } from './in-flight-pods.ts';
import { type Nomination, Nominator } from './nominator.ts';
import { gateOf } from './pre-enqueue.ts';
import type { PreEnqueueCheck, SchedulingQueueModules, SchedulingQueueOptions } from './queue-modules.ts';
import { QueuePlaces } from './queue-places.ts';
import { QueuedPodInfo } from './queued-pod-info.ts';
import { QueueingHints, type QueueingStrategy } from './queueing-hints.ts';
import { NO_GROUPS, UnschedulablePods } from './unschedulable-pods.ts';

const NO_PLUGINS: readonly PreEnqueuePlugin[] = [];
/** What gates a pod that is held. No event opens this gate. */
const HELD = 'Held';
const NO_EVENTS: readonly never[] = [];
const SCHEDULE_ATTEMPT_FAILURE = 'ScheduleAttemptFailure';
const BACKOFF_COMPLETE = 'BackoffComplete';
/** How long a pod may stay unschedulable without a helpful event (upstream's podMaxInUnschedulablePodsDuration). */
const POD_MAX_IN_UNSCHEDULABLE_PODS_MILLIS = 5 * 60_000;

/**
 * The pods that wait for a node (upstream's PriorityQueue). Each is in exactly one place:
 *
 *   add ──▶ PreEnqueue ──▶ active ─────── pop ──────▶ in flight ──▶ done: on a node, or gone
 *               │          ▲    ▲                      │   │
 *               │  event,  │    │ flush, activate      │   │ error, or helped by an event already
 *               │  update  │    └───────────── backoff ◀───┤
 *               │          │                     ▲     │   │ rejected
 *               ▼          │   event, too early  │     │   │
 *             gated ───────┴── unschedulable ────┘     │   │
 *                                    ▲─────────────────┼───┘
 *                                                      │
 *   Without active pods, back-off is popped, too: ─────┘ but not pods with an error.
 *
 * A pod is identified by its uid. A pod whose attempt failed returns through `addUnschedulableIfNotPresent`.
 */
export class SchedulingQueue {
  readonly #modules: SchedulingQueueModules;
  readonly hints: QueueingHints;
  readonly #nominator: Nominator;
  readonly #inFlight = new InFlightPods();
  readonly #places: QueuePlaces;
  readonly #timers: FlushTimers;
  #nextSequence = 0;
  #nextGroupRank = 0;

  constructor(modules: SchedulingQueueModules, options: SchedulingQueueOptions = {}) {
    const { podInitialBackoffMillis = 1000, podMaxBackoffMillis = 10_000, less } = options;
    this.#modules = modules;
    const plugins = [...modules.profiles].map(([name, profile]) => [name, profile.plugins] as const);
    this.hints = new QueueingHints(plugins, options.queueingHints, modules);
    this.#nominator = new Nominator(modules.nominated, modules.isPending);
    const limits = { podInitialBackoffMillis, podMaxBackoffMillis };
    this.#places = new QueuePlaces(limits, less, new UnschedulablePods(this.hints, modules.templateOf));
    this.#timers = new FlushTimers(modules.loop, {
      backoffCompleted: () => this.flushBackoffCompleted(),
      unschedulableLeftover: () => this.flushUnschedulableLeftover(),
    });
  }

  /** Starts the timers. */
  run(): void {
    this.#timers.start();
    this.#watch();
  }

  close(): void {
    this.#timers.stop();
  }

  /** Adds a pod that needs a node. */
  add(pod: Pod): void {
    this.#addNew(this.#modules.podInfoOf(pod), EVENT_UNSCHEDULED_POD_ADD);
  }

  /** Pops the next pod, which is in flight until `done` is called for it; null if there is none. */
  pop(): QueuedPodInfo | null {
    for (;;) {
      const pod = this.#places.takeNext(this.#mayLeaveEarly);
      if (pod === undefined) return null;
      const { uid } = pod.podInfo;
      // The pod is in flight already, and requeued if that attempt fails.
      if (this.#inFlight.has(uid)) continue;
      pod.beginAttempt();
      this.#inFlight.begin(uid);
      return pod;
    }
  }

  /**
   * Pods of a group that has no place return to back-off at once, and may leave it early. Where time stands still
   * during an attempt, a scheduler without other work would try them without end, so they wait until it has moved on.
   */
  readonly #mayLeaveEarly = (pod: QueuedPodInfo): boolean =>
    pod.timestampMillis < this.#now() || this.#modules.isOfGroup?.(pod.podInfo.pod) !== true;

  /** Pops this pod out of turn; null if it does not wait, or is still gated. */
  popOutOfTurn(uid: string): QueuedPodInfo | null {
    const pod = this.#places.get(uid);
    if (pod === undefined || this.#inFlight.has(uid)) return null;
    if (pod.isGated) this.#runPreEnqueue(pod);
    if (pod.isGated) return null;
    this.#places.remove(pod);
    pod.beginAttempt();
    this.#inFlight.begin(uid);
    return pod;
  }

  /**
   * Sorts pods of one group in the order in which they are tried: by priority, then by the time at which they could
   * first be tried. Pods that are equal in both keep the order of the first time in which they are sorted.
   */
  orderMembers(pods: QueuedPodInfo[]): QueuedPodInfo[] {
    for (const pod of pods) if (Number.isNaN(pod.groupRank)) pod.groupRank = this.#nextGroupRank++;
    const firstTime = (pod: QueuedPodInfo): number => pod.initialAttemptTimestampMillis;
    return pods.sort(
      (a, b) => b.podInfo.priority - a.podInfo.priority || firstTime(a) - firstTime(b) || a.groupRank - b.groupRank,
    );
  }

  /** Ends the flight of a pod that does not return to the queue. */
  done(uid: string): void {
    this.#inFlight.done(uid);
  }

  /**
   * Requeues a pod whose attempt failed. The pod waits for an event that can help it, or for its back-off if such an
   * event has come in the meantime or no plugin rejected it. Returns false, and only calls `done`, if it waits already.
   */
  addUnschedulableIfNotPresent(pod: QueuedPodInfo): boolean {
    const { uid } = pod.podInfo;
    const isNew = this.#places.get(uid) === undefined;
    if (isNew) {
      if (pod.hasNoRejector) {
        pod.consecutiveErrorsCount++;
      } else {
        pod.unschedulableCount++;
        pod.consecutiveErrorsCount = 0;
      }
      pod.timestampMillis = this.#now();
      pod.backoffExpirationMillis = Number.NaN;
      this.#requeue(pod, this.#strategyInFlight(pod, uid), SCHEDULE_ATTEMPT_FAILURE);
    }
    this.#inFlight.done(uid);
    return isNew;
  }

  /** Updates a pending pod. A pod in flight is judged by the change when it returns. */
  update(oldPod: Pod | null, newPod: Pod): void {
    const uid = uidOf(newPod);
    const events = oldPod === null ? [] : podSchedulingPropertiesChange(oldPod, newPod);
    if (this.#inFlight.has(uid)) {
      for (const event of events) this.#inFlight.record({ event, oldObject: oldPod, newObject: newPod });
      return;
    }
    const podInfo = this.#modules.podInfoOf(newPod);
    const pod = this.#places.get(uid);
    if (pod === undefined) {
      this.#addNew(podInfo, EVENT_UNSCHEDULED_POD_UPDATE);
      return;
    }
    pod.podInfo = podInfo;
    this.#nominator.update(uid, oldPod, podInfo);
    if (pod.place === 'unschedulable' && this.#requeueUpdated(pod, events, oldPod, newPod)) return;
    this.#places.reorder(pod);
  }

  /** Requeues an unschedulable pod if its own update may have made it schedulable. Returns whether it has left. */
  #requeueUpdated(pod: QueuedPodInfo, events: readonly ClusterEvent[], oldPod: Pod | null, newPod: Pod): boolean {
    for (const event of events) {
      this.#requeue(pod, this.hints.strategyFor(pod, event, oldPod, newPod), event.label);
      if (pod.place !== 'unschedulable') return true;
    }
    return false;
  }

  /** Removes a pod that is gone or bound. A pod in flight stays in flight until `done`. */
  delete(pod: Pod): void {
    const uid = uidOf(pod);
    this.#nominator.delete(uid);
    const queued = this.#places.get(uid);
    if (queued !== undefined) this.#places.remove(queued);
  }

  /** Moves the pods to the active queue; a pod in flight moves there when it returns. */
  activate(pods: Iterable<Pod>): void {
    for (const pod of pods) {
      const queued = this.#places.get(uidOf(pod));
      if (queued === undefined || queued.place === 'active') {
        // A pod of a group is tried again in any case.
        if (this.#inFlight.has(uidOf(pod)) && !this.#modules.isOfGroup?.(pod))
          this.#inFlight.record({ event: EVENT_FORCE_ACTIVATE, oldObject: null, newObject: pod });
        continue;
      }
      const { label } = EVENT_FORCE_ACTIVATE;
      if (queued.place === 'unschedulable') this.#admit(queued, 'active', label);
      else this.#put(queued, 'active', label);
    }
  }

  /**
   * Moves the unschedulable pods that the event may help, and keeps the event for the pods in flight. `preCheck`:
   * whether the event can concern a pod; null: it can concern all.
   */
  moveAllToActiveOrBackoffQueue(
    event: ClusterEvent,
    oldObject: unknown,
    newObject: unknown,
    preCheck: PreEnqueueCheck | null = null,
  ): void {
    if (!this.hints.isOfInterest(event)) return;
    const { observer } = this.#modules;
    let durationMillis = 0;
    if (this.#places.unschedulable.size > 0 || !this.#inFlight.isEmpty) {
      const change = { event, oldObject, newObject };
      if (this.#places.unschedulable.size > 0) durationMillis = this.#moveHelped(change, preCheck);
      this.#inFlight.record(change);
    }
    observer?.eventHandled?.(event.label, durationMillis);
  }

  /** Returns how long it took: no time where no pod is concerned, so that the clock is not read for most events. */
  #moveHelped(change: InFlightEvent, preCheck: PreEnqueueCheck | null): number {
    const { event } = change;
    const { unschedulable } = this.#places;
    const own = ownPods(change, this.#places);
    const groups = isWildCard(event) ? unschedulable.groups() : unschedulable.concernedBy(change, own);
    if (groups === NO_GROUPS) return 0;
    const startMillis = this.#now();
    for (const { pod, strategy } of helpedPods(this.hints, groups, change, own, preCheck)) {
      this.#requeue(pod, strategy, event.label);
    }
    return this.#now() - startMillis;
  }

  /** Moves the pods whose back-off is over. */
  flushBackoffCompleted(): void {
    const [{ backoff }, now] = [this.#places, this.#now()];
    for (let pod = backoff.popCompleted(now); pod !== undefined; pod = backoff.popCompleted(now)) {
      this.#put(pod, 'active', BACKOFF_COMPLETE);
    }
    this.#watch();
  }

  /** Moves the pods that have been unschedulable for very long, since a helpful event may have been missed. */
  flushUnschedulableLeftover(): void {
    const now = this.#now();
    const all = this.#places.unschedulable.all();
    const left = all.filter(({ timestampMillis }) => now - timestampMillis > POD_MAX_IN_UNSCHEDULABLE_PODS_MILLIS);
    if (left.length > 0) {
      for (const pod of left) {
        if (!opensGate(pod, EVENT_UNSCHEDULABLE_TIMEOUT)) continue;
        this.#requeue(pod, 'QueueAfterBackoff', EVENT_UNSCHEDULABLE_TIMEOUT.label);
      }
      this.#inFlight.record({ event: EVENT_UNSCHEDULABLE_TIMEOUT, oldObject: null, newObject: null });
    }
    this.#watch();
  }

  addNominatedPod(pod: PodInfo, nomination: Nomination): void {
    this.#nominator.add(pod.uid, pod, nomination);
  }

  deleteNominatedPodIfExists(pod: Pod): void {
    this.#nominator.delete(uidOf(pod));
  }

  /** The nominated pods with their node names; '' for a cleared nomination. */
  nominations(): Iterable<readonly [PodInfo, string]> {
    return this.#nominator.entries();
  }

  isInFlight(uid: string): boolean {
    return this.#inFlight.has(uid);
  }

  /** The events since the pod was popped; without `uid`, all events that are kept for pods in flight. */
  inFlightEvents(uid?: string): readonly InFlightEvent[] {
    return uid === undefined ? this.#inFlight.events() : this.#inFlight.eventsSince(uid);
  }

  /** Returns the waiting pod; undefined if it does not wait. */
  queuedPod(uid: string): QueuedPodInfo | undefined {
    return this.#places.get(uid);
  }

  /** The time at which the pod's back-off ends; -Infinity for a pod without attempts. */
  backoffExpirationMillis(pod: QueuedPodInfo): number {
    return this.#places.backoff.expirationMillis(pod);
  }

  /** All waiting pods, in no particular order. */
  pendingPods(): Iterable<QueuedPodInfo> {
    return this.#places.all();
  }

  #strategyInFlight(pod: QueuedPodInfo, uid: string): QueueingStrategy {
    if (pod.hasNoRejector) return 'QueueAfterBackoff';
    // What helps the other pods of a group may help this one, so that no event has to be waited for.
    if (this.#modules.isOfGroup?.(pod.podInfo.pod)) return 'QueueAfterBackoff';
    let strategy: QueueingStrategy = 'Skip';
    for (const { event, oldObject, newObject } of this.#inFlight.eventsSince(uid)) {
      const next = this.hints.strategyFor(pod, event, oldObject, newObject);
      if (next === 'QueueImmediately') return next;
      if (next === 'QueueAfterBackoff') strategy = next;
    }
    return strategy;
  }

  #addNew(podInfo: PodInfo, event: ClusterEvent): void {
    const { uid } = podInfo;
    const pod = new QueuedPodInfo(podInfo, this.#now(), this.#nextSequence++);
    const known = this.#places.get(uid);
    this.#runPreEnqueue(pod);
    if (pod.isGated && known !== undefined) return;
    if (known !== undefined) this.#places.remove(known);
    if (!pod.isGated) pod.initialAttemptTimestampMillis = pod.timestampMillis;
    this.#put(pod, pod.isGated ? 'unschedulable' : 'active', event.label);
    if (!pod.isGated) this.#nominator.add(uid, podInfo, null);
  }

  #requeue(pod: QueuedPodInfo, strategy: QueueingStrategy, event: string): void {
    if (strategy === 'Skip') {
      if (pod.place !== 'unschedulable') this.#put(pod, 'unschedulable', event);
    } else if (strategy === 'QueueAfterBackoff' && this.#places.backoff.isBackingOff(pod, this.#now())) {
      this.#admit(pod, 'backoff', event);
    } else {
      this.#admit(pod, 'active', event);
    }
  }

  /** Moves the pod to the place if the PreEnqueue plugins let it in. A pod in back-off was let in before. */
  #admit(pod: QueuedPodInfo, place: 'active' | 'backoff', event: string): void {
    this.#runPreEnqueue(pod);
    this.#put(pod, pod.isGated ? 'unschedulable' : place, event);
  }

  #put(pod: QueuedPodInfo, place: 'active' | 'backoff' | 'unschedulable', event: string): void {
    const isNews = pod.place !== 'unschedulable' || place !== 'unschedulable';
    this.#places.put(pod, place);
    if (!isNews) return;
    if (place === 'unschedulable') this.#timers.watchUnschedulable();
    else if (place === 'backoff') this.#timers.watchBackoff();
    else if (Number.isNaN(pod.initialAttemptTimestampMillis)) pod.initialAttemptTimestampMillis = this.#now();
    this.#modules.observer?.podIncoming?.(pod.place ?? place, pod.isGated, event);
    if (pod.place === 'active' || pod.place === 'backoff') this.#modules.onReady?.();
  }

  /** Arms the timers for the places that hold pods. */
  #watch(): void {
    if (this.#places.backoff.length > 0) this.#timers.watchBackoff();
    if (this.#places.unschedulable.size > 0) this.#timers.watchUnschedulable();
  }

  /** Calls the PreEnqueue plugins, first the one that has gated the pod; the first that rejects the pod gates it. */
  #runPreEnqueue(pod: QueuedPodInfo): void {
    const { gatingPlugin } = pod;
    pod.open();
    if (this.#modules.isHeld?.(pod.podInfo.uid)) {
      pod.gate(HELD, NO_EVENTS);
      return;
    }
    const plugins = this.#modules.profiles.get(schedulerNameOf(pod.podInfo.pod))?.preEnqueuePlugins ?? NO_PLUGINS;
    const gate = gateOf(plugins, pod.podInfo, gatingPlugin);
    if (gate !== null) pod.gate(gate, this.hints.eventsOf(gate));
  }

  #now(): number {
    return this.#modules.loop.nowMillis();
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata?.uid ?? '';
}
