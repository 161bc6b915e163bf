import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { type ClusterEvent, isWildCard } from '../../../src/framework/events.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import { podSchedulingPropertiesChange } from '../../../src/scheduler/queue/cluster-events.ts';
import { opensGate } from '../../../src/scheduler/queue/helped-pods.ts';
import type {
  PreEnqueueCheck,
  SchedulingQueueModules,
  SchedulingQueueOptions,
} from '../../../src/scheduler/queue/queue-modules.ts';
import type { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { hintOf } from '../../../src/scheduler/queue/queueing-hints.ts';
import { SchedulingQueue } from '../../../src/scheduler/queue/scheduling-queue.ts';
import { START_MILLIS } from '../control/control-case.ts';
import { displayName, type LogEntry } from './queue-case.ts';

/** The queue, writing down what it is asked and what comes of it. */
export class RecordingQueue extends SchedulingQueue {
  readonly #log: (entry: LogEntry) => void;
  readonly #podInfoOf: (pod: Pod) => PodInfo;
  readonly #nowMillis: () => number;
  /** Popped, by uid, until they are done. */
  readonly inFlight = new Map<string, QueuedPodInfo>();

  constructor(modules: SchedulingQueueModules, options: SchedulingQueueOptions, log: (entry: LogEntry) => void) {
    super(modules, options);
    this.#log = log;
    this.#podInfoOf = modules.podInfoOf;
    this.#nowMillis = () => modules.loop.nowMillis();
  }

  /** The place of a pod as the recordings name it. */
  placeOf(uid: string): string {
    const queued = this.queuedPod(uid);
    if (queued !== undefined) return queued.isGated ? 'gated' : (queued.place ?? 'none');
    return this.isInFlight(uid) ? 'inFlight' : 'none';
  }

  override add(pod: Pod): void {
    super.add(pod);
    this.#log({ k: 'podAdd', pod: displayName(pod), to: this.placeOf(uidOf(pod)) });
  }

  override update(oldPod: Pod, newPod: Pod): void {
    const from = this.placeOf(uidOf(newPod));
    const queued = this.queuedPod(uidOf(newPod));
    const events = podSchedulingPropertiesChange(oldPod, newPod);
    let hints: object = {};
    if (queued?.place === 'unschedulable') {
      queued.podInfo = this.#podInfoOf(newPod);
      hints = {
        hints: events.map((event) => ({ event: event.label, ...this.#judged(queued, event, oldPod, newPod) })),
      };
    }
    super.update(oldPod, newPod);
    const labels = events.map(({ label }) => label);
    const to = this.placeOf(uidOf(newPod));
    this.#log({ k: 'podUpdate', pod: displayName(newPod), in: from, events: labels, ...hints, to });
  }

  override delete(pod: Pod): void {
    const from = this.placeOf(uidOf(pod));
    super.delete(pod);
    this.#log({ k: 'podDelete', pod: displayName(pod), from, to: this.placeOf(uidOf(pod)) });
  }

  override pop(): QueuedPodInfo | null {
    const queued = super.pop();
    if (queued === null) {
      this.#log({ k: 'pop', pod: null });
      return null;
    }
    this.inFlight.set(queued.podInfo.uid, queued);
    this.#log({ k: 'pop', pod: displayName(queued.podInfo.pod), attempt: queued.attempts });
    return queued;
  }

  override done(uid: string): void {
    super.done(uid);
    const queued = this.inFlight.get(uid);
    this.inFlight.delete(uid);
    if (queued !== undefined) this.#log({ k: 'done', pod: displayName(queued.podInfo.pod) });
  }

  override addUnschedulableIfNotPresent(queued: QueuedPodInfo): boolean {
    const { uid, pod } = queued.podInfo;
    const unschedulablePlugins = [...queued.unschedulablePlugins].sort();
    const pendingPlugins = [...queued.pendingPlugins].sort();
    const events = this.inFlightEvents(uid).map(({ event, oldObject, newObject }) => ({
      event: event.label,
      ...this.#judged(queued, event, oldObject, newObject),
    }));
    const isNew = super.addUnschedulableIfNotPresent(queued);
    this.inFlight.delete(uid);
    this.#log({
      k: 'requeue',
      pod: displayName(pod),
      unschedulablePlugins,
      ...(pendingPlugins.length > 0 && { pendingPlugins }),
      ...(events.length > 0 && { inFlightEvents: events }),
      to: this.placeOf(uid),
    });
    return isNew;
  }

  override activate(pods: Iterable<Pod>): void {
    const named = [...pods];
    const places = (): string[] => named.map((pod) => `${displayName(pod)}: ${this.placeOf(uidOf(pod))}`).sort();
    const before = places();
    super.activate(named);
    this.#log({ k: 'activate', pods: before, to: places() });
  }

  override moveAllToActiveOrBackoffQueue(
    event: ClusterEvent,
    oldObject: unknown,
    newObject: unknown,
    preCheck: PreEnqueueCheck | null = null,
  ): void {
    const object = displayName((newObject ?? oldObject) as KubernetesObject);
    if (!this.hints.isOfInterest(event)) {
      this.#log({ k: 'clusterEvent', event: event.label, object, ofInterest: false });
      return;
    }
    const judged = this.#unschedulable().map((queued) => {
      return { queued, verdict: this.#verdict(queued, event, oldObject, newObject, preCheck) };
    });
    super.moveAllToActiveOrBackoffQueue(event, oldObject, newObject, preCheck);
    const pods = judged.map(({ queued, verdict }) => {
      const { pod, uid } = queued.podInfo;
      const isMoved = 'strategy' in verdict && verdict.strategy !== 'Skip';
      return { pod: displayName(pod), ...verdict, ...(isMoved && { to: this.placeOf(uid) }) };
    });
    this.#log({
      k: 'clusterEvent',
      event: event.label,
      object,
      ...(pods.length > 0 && { pods }),
      ...(this.inFlight.size > 0 && { recordedForInFlight: true }),
    });
  }

  override flushBackoffCompleted(): void {
    this.#flush('backoffFlush', () => super.flushBackoffCompleted());
  }

  override flushUnschedulableLeftover(): void {
    this.#flush('unschedulableFlush', () => super.flushUnschedulableLeftover());
  }

  #flush(timer: string, flush: () => void): void {
    const before = [...this.pendingPods()].map(({ podInfo }) => ({ podInfo, from: this.placeOf(podInfo.uid) }));
    flush();
    const moved = before
      .map(({ podInfo, from }) => ({ pod: displayName(podInfo.pod), from, to: this.placeOf(podInfo.uid) }))
      .filter(({ from, to }) => from !== to)
      .sort((a, b) => (a.pod < b.pod ? -1 : 1));
    if (moved.length > 0) this.#log({ k: 'timer', timer, t: this.#nowMillis() - START_MILLIS, moved });
  }

  #unschedulable(): QueuedPodInfo[] {
    const pods = [...this.pendingPods()].filter(({ place }) => place === 'unschedulable');
    return pods.sort((a, b) => (displayName(a.podInfo.pod) < displayName(b.podInfo.pod) ? -1 : 1));
  }

  #verdict(
    queued: QueuedPodInfo,
    event: ClusterEvent,
    oldObject: unknown,
    newObject: unknown,
    preCheck: PreEnqueueCheck | null,
  ): object {
    if (preCheck !== null && !preCheck(queued.podInfo)) return { skipped: 'preCheck' };
    if (!opensGate(queued, event)) return { skipped: 'gated' };
    return this.#judged(queued, event, oldObject, newObject);
  }

  /** Collects the answers of all hints that could have been asked, and their outcome. */
  #judged(queued: QueuedPodInfo, event: ClusterEvent, oldObject: unknown, newObject: unknown): object {
    const { pod } = queued.podInfo;
    const registrations = isWildCard(event) ? [] : this.hints.matching(pod.spec?.schedulerName ?? '', event);
    const hints = registrations
      .filter(({ plugin }) => queued.isRejectedBy(plugin))
      .map((registration) => ({
        hint: hintOf(registration, queued.podInfo, oldObject, newObject),
        plugin: registration.plugin,
      }))
      .sort((a, b) => (a.plugin < b.plugin ? -1 : 1));
    return { hints, strategy: this.hints.strategyFor(queued, event, oldObject, newObject) };
  }
}

function uidOf({ metadata }: Pod): string {
  return metadata?.uid ?? '';
}
