import { hasTrueCondition, type Job } from '../../api/job.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

/** Kueue's label of a Job that waits in a queue. */
const QUEUE_LABEL = 'kueue.x-k8s.io/queue-name';

/** The Jobs of one queue: those with the same label of a queue, or, without one, of one namespace. */
export interface QueueJobs {
  created: number;
  complete: number;
  failed: number;
  /** How long those that have ended took, in the order in which they ended. */
  readonly durationsMillis: number[];
}

interface KnownJob {
  readonly queue: QueueJobs;
  /** When it was first seen. */
  readonly startMillis: number;
  outcome: 'active' | 'complete' | 'failed';
  succeeded: number;
  failed: number;
  /** Whether a deadline or time to live will end or delete the Job even if no event comes before. */
  hasDeadline: boolean;
}

/** How many Jobs were created, and how they ended. */
export interface JobTotals {
  created: number;
  complete: number;
  failed: number;
  deleted: number;
}

/** Counts all Jobs of a cluster. */
export class JobCounts {
  readonly #jobs = new Map<string, KnownJob>();
  readonly totals: JobTotals = { created: 0, complete: 0, failed: 0, deleted: 0 };
  /** Jobs that are neither complete nor failed. */
  activeCount = 0;
  /** Jobs that will be ended or deleted at a set time. */
  deadlineCount = 0;
  /** How long the Jobs that have ended took from their creation, in the order in which they ended. */
  readonly durationsMillis: number[] = [];
  /** The Jobs by queue: `namespace/queue`, or `namespace`. */
  readonly queues = new Map<string, QueueJobs>();
  #firstStartMillis: number | undefined;
  #lastEndMillis = 0;

  /** The time from the creation of the first Job to the end of the last one; null unless all have ended. */
  get makespanMillis(): number | null {
    if (this.#firstStartMillis === undefined || this.activeCount > 0 || this.durationsMillis.length === 0) return null;
    return this.#lastEndMillis - this.#firstStartMillis;
  }

  /** Counts the Job. Returns whether a counted value has changed. */
  set(job: Job, nowMillis = 0): boolean {
    const uid = job.metadata?.uid ?? '';
    let known = this.#jobs.get(uid);
    const isNew = known === undefined;
    if (known === undefined) {
      const queue = this.#queueOf(job);
      queue.created++;
      known = { queue, startMillis: nowMillis, outcome: 'active', succeeded: 0, failed: 0, hasDeadline: false };
      this.#jobs.set(uid, known);
      this.#firstStartMillis ??= nowMillis;
      this.totals.created++;
      this.activeCount++;
    }
    const outcome = outcomeOf(job);
    const { succeeded = 0, failed = 0 } = job.status ?? {};
    const isNews = outcome !== known.outcome || succeeded !== known.succeeded || failed !== known.failed;
    if (outcome !== known.outcome && outcome !== 'active') {
      this.totals[outcome]++;
      this.activeCount--;
      this.durationsMillis.push(nowMillis - known.startMillis);
      known.queue[outcome]++;
      known.queue.durationsMillis.push(nowMillis - known.startMillis);
      this.#lastEndMillis = nowMillis;
    }
    Object.assign(known, { outcome, succeeded, failed });
    this.#setDeadline(known, hasDeadline(job, outcome));
    return isNew || isNews;
  }

  delete(job: Job): void {
    const uid = job.metadata?.uid ?? '';
    const known = this.#jobs.get(uid);
    if (known === undefined) return;
    if (known.outcome === 'active') this.activeCount--;
    this.#setDeadline(known, false);
    this.totals.deleted++;
    this.#jobs.delete(uid);
  }

  #queueOf({ metadata }: Job): QueueJobs {
    const { namespace = 'default' } = metadata ?? {};
    const label = metadata?.labels?.[QUEUE_LABEL];
    const make = (): QueueJobs => ({ created: 0, complete: 0, failed: 0, durationsMillis: [] });
    return getOrMake(this.queues, label === undefined ? namespace : `${namespace}/${label}`, make);
  }

  #setDeadline(known: KnownJob, hasDeadline: boolean): void {
    if (known.hasDeadline !== hasDeadline) this.deadlineCount += hasDeadline ? 1 : -1;
    known.hasDeadline = hasDeadline;
  }
}

function outcomeOf(job: Job): KnownJob['outcome'] {
  if (hasTrueCondition(job, 'Complete')) return 'complete';
  return hasTrueCondition(job, 'Failed') ? 'failed' : 'active';
}

function hasDeadline({ spec }: Job, outcome: KnownJob['outcome']): boolean {
  if (outcome !== 'active') return spec?.ttlSecondsAfterFinished !== undefined;
  return spec?.activeDeadlineSeconds !== undefined && spec.suspend !== true;
}
