import type { CronJob, CronJobStatus } from '../../api/cron-job.ts';
import { hasTrueCondition, isJobFinished, type Job } from '../../api/job.ts';
import type { ObjectReference } from '../../api/meta.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { millisOfTime, millisOrZero, timeAtMillis } from '../../api/time.ts';
import type { EventRecorder, EventType } from '../../client/events/event-recorder.ts';
import { objectKey } from '../../client/object-key.ts';
import { newCronSchedule } from '../../lib/cron/cron-schedule.ts';
import { ifFound, isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { controllerOf } from '../job/pod-indexes.ts';
import { messageOf, SyncError } from '../job/sync-error.ts';
import { byName } from '../owned-pods/by-age.ts';
import { isNamespaceTerminating } from '../pod-creation.ts';
import { missedTimes, nextTimeMillis } from './missed-times.ts';
import { jobNameAt, newJob } from './new-job.ts';

export interface CronJobSyncModules {
  readonly client: StoreClient;
  readonly recorder: EventRecorder;
  readonly nowMillis: number;
}

/**
 * One sync of a CronJob: note which Jobs have ended, delete the oldest, and start the Job whose time has come.
 *
 * Upstream: pkg/controller/cronjob/cronjob_controllerv2.go.
 */
export class CronJobSync {
  readonly #modules: CronJobSyncModules;
  readonly #jobs: readonly Job[];
  #cronJob: CronJob;
  #active: readonly ObjectReference[] = [];
  #status: CronJobStatus = {};

  /** `jobs`: those that the CronJob controls. */
  constructor(modules: CronJobSyncModules, cronJob: CronJob, jobs: readonly Job[]) {
    this.#modules = modules;
    this.#jobs = jobs;
    this.#cronJob = cronJob;
    this.#see(cronJob);
  }

  #see(cronJob: CronJob): void {
    this.#cronJob = cronJob;
    this.#status = cronJob.status ?? {};
    this.#active = this.#status.active ?? [];
  }

  /** Returns when the next time of the schedule comes; undefined if only a change matters. @throws ApiError */
  run(): number | undefined {
    this.#deleteOldJobs();
    try {
      this.#observeJobs();
      return this.#startJob();
    } finally {
      this.#writeStatus();
    }
  }

  /** Notes Jobs that have ended, that are gone, and that somebody else has made. */
  #observeJobs(): void {
    for (const job of this.#jobs) {
      const { name, uid } = job.metadata ?? {};
      const isListed = this.#active.some((reference) => reference.uid === uid);
      if (!isListed && !isJobFinished(job)) {
        // The cache may not show yet that the job was started.
        const live = this.#modules.client.get(
          'cronjobs',
          job.metadata?.namespace ?? '',
          this.#cronJob.metadata?.name ?? '',
        );
        if (live.status?.active?.some((reference) => reference.uid === uid)) this.#see(live);
        else
          this.#record('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
      } else if (isListed && isJobFinished(job)) {
        this.#active = this.#active.filter((reference) => reference.uid !== uid);
        const condition = hasTrueCondition(job, 'Complete') ? 'Complete' : 'Failed';
        this.#record('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${condition}`);
      }
      const { completionTime } = job.status ?? {};
      const isNews = millisOrZero(completionTime) > millisOrZero(this.#status.lastSuccessfulTime);
      if (isNews && hasTrueCondition(job, 'Complete')) {
        this.#status = { ...this.#status, lastSuccessfulTime: completionTime };
      }
    }
    const uids = new Set(this.#jobs.map(({ metadata }) => metadata?.uid));
    for (const reference of this.#active) {
      // The cache may not show a new Job yet.
      if (uids.has(reference.uid) || ifFound(() => this.#get(reference)) !== undefined) continue;
      this.#active = this.#active.filter((other) => other !== reference);
      this.#record('Normal', 'MissingJob', `Active job went missing: ${reference.name}`);
    }
  }

  #get({ namespace = '', name = '' }: ObjectReference): Job {
    return this.#modules.client.get('jobs', namespace, name);
  }

  /** Starts the Job of the last time that has come and is not too late, unless another one runs. */
  #startJob(): number | undefined {
    const { metadata, spec } = this.#cronJob;
    if (spec === undefined || metadata?.deletionTimestamp !== undefined || spec.suspend === true) return undefined;
    const schedule = newCronSchedule(spec.schedule, spec.timeZone);
    // The API accepts only schedules that can be read.
    if ('error' in schedule) return undefined;
    const { nowMillis } = this.#modules;
    const missed = missedTimes(this.#cronJob, schedule, nowMillis, true);
    if (missed === undefined) {
      const why = 'time difference between two schedules is less than 1 second';
      this.#record('Warning', 'InvalidSchedule', `invalid schedule: ${spec.schedule} : ${why}`);
      return undefined;
    }
    const { lastMillis, howMany } = missed;
    const next = (): number | undefined =>
      nextTimeMillis({ ...this.#cronJob, status: this.#status }, schedule, nowMillis);
    if (lastMillis === undefined) return next();
    if (howMany === 'many') {
      const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#record('Warning', 'TooManyMissedTimes', `too many missed start times. ${advice}`);
    }
    const name = jobNameAt(this.#cronJob, lastMillis);
    if (this.#active.some((reference) => reference.name === name)) return next();
    if (spec.concurrencyPolicy === 'Forbid' && this.#active.length > 0) {
      const why = 'because prior execution is running and concurrency policy is Forbid';
      this.#record('Normal', 'JobAlreadyActive', `Not starting job ${why}`);
      return next();
    }
    if (spec.concurrencyPolicy === 'Replace') for (const reference of this.#active) this.#replace(reference);
    return this.#create(lastMillis) ? next() : undefined;
  }

  /** @throws ApiError */
  #replace(reference: ObjectReference): void {
    const job = this.#get(reference);
    if (!this.#delete(job)) throw new SyncError(`could not replace job ${objectKey(job)}`);
  }

  /** Makes the Job of this time. Returns whether it is there: another one may have its name. @throws ApiError */
  #create(millis: number): boolean {
    const planned = newJob(this.#cronJob, millis);
    let job: Job;
    try {
      job = this.#modules.client.create('jobs', planned);
      this.#record('Normal', 'SuccessfulCreate', `Created job ${job.metadata?.name}`);
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) {
        const isNoted = !isNamespaceTerminating(error);
        if (isNoted) this.#record('Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
        throw error;
      }
      // The Job of this time may have been made before the status could say so.
      job = this.#get(planned.metadata ?? {});
      if (controllerOf(job)?.uid !== this.#cronJob.metadata?.uid) return false;
    }
    const { namespace, name, uid, resourceVersion } = job.metadata ?? {};
    const reference = { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid, resourceVersion };
    this.#active = [...this.#active, reference];
    this.#status = { ...this.#status, lastScheduleTime: timeAtMillis(millis) };
    return true;
  }

  /** Deletes finished Jobs beyond the limits, the oldest first. Upstream: cleanupFinishedJobs. */
  #deleteOldJobs(): void {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.#cronJob.spec ?? {};
    const limits = [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const;
    for (const [condition, limit] of limits) {
      if (limit === undefined) continue;
      const ended = this.#jobs.filter((job) => hasTrueCondition(job, condition)).sort(byStart);
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) this.#delete(job);
    }
  }

  /** Returns whether it worked. */
  #delete({ metadata: { namespace = '', name = '', uid } = {} }: Job): boolean {
    try {
      this.#modules.client.delete('jobs', namespace, name, { propagationPolicy: 'Background' });
    } catch (error) {
      this.#record('Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      return false;
    }
    this.#active = this.#active.filter((reference) => reference.uid !== uid);
    this.#record('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  #writeStatus(): void {
    const { active: _, ...rest } = this.#status;
    const status = this.#active.length === 0 ? rest : { ...rest, active: this.#active };
    if (semanticallyEqual(status, this.#cronJob.status)) return;
    this.#modules.client.updateStatus('cronjobs', { ...this.#cronJob, status });
  }

  #record(type: EventType, reason: string, message: string): void {
    this.#modules.recorder.event(this.#cronJob, type, reason, message);
  }
}

/** Jobs that have not started come last. Upstream: byJobStartTime. */
function byStart(a: Job, b: Job): number {
  return startOf(a) - startOf(b) || byName(a, b);
}

function startOf({ status }: Job): number {
  return status?.startTime === undefined ? Number.MAX_VALUE : millisOfTime(status.startTime);
}
