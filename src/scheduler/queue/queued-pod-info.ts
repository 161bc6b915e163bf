import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** The place where a pod waits. `unschedulable` also holds gated pods, which a PreEnqueue plugin keeps there. */
export type QueuePlace = 'active' | 'backoff' | 'errorBackoff' | 'unschedulable';

/** Pods that wait in one group, because they are equal to each other. */
export interface EqualPodGroup {
  readonly pods: ReadonlySet<QueuedPodInfo>;
}

const NOBODY: ReadonlySet<string> = new Set();
const NOTHING: readonly ClusterEventWithHint[] = [];

/** The last plugin that gated a pod which no other had rejected. Many pods in turn are gated by one. */
let lastAlone: ReadonlySet<string> = NOBODY;

function alone(plugin: string): ReadonlySet<string> {
  if (!lastAlone.has(plugin)) lastAlone = new Set([plugin]);
  return lastAlone;
}

/** The run of pods of one priority in which a pod waits. */
export interface PodRun {
  remove(pod: QueuedPodInfo): void;
}

/** A pending pod, and what the queue keeps about its attempts (upstream's QueuedPodInfo). */
export class QueuedPodInfo {
  podInfo: PodInfo;
  /** The place where the pod waits; null while it is in flight or gone. */
  place: QueuePlace | null = null;
  /** The number of attempts that have begun. */
  attempts = 0;
  /** The number of attempts in which plugins rejected the pod. */
  unschedulableCount = 0;
  /** The number of attempts that ended with an error since the last one that did not. */
  consecutiveErrorsCount = 0;
  /** The time at which the pod entered the queue or its last attempt failed; it orders pods of one priority. */
  timestampMillis: number;
  /** The time at which the pod could first be tried; NaN before that. */
  initialAttemptTimestampMillis = Number.NaN;
  /** The pod's rank among the members of its group; NaN until they are tried together first. @internal */
  groupRank = Number.NaN;
  /** The time at which the back-off ends, rounded down to a window; NaN until it is computed. */
  backoffExpirationMillis = Number.NaN;
  /** The plugins that rejected the pod in its last attempt, or gate it. The set is replaced, never changed. */
  unschedulablePlugins: ReadonlySet<string> = NOBODY;
  /** The plugins that returned Pending; an event that helps them skips the back-off. */
  pendingPlugins: ReadonlySet<string> = NOBODY;
  /** The PreEnqueue plugin that gates the pod; '' for none. */
  gatingPlugin = '';
  /** The events that may open the gate. @internal */
  gatingPluginEvents: readonly ClusterEventWithHint[] = NOTHING;
  /** The number of the pod's arrival, which orders pods of one priority and time. @internal */
  readonly sequence: number;
  /** The pod's index in the heap where it waits; only the heap changes it. @internal */
  heapIndex = -1;
  /** The run in which the pod waits; null for none. Only the run changes this and the place. @internal */
  run: PodRun | null = null;
  /** @internal */
  runPlace = -1;

  /** The group in which the pod waits for an event; null for none. Only `UnschedulablePods` sets it. @internal */
  group: EqualPodGroup | null = null;
  /** The number of the pod's entry among the unschedulable pods. @internal */
  entry = -1;

  constructor(podInfo: PodInfo, timestampMillis: number, sequence: number) {
    this.podInfo = podInfo;
    this.timestampMillis = timestampMillis;
    this.sequence = sequence;
  }

  get isGated(): boolean {
    return this.gatingPlugin !== '';
  }

  /** Whether no plugin rejected the pod, so that its attempt failed with an error. */
  get hasNoRejector(): boolean {
    return this.unschedulablePlugins.size === 0 && this.pendingPlugins.size === 0;
  }

  isRejectedBy(plugin: string): boolean {
    return this.unschedulablePlugins.has(plugin) || this.pendingPlugins.has(plugin);
  }

  /** Begins an attempt. The plugins that rejected the pod in the last one are kept until this one fails. @internal */
  beginAttempt(): void {
    this.attempts++;
    this.backoffExpirationMillis = Number.NaN;
    this.open();
  }

  /** Marks the pod as gated by the plugin. @internal */
  gate(plugin: string, events: readonly ClusterEventWithHint[]): void {
    this.gatingPlugin = plugin;
    this.gatingPluginEvents = events;
    const before = this.unschedulablePlugins;
    if (before.size === 0) this.unschedulablePlugins = alone(plugin);
    else if (!before.has(plugin)) this.unschedulablePlugins = new Set([...before, plugin]);
  }

  /** @internal */
  open(): void {
    this.gatingPlugin = '';
    this.gatingPluginEvents = NOTHING;
  }
}
