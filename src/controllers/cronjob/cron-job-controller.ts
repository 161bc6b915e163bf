import type { CronJob } from '../../api/cron-job.ts';
import type { Job } from '../../api/job.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import { newCronSchedule } from '../../lib/cron/cron-schedule.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import { BY_CONTROLLER, controllerKeys, controllerOf, controlling } from '../job/pod-indexes.ts';
import type { PodOwnerModules } from '../owned-pods/pod-owner-controller.ts';
import { QueuedController } from '../queued-controller.ts';
import { CronJobSync } from './cron-job-sync.ts';
import { nextTimeMillis } from './missed-times.ts';

/**
 * Makes Jobs at the times of a schedule. Upstream: pkg/controller/cronjob/cronjob_controllerv2.go.
 *
 *   CronJob and Job events, the next time ──▶ queue ──▶ workers ──▶ `CronJobSync`
 */
export class CronJobController extends QueuedController {
  readonly #modules: PodOwnerModules;
  readonly #cronJobs: Lister<CronJob>;
  readonly #jobs: Lister<Job>;

  constructor(modules: PodOwnerModules) {
    super(modules, 'cron job');
    this.#modules = modules;
    const [cronJobs, jobs] = [modules.informers.of('cronjobs'), modules.informers.of('jobs')];
    this.#cronJobs = cronJobs.lister;
    this.#jobs = jobs.lister;
    jobs.addIndex(BY_CONTROLLER, controllerKeys);
    const enqueue = (cronJob: CronJob): void => this.queue.add(objectKey(cronJob));
    const cronJobHandler = {
      ...stateHandler(enqueue, enqueue),
      onUpdate: (before: CronJob, cronJob: CronJob) => {
        const delayMillis = hasOtherTimes(before, cronJob) ? this.#millisToNext(cronJob) : 0;
        this.queue.addAfter(objectKey(cronJob), delayMillis);
      },
    };
    this.handle(cronJobs, cronJobHandler, 'cron job controller, cron jobs');
    const enqueueOwner = (job: Job): void => {
      const controller = controllerOf(job);
      const cronJob = controller && controlling(this.#cronJobs, 'CronJob', job, controller);
      if (cronJob !== undefined) enqueue(cronJob);
    };
    this.handle(jobs, stateHandler(enqueueOwner, enqueueOwner), 'cron job controller, jobs');
  }

  /** Another schedule makes up for nothing that was missed: the first Job comes at its next time. */
  #millisToNext(cronJob: CronJob): number {
    const nowMillis = this.#modules.loop.nowMillis();
    const schedule = newCronSchedule(cronJob.spec?.schedule ?? '', cronJob.spec?.timeZone);
    return 'error' in schedule ? 0 : (nextTimeMillis(cronJob, schedule, nowMillis) ?? nowMillis) - nowMillis;
  }

  protected override sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const cronJob = this.#cronJobs.get(namespace, name);
    if (cronJob === undefined) return;
    const { client, recorder, loop } = this.#modules;
    const nowMillis = loop.nowMillis();
    const ofUid = this.#jobs.byIndex(BY_CONTROLLER, cronJob.metadata?.uid ?? '');
    const jobs = ofUid.filter((job) => controllerOf(job)?.kind === 'CronJob');
    try {
      const next = new CronJobSync({ client, recorder, nowMillis }, cronJob, jobs).run();
      if (next !== undefined) this.queue.addAfter(key, next - nowMillis);
    } catch (error) {
      // Another version of the CronJob is on its way.
      if (!isApiError(error, 'Conflict') && !isApiError(error, 'NotFound')) throw error;
      this.queue.addRateLimited(key);
    }
  }
}

function hasOtherTimes({ spec: before }: CronJob, { spec }: CronJob): boolean {
  return before?.schedule !== spec?.schedule || before?.timeZone !== spec?.timeZone;
}
