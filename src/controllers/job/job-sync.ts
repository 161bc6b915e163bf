import type { Job, JobCondition, JobStatus } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import type { BackOffRecord } from './back-off.ts';
import type { IndexIntervals } from './index-intervals.ts';
import type { JobPlan } from './job-plan.ts';

/** The status that a sync changes and writes. */
export type WorkingStatus = { -readonly [Field in keyof JobStatus]: JobStatus[Field] };

/** Uids of finished pods whose finalizer may still exist. */
export interface UncountedUids {
  succeeded: readonly string[];
  failed: readonly string[];
}

/** The indexes of an indexed Job. */
export interface SyncIndexes {
  /** The indexes that the status lists as succeeded. */
  readonly succeededBefore: IndexIntervals;
  /** `succeededBefore`, and the indexes of pods that have succeeded since. */
  readonly succeeded: IndexIntervals;
  /** The failed indexes; undefined without a back-off limit per index. */
  readonly failed: IndexIntervals | undefined;
  /** By index, the failed pod that stays uncounted until its replacement has taken over its failure count. */
  readonly awaitingReplacement: ReadonlyMap<number, Pod>;
}

/** The state of one sync of a Job, which the steps of the sync fill in and change. */
export interface JobSync {
  /** The key `namespace/name`. */
  readonly key: string;
  /** The Job from the cache, or as the last write returned it. */
  job: Job;
  readonly plan: JobPlan;
  readonly nowMillis: number;
  readonly status: WorkingStatus;
  readonly uncounted: UncountedUids;
  /** Whether the Job starts with this sync, at `nowMillis`. (`startTime` has only whole seconds.) */
  readonly isStarting: boolean;
  /** The pods that belong to the Job. */
  readonly pods: readonly Pod[];
  readonly activePods: readonly Pod[];
  /** Pods that have finished, or are being deleted, and whose finalizer is not yet being removed. */
  readonly heldPods: readonly Pod[];
  /** Uids of pods that still have their finalizer in the cache, but are treated as if it were removed. */
  readonly awaitingRemoval: ReadonlySet<string>;
  active: number;
  ready: number;
  terminating: number;
  /** The counters, including pods that have finished but are not in the status yet. */
  readonly succeeded: number;
  readonly failed: number;
  readonly indexes: SyncIndexes | undefined;
  readonly backOff: BackOffRecord;
  /** The condition with which the Job ends, if it does: `SuccessCriteriaMet` or `FailureTarget`. */
  ending: JobCondition | undefined;
}
