import type { Pod } from '../../api/pod.ts';
import type { NominatedPods } from '../../framework/cluster/nominated-pods.ts';
import type { QueueingHint } from '../../framework/events.ts';
import type { Plugin, PreEnqueuePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { Less } from './pod-order.ts';
import type { QueuePlace } from './queued-pod-info.ts';

/** What the queue needs of a profile. */
export interface QueueProfile {
  /** Those that can reject a pod, each once. */
  readonly plugins: readonly Plugin[];
  readonly preEnqueuePlugins: readonly PreEnqueuePlugin[];
}

/** Observes what a queue does. Times are milliseconds of the loop's clock, events are their labels. */
export interface QueueObserver {
  /** A pod comes to a place (upstream's scheduler_queue_incoming_pods_total). */
  podIncoming?(place: QueuePlace, isGated: boolean, event: string): void;
  /** Pods have been moved that an event may help. */
  eventHandled?(event: string, durationMillis: number): void;
  /** A plugin was asked whether an event helps a pod. */
  hintGiven?(plugin: string, event: string, hint: QueueingHint, durationMillis: number): void;
}

export interface SchedulingQueueModules {
  readonly loop: EventLoop;
  /** By scheduler name: of all pods that are added. */
  readonly profiles: ReadonlyMap<string, QueueProfile>;
  readonly podInfoOf: (pod: Pod) => PodInfo;
  /** Where decisions look for nominated pods. */
  readonly nominated: NominatedPods;
  /** Whether the API knows the pod still, and without a node: others are not nominated. */
  readonly isPending: (pod: PodInfo) => boolean;
  /** There is something to pop. */
  readonly onReady?: () => void;
  readonly observer?: QueueObserver | null;
}

export interface SchedulingQueueOptions {
  /** Default 1 s: doubles with every failure. */
  readonly podInitialBackoffMillis?: number;
  /** Default 10 s. */
  readonly podMaxBackoffMillis?: number;
  /** How long a pod stays unschedulable before it is tried whatever happened. Default 5 min. */
  readonly podMaxInUnschedulablePodsMillis?: number;
  /** Whether plugins are asked if an event helps a pod (feature gate SchedulerQueueingHints). Default true. */
  readonly queueingHints?: boolean;
  /** The queue sort; pods that are equal in it go in order of arrival. Default: PrioritySort. */
  readonly less?: Less;
}

/** Whether an event can concern this pod at all. */
export type PreEnqueueCheck = (pod: PodInfo) => boolean;
