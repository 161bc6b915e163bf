import type { Pod } from '../../api/pod.ts';
import type { NominatedPods } from '../../framework/cluster/nominated-pods.ts';
import type { QueueingHint } from '../../framework/events.ts';
import type { Plugin, PreEnqueuePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { Less } from './pod-order.ts';
import type { QueuePlace } from './queued-pod-info.ts';

/** The plugins of a profile that matter to the queue. */
export interface QueueProfile {
  /** The plugins that can reject a pod, each once. */
  readonly plugins: readonly Plugin[];
  readonly preEnqueuePlugins: readonly PreEnqueuePlugin[];
}

/** Receives what a queue does. Times are milliseconds of the loop's clock; events are given by their labels. */
export interface QueueObserver {
  /** Called when a pod enters a place (upstream's scheduler_queue_incoming_pods_total). */
  podIncoming?(place: QueuePlace, isGated: boolean, event: string): void;
  /** Called after the pods that an event may help have been moved. */
  eventHandled?(event: string, durationMillis: number): void;
  /** Called after a plugin's QueueingHint function; `pods` equal pods share the answer and the time that it took. */
  hintGiven?(plugin: string, event: string, hint: QueueingHint, durationMillis: number, pods: number): void;
}

export interface SchedulingQueueModules {
  readonly loop: EventLoop;
  /** The profiles of all pods that are added, by scheduler name. */
  readonly profiles: ReadonlyMap<string, QueueProfile>;
  readonly podInfoOf: (pod: Pod) => PodInfo;
  /** Returns an object that pods share if hints read the same from their specs. Default: the spec object. */
  readonly templateOf?: (pod: Pod) => object;
  /** The nominated pods that decisions read. */
  readonly nominated: NominatedPods;
  /** Whether the API still has the pod, and without a node. Other pods are not nominated. */
  readonly isPending: (pod: PodInfo) => boolean;
  /** Whether the pod is tried together with others of its group; absent: no pod is. */
  readonly isOfGroup?: ((pod: Pod) => boolean) | undefined;
  /** Whether the pod waits until somebody pops it out of turn; absent: no pod does. */
  readonly isHeld?: ((uid: string) => boolean) | undefined;
  /** Called when there is a pod to pop. */
  readonly onReady?: () => void;
  readonly observer?: QueueObserver | null;
}

export interface SchedulingQueueOptions {
  /** The back-off after the first failure, which doubles with every failure. Default 1 s. */
  readonly podInitialBackoffMillis?: number;
  /** The longest back-off. Default 10 s. */
  readonly podMaxBackoffMillis?: number;
  /** Whether QueueingHint functions are called (feature gate SchedulerQueueingHints). Default true. */
  readonly queueingHints?: boolean;
  /** The queue sort; pods that are equal in it are in order of arrival. Default: PrioritySort. */
  readonly less?: Less;
}

/** Whether an event can concern the pod. */
export type PreEnqueueCheck = (pod: PodInfo) => boolean;
