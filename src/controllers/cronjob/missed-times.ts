import type { CronJob } from '../../api/cron-job.ts';
import { millisOrZero } from '../../api/time.ts';
import type { CronSchedule } from '../../lib/cron/cron-schedule.ts';

/** Above this number of missed times users are told. */
const MANY = 100;

export interface MissedTimes {
  /** The time after which missed times count. */
  readonly earliestMillis: number;
  /** The last time that has come since; undefined if none has. */
  readonly lastMillis: number | undefined;
  readonly howMany: 'none' | 'few' | 'many';
}

/**
 * The last time of the schedule that no Job was made for. Upstream: mostRecentScheduleTime in
 * pkg/controller/cronjob/utils.go, with its estimate of the number.
 *
 * @returns undefined for a schedule that never comes, or never again
 */
export function missedTimes(
  { metadata, spec, status }: CronJob,
  schedule: CronSchedule,
  nowMillis: number,
  withDeadline: boolean,
): MissedTimes | undefined {
  let earliestMillis = millisOrZero(status?.lastScheduleTime ?? metadata?.creationTimestamp);
  const { startingDeadlineSeconds } = spec ?? {};
  if (withDeadline && startingDeadlineSeconds !== undefined) {
    earliestMillis = Math.max(earliestMillis, nowMillis - startingDeadlineSeconds * 1000);
  }
  const first = schedule.next(earliestMillis);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined) return undefined;
  if (nowMillis < first) return { earliestMillis, lastMillis: undefined, howMany: 'none' };
  if (second === undefined) return undefined;
  if (nowMillis < second) return { earliestMillis, lastMillis: first, howMany: 'none' };
  const gapMillis = second - first;
  const count = Math.floor((nowMillis - first) / gapMillis) + 1;
  // One gap is left over, since the times may be at irregular distances.
  let lastMillis: number | undefined;
  for (
    let next = schedule.next(first + (count - 2) * gapMillis);
    next !== undefined && next <= nowMillis;
    next = schedule.next(next)
  ) {
    lastMillis = next;
  }
  return { earliestMillis, lastMillis, howMany: count > MANY ? 'many' : 'few' };
}

/** Upstream adds this, so that the time has certainly come. */
const MARGIN_MILLIS = 100;

/** When the next time of the schedule comes; undefined if none does. Upstream: nextScheduleTimeDuration. */
export function nextTimeMillis(cronJob: CronJob, schedule: CronSchedule, nowMillis: number): number | undefined {
  const missed = missedTimes(cronJob, schedule, nowMillis, false);
  const base = missed?.lastMillis ?? (missed?.howMany === 'none' ? missed.earliestMillis : nowMillis);
  const next = schedule.next(base);
  return next === undefined ? undefined : next + MARGIN_MILLIS;
}
