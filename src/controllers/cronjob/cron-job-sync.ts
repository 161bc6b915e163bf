import type { CronJob, CronJobStatus } from '../../api/cron-job.ts';
import { hasTrueCondition, isJobFinished, type Job } from '../../api/job.ts';
import type { ObjectReference } from '../../api/meta.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { millisOrZero, timeAtMillis } from '../../api/time.ts';
import type { EventRecorder, EventType } from '../../client/events/event-recorder.ts';
import type { CronSchedule } from '../../lib/cron/cron-schedule.ts';
import { newCronSchedule } from '../../lib/cron/cron-schedule.ts';
import { ifFound, isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { messageOf, SyncError } from '../job/sync-error.ts';
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
  readonly #cronJob: CronJob;
  readonly #jobs: readonly Job[];
  #active: readonly ObjectReference[];
  #status: CronJobStatus;

  /** `jobs`: those that the CronJob controls. */
  constructor(modules: CronJobSyncModules, cronJob: CronJob, jobs: readonly Job[]) {
    this.#modules = modules;
    this.#cronJob = cronJob;
    this.#jobs = jobs;
    this.#status = cronJob.status ?? {};
    this.#active = this.#status.active ?? [];
  }

  /** Returns when the next time of the schedule comes; undefined if only a change matters. @throws ApiError */
  run(): number | undefined {
    this.#deleteOldJobs();
    this.#observeJobs();
    let failure: { readonly error: unknown } | undefined;
    let next: number | undefined;
    try {
      next = this.#startJob();
    } catch (error) {
      failure = { error };
    }
    this.#writeStatus();
    if (failure !== undefined) throw failure.error;
    return next;
  }

  /** Notes Jobs that have ended, that are gone, and that somebody else has made. */
  #observeJobs(): void {
    for (const job of this.#jobs) {
      const { name, uid } = job.metadata ?? {};
      const isListed = this.#active.some((reference) => reference.uid === uid);
      if (!isListed && !isJobFinished(job)) {
        this.#record('Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`);
      } else if (isListed && isJobFinished(job)) {
        this.#active = this.#active.filter((reference) => reference.uid !== uid);
        const condition = hasTrueCondition(job, 'Complete') ? 'Complete' : 'Failed';
        this.#record('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${condition}`);
      }
      const { completionTime } = job.status ?? {};
      const isNews = millisOrZero(completionTime) > millisOrZero(this.#status.lastSuccessfulTime);
      if (hasTrueCondition(job, 'Complete') && completionTime !== undefined && isNews) {
        this.#status = { ...this.#status, lastSuccessfulTime: completionTime };
      }
    }
    const uids = new Set(this.#jobs.map(({ metadata }) => metadata?.uid));
    for (const reference of this.#active) {
      // The cache may not show a new Job yet.
      if (uids.has(reference.uid) || this.#find(reference)?.metadata?.uid === reference.uid) continue;
      this.#active = this.#active.filter((other) => other !== reference);
      this.#record('Normal', 'MissingJob', `Active job went missing: ${reference.name}`);
    }
  }

  #find({ namespace = '', name = '' }: ObjectReference): Job | undefined {
    return ifFound(() => this.#modules.client.get('jobs', namespace, name));
  }

  /** Starts the Job of the last time that has come, unless it is too late or another one runs. */
  #startJob(): number | undefined {
    const { metadata, spec } = this.#cronJob;
    if (spec === undefined || metadata?.deletionTimestamp !== undefined || spec.suspend === true) return undefined;
    const schedule = this.#schedule();
    if (schedule === undefined) return undefined;
    const { nowMillis } = this.#modules;
    const { lastMillis, howMany } = missedTimes(this.#cronJob, schedule, nowMillis, true);
    if (howMany === 'many') {
      const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#record('Warning', 'TooManyMissedTimes', `too many missed start times. ${advice}`);
    }
    const next = (): number | undefined => nextTimeMillis(this.#cronJobNow(), schedule, nowMillis);
    if (lastMillis === undefined || this.#isKnown(lastMillis)) return next();
    const { startingDeadlineSeconds: deadline } = spec;
    if (deadline !== undefined && lastMillis + deadline * 1000 < nowMillis) {
      this.#record('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${timeAtMillis(lastMillis)}`);
      return next();
    }
    if (spec.concurrencyPolicy === 'Forbid' && this.#active.length > 0) {
      const why = 'because prior execution is running and concurrency policy is Forbid';
      this.#record('Normal', 'JobAlreadyActive', `Not starting job ${why}`);
      return next();
    }
    if (spec.concurrencyPolicy === 'Replace') for (const reference of this.#active) this.#delete(reference);
    this.#create(lastMillis);
    return next();
  }

  #schedule(): CronSchedule | undefined {
    const { spec } = this.#cronJob;
    const schedule = newCronSchedule(spec?.schedule ?? '', spec?.timeZone);
    if (!('error' in schedule)) return schedule;
    this.#record('Warning', 'UnparseableSchedule', `unparseable schedule: ${spec?.schedule} : ${schedule.error}`);
    return undefined;
  }

  /** Whether a Job was made for this time before. */
  #isKnown(millis: number): boolean {
    const name = jobNameAt(this.#cronJob, millis);
    const { lastScheduleTime } = this.#status;
    return (
      this.#active.some((reference) => reference.name === name) ||
      (lastScheduleTime !== undefined && millisOrZero(lastScheduleTime) === millis)
    );
  }

  #create(millis: number): void {
    const { client } = this.#modules;
    const planned = newJob(this.#cronJob, millis);
    let job: Job;
    try {
      job = client.create('jobs', planned);
      this.#record('Normal', 'SuccessfulCreate', `Created job ${job.metadata?.name}`);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      if (!isApiError(error, 'AlreadyExists')) {
        this.#record('Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
        throw error;
      }
      const { namespace = '', name = '' } = planned.metadata ?? {};
      job = client.get('jobs', namespace, name);
      const isOurs = job.metadata?.ownerReferences?.some(({ uid }) => uid === this.#cronJob.metadata?.uid);
      if (!isOurs) throw new SyncError(`the name of the new job "${name}" is taken`);
      // The Job of this time was made, and has ended, before the status could say so.
      if (isJobFinished(job)) return;
    }
    const { namespace, name, uid, resourceVersion } = job.metadata ?? {};
    const reference = { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid, resourceVersion };
    this.#active = [...this.#active, reference];
    this.#status = { ...this.#status, lastScheduleTime: timeAtMillis(millis) };
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
      for (const { metadata } of ended.slice(0, Math.max(0, ended.length - limit))) {
        if (metadata?.deletionTimestamp === undefined) this.#delete(metadata ?? {});
      }
    }
  }

  #delete({ namespace = '', name = '', uid }: Pick<ObjectReference, 'namespace' | 'name' | 'uid'>): void {
    try {
      this.#modules.client.delete('jobs', namespace, name, { propagationPolicy: 'Background', preconditions: { uid } });
    } catch (error) {
      if (isApiError(error, 'NotFound') || isApiError(error, 'Conflict')) return;
      this.#record('Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      throw error;
    }
    this.#active = this.#active.filter((reference) => reference.uid !== uid);
    this.#record('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
  }

  #cronJobNow(): CronJob {
    return { ...this.#cronJob, status: this.#status };
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

/** Upstream: byJobStartTime. */
function byStart(a: Job, b: Job): number {
  const [time, other] = [a, b].map(({ status }) => millisOrZero(status?.startTime));
  return (time ?? 0) - (other ?? 0) || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1);
}
