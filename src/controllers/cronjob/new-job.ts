import { type CronJob, SCHEDULED_TIME_KEY } from '../../api/cron-job.ts';
import type { Job } from '../../api/job.ts';
import { timeAtMillis } from '../../api/time.ts';
import { TimeZone } from '../../lib/cron/time-zone.ts';
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
      annotations: { ...metadata?.annotations, [SCHEDULED_TIME_KEY]: timeIn(cronJob.spec?.timeZone, millis) },
      ownerReferences: [controllerReference('batch/v1', 'CronJob', cronJob)],
    },
    spec,
  };
}

/** The time as clocks of the zone show it. */
function timeIn(zone = 'UTC', millis: number): string {
  const offset = new TimeZone(zone).offsetMillis(millis);
  if (offset === 0) return timeAtMillis(millis);
  const hours = timeAtMillis(Math.abs(offset)).slice('1970-01-01T'.length, -':00Z'.length);
  return `${timeAtMillis(millis + offset).slice(0, -1)}${offset < 0 ? '-' : '+'}${hours}`;
}
