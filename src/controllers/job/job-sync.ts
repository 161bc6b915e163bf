import type { Job, JobCondition, JobStatus } from '../../api/job.ts';
import type { Pod } from '../../api/pod.ts';
import type { BackOffRecord } from './back-off.ts';
import type { IndexIntervals } from './index-intervals.ts';
import type { JobPlan } from './job-plan.ts';

/** The status that a sync works on and writes. */
export type WorkingStatus = { -readonly [Field in keyof JobStatus]: JobStatus[Field] };

/** Uids of pods that are finished, but whose finalizer may still be there. */
export interface UncountedUids {
  succeeded: readonly string[];
  failed: readonly string[];
}

/** Of an indexed Job. */
export interface SyncIndexes {
  /** Those whose success the status tells. */
  readonly succeededBefore: IndexIntervals;
  /** With those of pods that have succeeded since. */
  readonly succeeded: IndexIntervals;
  /** undefined without a back-off limit per index. */
  readonly failed: IndexIntervals | undefined;
  /** By index the failed pod that stays uncounted until its replacement carries on its failure count. */
  readonly awaitingReplacement: ReadonlyMap<number, Pod>;
}

/** What one sync knows of its Job; the steps of the sync fill it in and change it. */
export interface JobSync {
  /** `namespace/name` */
  readonly key: string;
  /** As the cache has it, until a write gives a newer one. */
  job: Job;
  readonly plan: JobPlan;
  readonly nowMillis: number;
  readonly status: WorkingStatus;
  readonly uncounted: UncountedUids;
  /** It starts with this sync: at `nowMillis`, of which `startTime` only keeps whole seconds. */
  readonly isStarting: boolean;
  /** The Job's own pods. */
  readonly pods: readonly Pod[];
  readonly activePods: readonly Pod[];
  /** Finished, or on their way out, with a finalizer that nobody has asked to be removed yet. */
  readonly heldPods: readonly Pod[];
  /** Uids of pods that still have their finalizer in the cache, but should be treated as if it were gone. */
  readonly awaitingRemoval: ReadonlySet<string>;
  active: number;
  ready: number;
  terminating: number;
  /** The counters with pods that are finished but not in them yet. */
  readonly succeeded: number;
  readonly failed: number;
  readonly indexes: SyncIndexes | undefined;
  readonly backOff: BackOffRecord;
  /** Why the Job ends, if it does: `SuccessCriteriaMet` or `FailureTarget`. */
  ending: JobCondition | undefined;
}
