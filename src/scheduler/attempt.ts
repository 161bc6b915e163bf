import type { Pod } from '../api/pod.ts';
import type { ReportError } from '../client/report-error.ts';
import type { Profile } from '../core/decision/profile.ts';
import type { ExtenderTransport } from '../core/extenders/transport.ts';
import type { Profiles } from '../core/profiles.ts';
import type { ClusterState } from '../framework/cluster/cluster-state.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';
import type { SchedulerCache } from './cache/scheduler-cache.ts';
import type { Failure } from './failures.ts';
import type { SchedulerObserver } from './observer.ts';
import type { PodsInPreBind } from './pods-in-pre-bind.ts';
import type { Eviction, PreemptionExecutor } from './preemption-executor.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';
import type { PodLister, SchedulerApi, SchedulingEventRecorder } from './scheduler-api.ts';
import type { WaitingPods } from './waiting-pods.ts';

/** What the cycles of a scheduler share. */
export interface CycleModules {
  readonly profiles: Profiles;
  readonly cluster: ClusterState;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly waitingPods: WaitingPods;
  readonly podsInPreBind: PodsInPreBind;
  readonly preemption: PreemptionExecutor;
  readonly api: SchedulerApi;
  readonly podLister: PodLister;
  readonly recorder: SchedulingEventRecorder;
  readonly loop: EventLoop;
  readonly observer: SchedulerObserver | null;
  readonly logger: Logger;
  readonly extenderTransport: ExtenderTransport;
  readonly podInfoOf: (pod: Pod) => PodInfo;
  readonly reportError: ReportError;
}

/**
 * One scheduling attempt of one pod. What follows it is a step of its own: an assumed pod goes into a binding cycle, a
 * failure is reported, an eviction is carried out.
 */
export type Attempt = SkippedAttempt | AssumedAttempt | FailedAttempt;

/** The pod needs no attempt: it is being deleted, is on its way already, or nobody's. */
export interface SkippedAttempt {
  readonly outcome: 'skipped';
  readonly queued: QueuedPodInfo;
}

/** The pod is charged to the node. */
export interface AssumedAttempt {
  readonly outcome: 'assumed';
  readonly queued: QueuedPodInfo;
  readonly profile: Profile;
  readonly node: NodeInfo;
  readonly startMillis: number;
  /** null for a plain pod, with which no plugin but the binder has anything to do. */
  readonly state: CycleState | null;
}

export interface FailedAttempt {
  readonly outcome: 'failed';
  readonly queued: QueuedPodInfo;
  readonly profile: Profile;
  readonly startMillis: number;
  readonly failure: Failure;
  /** The victims that are to make room; null when there are none. */
  readonly eviction: Eviction | null;
}
