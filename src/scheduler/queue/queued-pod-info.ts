import type { ClusterEventWithHint } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** Where a pod waits. `unschedulable` holds gated pods, too: those that a PreEnqueue plugin keeps there. */
export type QueuePlace = 'active' | 'backoff' | 'errorBackoff' | 'unschedulable';

const NOBODY: ReadonlySet<string> = new Set();
const NOTHING: readonly ClusterEventWithHint[] = [];

/** The run of pods of one priority that a pod waits in. */
export interface PodRun {
  remove(pod: QueuedPodInfo): void;
}

/** A pending pod with what the queue remembers of its attempts (upstream's QueuedPodInfo). */
export class QueuedPodInfo {
  podInfo: PodInfo;
  /** Where it waits; null while it is in flight or gone. */
  place: QueuePlace | null = null;
  /** Scheduling attempts that were begun. */
  attempts = 0;
  /** Attempts that ended because plugins rejected the pod. */
  unschedulableCount = 0;
  /** Attempts that ended with an error, since the last that did not. */
  consecutiveErrorsCount = 0;
  /** When it entered the queue, or when its last attempt failed: pods of one priority go in this order. */
  timestampMillis: number;
  /** When it could be tried for the first time; NaN before that. */
  initialAttemptTimestampMillis = Number.NaN;
  /** A whole window; NaN until somebody asks. */
  backoffExpirationMillis = Number.NaN;
  /** Who rejected it in its last attempt, or gates it. Replaced, never changed. */
  unschedulablePlugins: ReadonlySet<string> = NOBODY;
  /** Who waits for something: news for them skips the back-off. */
  pendingPlugins: ReadonlySet<string> = NOBODY;
  /** The PreEnqueue plugin that keeps it out of the queue; '' for none. */
  gatingPlugin = '';
  /** What may open the gate. */
  gatingPluginEvents: readonly ClusterEventWithHint[] = NOTHING;
  /** Arrival: decides between pods of one priority and time. */
  readonly sequence: number;
  /** Kept by the heap that it is in. */
  heapIndex = -1;
  /** Kept by the run that it is in; null for none. */
  run: PodRun | null = null;
  runPlace = -1;

  constructor(podInfo: PodInfo, timestampMillis: number, sequence: number) {
    this.podInfo = podInfo;
    this.timestampMillis = timestampMillis;
    this.sequence = sequence;
  }

  get isGated(): boolean {
    return this.gatingPlugin !== '';
  }

  /** Whether no plugin is known that rejected it: the attempt failed for another reason. */
  get hasNoRejector(): boolean {
    return this.unschedulablePlugins.size === 0 && this.pendingPlugins.size === 0;
  }

  isRejectedBy(plugin: string): boolean {
    return this.unschedulablePlugins.has(plugin) || this.pendingPlugins.has(plugin);
  }

  /** An attempt begins. Who rejected the pod in the last one is known until this one fails. */
  beginAttempt(): void {
    this.attempts++;
    this.backoffExpirationMillis = Number.NaN;
    this.open();
  }

  /** A gate is shut by this plugin. */
  gate(plugin: string, events: readonly ClusterEventWithHint[]): void {
    this.gatingPlugin = plugin;
    this.gatingPluginEvents = events;
    if (!this.unschedulablePlugins.has(plugin)) {
      this.unschedulablePlugins = new Set([...this.unschedulablePlugins, plugin]);
    }
  }

  open(): void {
    this.gatingPlugin = '';
    this.gatingPluginEvents = NOTHING;
  }
}
