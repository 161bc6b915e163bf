import type { JobSpec } from '../../../src/api/job.ts';

/**
 * What the pods of a Job do. All run equally long, so that those that are created together also end together: what the
 * Job comes to can then be predicted without knowing how its controller works.
 */
export interface Script {
  readonly runSeconds: number;
  /** How long a pod takes to end when it is stopped. */
  readonly stopSeconds: number;
  /** How the failing ones exit. */
  readonly exitCode: number;
  /** How many of the first pods (of a Job without indexes), or of the first runs of a restarted container, fail. */
  readonly failures: number;
  /** How many of the first pods of each index fail. */
  readonly failuresByIndex: readonly number[];
  /** Indexes whose pods run until they are stopped. */
  readonly endlessIndexes: readonly number[];
  /** What the user does, and how long after the Job was created. */
  readonly changes: readonly Change[];
}

export interface Change {
  readonly afterSeconds: number;
  /** A merge patch of the spec. */
  readonly spec: Partial<JobSpec>;
}

export const NOTHING_SPECIAL: Script = {
  runSeconds: 5,
  stopSeconds: 0,
  exitCode: 1,
  failures: 0,
  failuresByIndex: [],
  endlessIndexes: [],
  changes: [],
};

export interface MixedJob {
  /** What it is there to show. */
  readonly kind: string;
  readonly name: string;
  readonly submitSeconds: number;
  readonly spec: JobSpec;
  readonly script: Script;
}
