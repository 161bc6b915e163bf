import type { Pod } from '../api/pod.ts';
import type { ReportError } from '../client/report-error.ts';
import type { Profile } from '../core/decision/profile.ts';
import type { Profiles } from '../core/profiles.ts';
import type { SchedulerOptions } from '../core/scheduler-options.ts';
import type { ClusterRecord } from '../framework/cluster/cluster-record.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { ExtenderTransport } from '../framework/extender-transport.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { SchedulerCache } from './cache/scheduler-cache.ts';
import type { Failure } from './failures.ts';
import type { Eviction, PreemptionExecutor, PreemptionModules } from './preemption-executor.ts';
import type { QueuedPodInfo } from './queue/queued-pod-info.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

/** The modules that the cycles of a scheduler share. */
export interface CycleModules extends PreemptionModules {
  readonly profiles: Profiles;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly preemption: PreemptionExecutor;
  readonly extenderTransport: ExtenderTransport;
  readonly podInfoOf: (pod: Pod) => PodInfo;
  readonly reportError: ReportError;
  /** Whether the pod is tried together with others of its group. */
  readonly isOfGroup: (pod: Pod) => boolean;
  /** Copies the profiles and their cluster, or such a copy. */
  readonly forkProfiles: (options: ForkOptions) => Profiles;
}

export interface ForkOptions {
  /** The copy that is copied; absent: the scheduler's own profiles. */
  readonly of?: Profiles;
  /** A part of the cluster, which the copy has instead of all. */
  readonly part?: ClusterRecord;
  /** Who computes in the copy; absent: who does in the scheduler. */
  readonly engine?: NonNullable<SchedulerOptions['engine']>;
  /** Whether PostFilter runs. */
  readonly preemption?: boolean;
}

/**
 * The end of one scheduling attempt of one pod. The next step is separate: an assumed pod enters a binding cycle, a
 * failure is reported, an eviction is carried out.
 */
export type PodAttempt = SkippedAttempt | AssumedAttempt | FailedAttempt;

export type Attempt = PodAttempt | GroupAttempt;

/** The pods of one group were tried together. */
export interface GroupAttempt {
  readonly outcome: 'group';
  /**
   * Hands each pod's attempt to `each`, which takes its next step, and returns whether that wrote to the API. The pods
   * of a group that has a place are assumed for good one after the other. Must be called once.
   */
  conclude(each: (attempt: PodAttempt) => boolean): void;
}

/** The pod needs no attempt: it is being deleted, it is assumed already, or no profile is responsible for it. */
export interface SkippedAttempt {
  readonly outcome: 'skipped';
  readonly queued: QueuedPodInfo;
}

/** The pod is assumed on the node. */
export interface AssumedAttempt {
  readonly outcome: 'assumed';
  readonly queued: QueuedPodInfo;
  readonly profile: Profile;
  readonly node: NodeInfo;
  readonly startMillis: number;
  /** The state of the cycle; null for a plain pod, which only the default binder handles. */
  readonly state: CycleState | null;
}

export interface FailedAttempt {
  readonly outcome: 'failed';
  readonly queued: QueuedPodInfo;
  readonly profile: Profile;
  readonly startMillis: number;
  readonly failure: Failure;
  /** The eviction of the victims that preemption found; null if there are none. */
  readonly eviction: Eviction | null;
}
