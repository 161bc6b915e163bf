import type { Registry } from 'prom-client';
import type { Pod } from '../../api/pod.ts';
import type { Code } from '../../framework/status.ts';
import type { Clock } from '../../lib/clock.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { AttemptResult, ObservedPoint, SchedulerObserver } from '../observer.ts';
import type { QueueObserver } from '../queue/queue-modules.ts';
import type { QueuedPodInfo, QueuePlace } from '../queue/queued-pod-info.ts';
import { type Families, newFamilies } from './families.ts';
import { type Amount, type MetricFamily, newMap } from './family.ts';
import type { Histogram } from './histogram.ts';
import { registryOf } from './prometheus.ts';

const MILLIS_PER_SECOND = 1000;
/** Upstream: getAttemptsLabel in pkg/scheduler/schedule_one.go. */
const ATTEMPTS_LABEL_MAX = 15;

/** What of the queue is counted when somebody asks. */
export interface QueueState {
  readonly active: number;
  readonly backoff: number;
  readonly unschedulable: number;
  readonly gated: number;
  /** Plugin, profile, and how many pods wait because of it. */
  readonly rejected: Iterable<readonly [plugin: string, profile: string, pods: number]>;
  /** Labels of the events that are kept for pods in flight, and how many there are of each. */
  readonly inFlightEvents: Iterable<readonly [event: string, count: number]>;
}

interface AttemptChildren {
  readonly count: Amount;
  readonly duration: Histogram;
}

type AttemptsByResult = Partial<Record<AttemptResult, AttemptChildren>>;

const noChildren = (): AttemptsByResult => ({});

/**
 * kube-scheduler's metrics. Everything that happens for every pod goes to children that are looked up once; what can be
 * counted afterwards is read when somebody asks.
 */
export class SchedulerMetrics implements SchedulerObserver, QueueObserver {
  readonly registry: Registry;
  readonly #families: Families = newFamilies();
  readonly #clock: Clock;
  readonly #attempts = new Map<string, AttemptsByResult>();
  readonly #algorithmDuration: Histogram;
  readonly #podAttempts: Histogram;
  readonly #cacheSizes: Readonly<Record<'nodes' | 'pods' | 'assumedPods', Amount>>;
  readonly #sliDurations: Histogram[] = [];
  /** The counters by event, then by queue; most pods need the same one again. */
  readonly #incoming = new Map<string, Map<string, Amount>>();
  readonly #eventDurations = new Map<string, Histogram>();
  /** The child of the last profile and code at each extension point; these are mostly the same again. */
  readonly #lastAtPoint = new Map<ObservedPoint, { profile: string; code: Code; duration: Histogram }>();
  #queueState: (() => QueueState) | undefined;

