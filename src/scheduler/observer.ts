import type { Pod } from '../api/pod.ts';
import type { ExtensionPoint } from '../config/extension-points.ts';
import type { Decision } from '../core/decision/schedule-pod.ts';
import type { Code } from '../framework/status.ts';
import type { Failure } from './failures.ts';
import type { QueueObserver } from './queue/queue-modules.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';

/** How an attempt ended. `unschedulable`: a plugin rejected the pod; `error`: something failed. */
export type AttemptResult = 'scheduled' | 'unschedulable' | 'error';

/** Points that have a duration of their own beside those of the configuration. */
export type ObservedPoint = ExtensionPoint | 'unreserve' | 'waitOnPermit' | 'preBindPreFlight' | 'preFilterExtensions';

/** Observes what the scheduler does, for metrics and for logs. Times are real milliseconds of the loop's clock. */
export interface SchedulerObserver extends QueueObserver {
  /** An attempt is over: the pod is bound, or its failure is about to be reported. */
  attemptFinished?(result: AttemptResult, profile: string, durationMillis: number): void;
  /** A whole cycle has decided; pods that are placed by their signature alone are not reported. */
  decided?(queued: QueuedPodInfo, decision: Decision): void;
  /** The pod could not be bound: its failure is about to be reported. */
  bindingFailed?(queued: QueuedPodInfo, failure: Failure): void;
  /** The decision alone (upstream's scheduling algorithm). */
  decisionFinished?(durationMillis: number): void;
  extensionPointFinished?(point: ObservedPoint, profile: string, code: Code, durationMillis: number): void;
  /** One call of a plugin; only in the cycles that are sampled. */
  pluginFinished?(plugin: string, point: ObservedPoint, code: Code, durationMillis: number): void;
  /** How long a pod waited for Permit plugins. */
  permitWaitFinished?(code: Code, durationMillis: number): void;
  /** A pod is bound: after so many attempts, so long after it was first seen. */
  podScheduled?(queued: QueuedPodInfo): void;
  /** PostFilter looked for victims. */
  preemptionAttempted?(): void;
  preemptionStarted?(preemptor: Pod, nodeName: string, victims: readonly Pod[]): void;
  /** An eviction run is over; `error`: some victim could not be evicted. */
  preemptionFinished?(preemptor: Pod, result: 'success' | 'error', durationMillis: number): void;
  /** More or fewer are under way now. */
  goroutines?(work: 'binding' | 'preemption', change: 1 | -1): void;
  /** What the cache holds. */
  cacheSize?(kind: 'nodes' | 'pods' | 'assumedPods', count: number): void;
}
