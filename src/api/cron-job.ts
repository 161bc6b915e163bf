import type { JobSpec } from './job.ts';
import type { KubernetesObject, ObjectMeta, ObjectReference, Time } from './meta.ts';

/** An annotation of the Jobs of a CronJob: the time for which they were made. */
export const SCHEDULED_TIME_KEY = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** When a CronJob runs, and which Jobs (batch/v1 CronJobSpec). */
export interface CronJobSpec {
  /** Five fields, or `@hourly` and others. */
  readonly schedule: string;
  /** A name such as `Europe/Berlin`; absent: UTC. */
  readonly timeZone?: string | undefined;
  /** How late a Job may start; absent: without limit. */
  readonly startingDeadlineSeconds?: number | undefined;
  /** `Allow`, `Forbid` or `Replace` */
  readonly concurrencyPolicy?: string | undefined;
  readonly suspend?: boolean | undefined;
  readonly jobTemplate?:
    | { readonly metadata?: ObjectMeta | undefined; readonly spec?: JobSpec | undefined }
    | undefined;
  /** How many finished Jobs are kept. */
  readonly successfulJobsHistoryLimit?: number | undefined;
  readonly failedJobsHistoryLimit?: number | undefined;
}

/** What runs of a CronJob, and when it ran (batch/v1 CronJobStatus). */
export interface CronJobStatus {
  /** The Jobs that run now. */
  readonly active?: readonly ObjectReference[] | undefined;
  readonly lastScheduleTime?: Time | undefined;
  readonly lastSuccessfulTime?: Time | undefined;
}

/** A batch/v1 CronJob. */
export interface CronJob extends KubernetesObject {
  readonly spec?: CronJobSpec | undefined;
  readonly status?: CronJobStatus | undefined;
}