  /** The clock is that of the loop. */
  constructor(clock: Clock) {
    this.#clock = clock;
    const { pendingPods, unschedulablePods, inFlightEvents } = this.#families;
    const ofQueue: readonly MetricFamily[] = [pendingPods, unschedulablePods, inFlightEvents];
    this.registry = registryOf(this.families, (family) => {
      if (ofQueue.includes(family)) this.#readQueue();
    });
    this.#algorithmDuration = this.#families.algorithmDuration.child();
    this.#podAttempts = this.#families.podSchedulingAttempts.child();
    const { cacheSize } = this.#families;
    this.#cacheSizes = {
      nodes: cacheSize.child('nodes'),
      pods: cacheSize.child('pods'),
      assumedPods: cacheSize.child('assumed_pods'),
    };
  }

  get families(): readonly MetricFamily[] {
    return Object.values(this.#families);
  }

  /** Where the state of the queue is read, from now on. */
  watchQueue(state: () => QueueState): void {
    this.#queueState = state;
  }

  attemptFinished(result: AttemptResult, profile: string, durationMillis: number): void {
    const ofProfile = getOrMake(this.#attempts, profile, noChildren);
    let children = ofProfile[result];
    if (children === undefined) {
      const { scheduleAttempts, attemptDuration } = this.#families;
      children = { count: scheduleAttempts.child(result, profile), duration: attemptDuration.child(result, profile) };
      ofProfile[result] = children;
    }
    children.count.value++;
    children.duration.observe(durationMillis / MILLIS_PER_SECOND);
  }

  decisionFinished(durationMillis: number): void {
    this.#algorithmDuration.observe(durationMillis / MILLIS_PER_SECOND);
  }

  podScheduled(queued: QueuedPodInfo): void {
    const { attempts, initialAttemptTimestampMillis } = queued;
    this.#podAttempts.observe(attempts);
    const limited = Math.min(attempts, ATTEMPTS_LABEL_MAX);
    let duration = this.#sliDurations[limited];
    if (duration === undefined) {
      const label = limited < ATTEMPTS_LABEL_MAX ? String(limited) : `${ATTEMPTS_LABEL_MAX}+`;
      duration = this.#families.podSchedulingSliDuration.child(label);
      this.#sliDurations[limited] = duration;
    }
    if (Number.isNaN(initialAttemptTimestampMillis)) return;
    duration.observe((this.#clock.nowMillis() - initialAttemptTimestampMillis) / MILLIS_PER_SECOND);
  }

  podIncoming(place: QueuePlace, isGated: boolean, event: string): void {
    const queue = isGated ? 'gated' : place === 'errorBackoff' ? 'backoff' : place;
    const byQueue = getOrMake(this.#incoming, event, newMap<Amount>);
    let amount = byQueue.get(queue);
    if (amount === undefined) {
      amount = this.#families.queueIncomingPods.child(queue, event);
      byQueue.set(queue, amount);
    }
    amount.value++;
  }

  extensionPointFinished(point: ObservedPoint, profile: string, code: Code, durationMillis: number): void {
    let last = this.#lastAtPoint.get(point);
    if (last === undefined || last.profile !== profile || last.code !== code) {
      const duration = this.#families.extensionPointDuration.child(pointLabel(point), code, profile);
      last = { profile, code, duration };
      this.#lastAtPoint.set(point, last);
    }
    last.duration.observe(durationMillis / MILLIS_PER_SECOND);
  }

  pluginFinished(plugin: string, point: ObservedPoint, code: Code, durationMillis: number): void {
    const duration = this.#families.pluginDuration.child(plugin, pointLabel(point), code);
    duration.observe(durationMillis / MILLIS_PER_SECOND);
  }

  permitWaitFinished(code: Code, durationMillis: number): void {
    this.#families.permitWaitDuration.child(code).observe(durationMillis / MILLIS_PER_SECOND);
  }

  preemptionAttempted(): void {
    this.#families.preemptionAttempts.child().value++;
  }

  preemptionStarted(_preemptor: Pod, _nodeName: string, victims: readonly Pod[]): void {
    this.#families.preemptionVictims.child().observe(victims.length);
  }

  preemptionFinished(_preemptor: Pod, result: 'success' | 'error', durationMillis: number): void {
    this.#families.preemptionGoroutines.child(result).value++;
    this.#families.preemptionGoroutinesDuration.child(result).observe(durationMillis / MILLIS_PER_SECOND);
  }

  goroutines(work: 'binding' | 'preemption', change: 1 | -1): void {
    this.#families.goroutines.child(work).value += change;
  }

  cacheSize(kind: 'nodes' | 'pods' | 'assumedPods', count: number): void {
    this.#cacheSizes[kind].value = count;
  }

  /** A change in the cluster has been taken notice of. */
  eventHandled(event: string, durationMillis: number): void {
    const { eventHandlingDuration } = this.#families;
    const duration = getOrMake(this.#eventDurations, event, () => eventHandlingDuration.child(event));
    duration.observe(durationMillis / MILLIS_PER_SECOND);
  }

  hintGiven(plugin: string, event: string, hint: string, durationMillis: number, pods = 1): void {
    this.#families.hintDuration.child(plugin, event, hint).observe(durationMillis / MILLIS_PER_SECOND, pods);
  }

  /** Sets the gauges of the queue, before they are read. */
  #readQueue(): void {
    const state = this.#queueState?.();
    if (state === undefined) return;
    const { pendingPods, unschedulablePods, inFlightEvents } = this.#families;
    for (const queue of ['active', 'backoff', 'unschedulable', 'gated'] as const) {
      pendingPods.child(queue).value = state[queue];
    }
    unschedulablePods.clear();
    for (const [plugin, profile, pods] of state.rejected) unschedulablePods.child(plugin, profile).value = pods;
    inFlightEvents.clear();
    for (const [event, count] of state.inFlightEvents) inFlightEvents.child(event).value = count;
  }
}

const POINT_LABELS = new Map<ObservedPoint, string>();

/** `preFilter` is `PreFilter`. */
function pointLabel(point: ObservedPoint): string {
  let label = POINT_LABELS.get(point);
  if (label === undefined) {
    label = point.charAt(0).toUpperCase() + point.slice(1);
    POINT_LABELS.set(point, label);
  }
  return label;
}
