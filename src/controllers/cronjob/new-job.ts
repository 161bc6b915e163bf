import { type CronJob, SCHEDULED_TIME_KEY } from '../../api/cron-job.ts';
import type { Job } from '../../api/job.ts';
import { timeAtMillis } from '../../api/time.ts';
import { controllerReference } from '../pod-creation.ts';

/** The name of the Job of this time. Upstream: getJobName in pkg/controller/cronjob/cronjob_controllerv2.go. */
export function jobNameAt({ metadata }: CronJob, millis: number): string {
  return `${metadata?.name}-${Math.floor(millis / 60_000)}`;
}

/** The Job of a CronJob for this time. Upstream: getJobFromTemplate2 in pkg/controller/cronjob/utils.go. */
export function newJob(cronJob: CronJob, millis: number): Job {
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  return {
    metadata: {
      name: jobNameAt(cronJob, millis),
      namespace: cronJob.metadata?.namespace,
      labels: metadata?.labels ?? {},
      annotations: { ...metadata?.annotations, [SCHEDULED_TIME_KEY]: timeAtMillis(millis) },
      ownerReferences: [controllerReference('batch/v1', 'CronJob', cronJob)],
    },
    spec,
  };
}
