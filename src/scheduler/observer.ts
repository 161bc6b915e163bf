import type { Pod } from '../api/pod.ts';
import type { ExtensionPoint } from '../config/extension-points.ts';
import type { Decision } from '../core/decision/schedule-pod.ts';
import type { Code } from '../framework/status.ts';
import type { Failure } from './failures.ts';
import type { QueueObserver } from './queue/queue-modules.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';

/** How an attempt ended. `unschedulable`: a plugin rejected the pod; `error`: something failed. */
export type AttemptResult = 'scheduled' | 'unschedulable' | 'error';

/** The points whose durations are reported: extension points and steps between them. */
export type ObservedPoint = ExtensionPoint | 'unreserve' | 'waitOnPermit' | 'preBindPreFlight' | 'preFilterExtensions';

/** Receives what the scheduler does, for metrics and for logs. Times are milliseconds of the loop's clock. */
export interface SchedulerObserver extends QueueObserver {
  /** Called when the pod is bound, or before its failure is handled. */
  attemptFinished?(result: AttemptResult, profile: string, durationMillis: number): void;
  /** Called after a scheduling cycle; pods that are placed by their signature alone are not reported. */
  decided?(queued: QueuedPodInfo, decision: Decision): void;
  /** Called for each pod of a group that was tried, in order; '' if the pod has no place. */
  memberTried?(pod: Pod, nodeName: string): void;
  /** Called when the pod could not be bound, before its failure is handled. */
  bindingFailed?(queued: QueuedPodInfo, failure: Failure): void;
  /** Reports the duration of the decision alone (upstream's scheduling algorithm). */
  decisionFinished?(durationMillis: number): void;
  extensionPointFinished?(point: ObservedPoint, profile: string, code: Code, durationMillis: number): void;
  /** Reports one call of a plugin, in sampled cycles only. */
  pluginFinished?(plugin: string, point: ObservedPoint, code: Code, durationMillis: number): void;
  /** Reports how long a pod waited for Permit plugins. */
  permitWaitFinished?(code: Code, durationMillis: number): void;
  /** Called when a pod is bound; `queued` has its number of attempts and the time of the first. */
  podScheduled?(queued: QueuedPodInfo): void;
  /** Called after PostFilter has looked for victims. */
  preemptionAttempted?(): void;
  preemptionStarted?(preemptor: Pod, nodeName: string, victims: readonly Pod[]): void;
  /** Called when a whole group preempts; the preemptor is one of its pods. */
  groupPreemptionStarted?(preemptor: Pod, victims: readonly Pod[]): void;
  /** Called after an eviction; `error`: a victim could not be evicted. */
  preemptionFinished?(preemptor: Pod, result: 'success' | 'error', durationMillis: number): void;
  /** Reports that one more or one less binding cycle or eviction is running. */
  goroutines?(work: 'binding' | 'preemption', change: 1 | -1): void;
  /** Reports the number of objects of a kind in the cache. */
  cacheSize?(kind: 'nodes' | 'pods' | 'assumedPods', count: number): void;
}
