import type { Pod } from '../../api/pod.ts';
import { schedulerName } from '../../core/profiles.ts';
import {
  type ClusterEvent,
  EVENT_FORCE_ACTIVATE,
  EVENT_UNSCHEDULABLE_TIMEOUT,
  EVENT_UNSCHEDULED_POD_ADD,
  EVENT_UNSCHEDULED_POD_UPDATE,
  isWildCard,
  matchesEvent,
} from '../../framework/events.ts';
import type { PreEnqueuePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { checkedAnswer } from '../../framework/runtime/plugin-answer.ts';
import { podSchedulingPropertiesChange } from './cluster-events.ts';
import { FlushTimers } from './flush-timers.ts';
import { type InFlightEvent, InFlightPods } from './in-flight-pods.ts';
import { type Nomination, Nominator } from './nominator.ts';
import type { PreEnqueueCheck, SchedulingQueueModules, SchedulingQueueOptions } from './queue-modules.ts';
import { QueuePlaces } from './queue-places.ts';
import { QueuedPodInfo } from './queued-pod-info.ts';
import { QueueingHints, type QueueingStrategy } from './queueing-hints.ts';

const NO_PLUGINS: readonly PreEnqueuePlugin[] = [];
const SCHEDULE_ATTEMPT_FAILURE = 'ScheduleAttemptFailure';
const BACKOFF_COMPLETE = 'BackoffComplete';

/**
 * Pods that wait for a node (upstream's PriorityQueue). Each is in exactly one place:
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
 *   Back-off is popped, too, when nothing is active: ──┘ but not pods that met an error.
 *
 * A pod is known by its uid. Errors and rejections come back through `addUnschedulableIfNotPresent`.
 */
export class SchedulingQueue {
  readonly #modules: SchedulingQueueModules;
  /** Who is asked about which event. */
  readonly hints: QueueingHints;
  readonly #nominator: Nominator;
  readonly #inFlight = new InFlightPods();
  readonly #places: QueuePlaces;
  readonly #timers: FlushTimers;
  readonly #podMaxInUnschedulablePodsMillis: number;
  #nextSequence = 0;

  constructor(modules: SchedulingQueueModules, options: SchedulingQueueOptions = {}) {
    const { podInitialBackoffMillis = 1000, podMaxBackoffMillis = 10_000, less } = options;
    this.#modules = modules;
    this.#podMaxInUnschedulablePodsMillis = options.podMaxInUnschedulablePodsMillis ?? 5 * 60_000;
    const plugins = [...modules.profiles].map(([name, profile]) => [name, profile.plugins] as const);
    this.hints = new QueueingHints(plugins, options.queueingHints, modules);
    this.#nominator = new Nominator(modules.nominated, modules.isPending);
    this.#places = new QueuePlaces({ podInitialBackoffMillis, podMaxBackoffMillis }, less);
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

  /** A pod that needs a node. */
  add(pod: Pod): void {
    this.#addNew(this.#modules.podInfoOf(pod), EVENT_UNSCHEDULED_POD_ADD);
  }

  /** The next pod to try, now in flight; null when there is none. `done` must be called for it. */
  pop(): QueuedPodInfo | null {
    for (;;) {
      const pod = this.#places.takeNext();
      if (pod === undefined) return null;
      const { uid } = pod.podInfo;
      // It is being tried already: what comes of that decides.
      if (this.#inFlight.has(uid)) continue;
      pod.beginAttempt();
      this.#inFlight.begin(uid);
      return pod;
    }
  }

  /** The pod is not in flight any more: somebody else takes care of it, or it is gone. */
  done(uid: string): void {
    this.#inFlight.done(uid);
  }

  /**
   * The attempt failed. The pod waits for an event that can help it, or, when one has come in the meantime or no plugin
   * is known that rejected it, for its back-off. Returns false, and does nothing but `done`, when it waits already.
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

  /** The pending pod changed. One that is in flight is judged by that when it comes back. */
  update(oldPod: Pod | null, newPod: Pod): void {
    const uid = uidOf(newPod);
    const events = oldPod === null ? [] : podSchedulingPropertiesChange(oldPod, newPod);
    if (this.#inFlight.has(uid)) {
      for (const event of events) this.#inFlight.record(event, oldPod, newPod);
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
    if (pod.place === 'unschedulable') this.#helpItself(pod, events, oldPod, newPod);
    else this.#places.reorder(pod);
  }

  /** Its own change may have made an unschedulable pod schedulable. */
  #helpItself(pod: QueuedPodInfo, events: readonly ClusterEvent[], oldPod: Pod | null, newPod: Pod): void {
    for (const event of events) {
      this.#requeue(pod, this.hints.strategyFor(pod, event, oldPod, newPod), event.label);
      if (pod.place !== 'unschedulable') return;
    }
  }

  /** The pod is gone, or has a node. One that is in flight stays so until `done`. */
  delete(pod: Pod): void {
    const uid = uidOf(pod);
    this.#nominator.delete(uid);
    const queued = this.#places.get(uid);
    if (queued !== undefined) this.#places.remove(queued);
  }

  /** These pods are to be tried now, whatever keeps them; one in flight: as soon as it comes back. */
  activate(pods: Iterable<Pod>): void {
    for (const pod of pods) {
      const queued = this.#places.get(uidOf(pod));
      if (queued === undefined || queued.place === 'active') {
        if (this.#inFlight.has(uidOf(pod))) this.#inFlight.record(EVENT_FORCE_ACTIVATE, null, pod);
        continue;
      }
      this.#moveToActive(queued, EVENT_FORCE_ACTIVATE.label, queued.place !== 'unschedulable');
    }
  }

  /**
   * Something happened: unschedulable pods that it may help are moved, and pods in flight will be judged by it.
   * `preCheck` names the pods that it can concern.
   */
  moveAllToActiveOrBackoffQueue(
    event: ClusterEvent,
    oldObject: unknown,
    newObject: unknown,
    preCheck: PreEnqueueCheck | null = null,
  ): void {
    if (!this.hints.isOfInterest(event)) return;
    const { observer, loop } = this.#modules;
    const startMillis = observer?.eventHandled === undefined ? 0 : loop.nowMillis();
    const { unschedulable } = this.#places;
    if (unschedulable.size > 0) {
      const pods = isWildCard(event) ? unschedulable.all() : unschedulable.rejectedByAny(this.hints.pluginsOf(event));
      const concerned = preCheck === null ? pods : pods.filter(({ podInfo }) => preCheck(podInfo));
      this.#move(concerned, event, oldObject, newObject);
    }
    if (this.#inFlight.size > 0) this.#inFlight.record(event, oldObject, newObject);
    observer?.eventHandled?.(event.label, loop.nowMillis() - startMillis);
  }

  /** Whether any plugin registered for such events. */
  isOfInterest(event: ClusterEvent): boolean {
    return this.hints.isOfInterest(event);
  }

  #move(pods: readonly QueuedPodInfo[], event: ClusterEvent, oldObject: unknown, newObject: unknown): void {
    for (const pod of pods) {
      if (!this.opensGate(pod, event)) continue;
      this.#requeue(pod, this.hints.strategyFor(pod, event, oldObject, newObject), event.label);
    }
  }

  /** Whether the pod is not gated, or its gate may be opened by such an event. */
  opensGate(pod: QueuedPodInfo, event: ClusterEvent): boolean {
    return !pod.isGated || pod.gatingPluginEvents.some((registered) => matchesEvent(registered.event, event));
  }

  /** Moves pods whose back-off is over. */
  flushBackoffCompleted(): void {
    const [{ backoff }, now] = [this.#places, this.#now()];
    for (let pod = backoff.popCompleted(now); pod !== undefined; pod = backoff.popCompleted(now)) {
      this.#moveToActive(pod, BACKOFF_COMPLETE, true);
    }
    this.#watch();
  }

  /** Moves pods that have been unschedulable for very long: an event may have been misjudged. */
  flushUnschedulableLeftover(): void {
    const now = this.#now();
    const all = this.#places.unschedulable.all();
    const left = all.filter(({ timestampMillis }) => now - timestampMillis > this.#podMaxInUnschedulablePodsMillis);
    if (left.length > 0) {
      this.#move(left, EVENT_UNSCHEDULABLE_TIMEOUT, null, null);
      if (this.#inFlight.size > 0) this.#inFlight.record(EVENT_UNSCHEDULABLE_TIMEOUT, null, null);
    }
    this.#watch();
  }

  addNominatedPod(pod: PodInfo, nomination: Nomination): void {
    this.#nominator.add(pod.uid, pod, nomination);
  }

  deleteNominatedPodIfExists(pod: Pod): void {
    this.#nominator.delete(uidOf(pod));
  }

  /** Every nomination, '' where one was taken back. */
  nominations(): Iterable<readonly [PodInfo, string]> {
    return this.#nominator.entries();
  }

  isInFlight(uid: string): boolean {
    return this.#inFlight.has(uid);
  }

  /** What happened since the pod was popped; without uid, what any pod in flight has not been judged by. */
  inFlightEvents(uid?: string): readonly InFlightEvent[] {
    return uid === undefined ? this.#inFlight.events() : this.#inFlight.eventsSince(uid);
  }

  /** undefined: it does not wait. */
  queuedPod(uid: string): QueuedPodInfo | undefined {
    return this.#places.get(uid);
  }

  /** When the pod's back-off ends, or ended; -Infinity when it owes none. */
  backoffExpirationMillis(pod: QueuedPodInfo): number {
    return this.#places.backoff.expirationMillis(pod);
  }

  /** Every pod that waits; the order says nothing. */
  pendingPods(): Iterable<QueuedPodInfo> {
    return this.#places.all();
  }

  #strategyInFlight(pod: QueuedPodInfo, uid: string): QueueingStrategy {
    if (pod.hasNoRejector) return 'QueueAfterBackoff';
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
      this.#moveToBackoff(pod, event);
    } else {
      this.#moveToActive(pod, event, false);
    }
  }

  /** A pod that comes from a backoff queue was let in there. */
  #moveToActive(pod: QueuedPodInfo, event: string, isLetIn: boolean): void {
    if (!isLetIn) this.#runPreEnqueue(pod);
    this.#put(pod, pod.isGated ? 'unschedulable' : 'active', event);
  }

  #moveToBackoff(pod: QueuedPodInfo, event: string): void {
    this.#runPreEnqueue(pod);
    this.#put(pod, pod.isGated ? 'unschedulable' : 'backoff', event);
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

  /** The clock matters while pods wait for it. */
  #watch(): void {
    if (this.#places.backoff.length > 0) this.#timers.watchBackoff();
    if (this.#places.unschedulable.size > 0) this.#timers.watchUnschedulable();
  }

  /** The first plugin that does not let the pod in is the gate. */
  #runPreEnqueue(pod: QueuedPodInfo): void {
    pod.open();
    const plugins = this.#modules.profiles.get(schedulerName(pod.podInfo.pod))?.preEnqueuePlugins ?? NO_PLUGINS;
    for (const plugin of plugins) {
      if (letsIn(plugin, pod.podInfo)) continue;
      pod.gate(plugin.name, this.hints.eventsOf(plugin.name));
      return;
    }
  }

  #now(): number {
    return this.#modules.loop.nowMillis();
  }
}

/** A plugin that fails keeps the pod out: it may have had a reason to. */
function letsIn(plugin: PreEnqueuePlugin, pod: PodInfo): boolean {
  try {
    return checkedAnswer(plugin, plugin.preEnqueue(pod)) === null;
  } catch {
    return false;
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata?.uid ?? '';
}
