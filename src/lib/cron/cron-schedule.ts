import { latePackage } from '../host-modules.ts';
import { type CronFields, parseCronFields } from './cron-fields.ts';
import { TimeZone } from './time-zone.ts';

/** The times of a schedule. */
export interface CronSchedule {
  /** The first time after this one; undefined if there is none within five years. */
  next(afterMillis: number): number | undefined;
}

const YEARS_MILLIS = 5 * 366 * 86_400_000;

/**
 * The times of a schedule as robfig/cron v3 finds them: every moment at which local clocks show a matching time. So a
 * time that clocks skip in spring never comes, and one that they show twice in autumn comes twice.
 *
 * @throws RangeError for an unknown time zone
 */
export function newCronSchedule(text: string, zoneName = 'UTC'): CronSchedule | { readonly error: string } {
  const fields = parseCronFields(text);
  if ('error' in fields) return fields;
  if ('everyMillis' in fields) {
    const { everyMillis } = fields;
    return { next: (afterMillis) => wholeSecond(afterMillis) + everyMillis };
  }
  return zonedSchedule(fields, new TimeZone(zoneName));
}

/** The library finds times by the clock; this adds what a time zone does to clocks. */
function zonedSchedule(fields: Exclude<CronFields, { everyMillis: number }>, zone: TimeZone): CronSchedule {
  const { minutes, hours, daysOfMonth, months, daysOfWeek } = fields;
  const lists = [minutes, hours, daysOfMonth, months, daysOfWeek];
  if (lists.some((list) => list?.length === 0)) return { next: () => undefined };
  const pattern = lists.map((list) => list?.join(',') ?? '*').join(' ');
  const cron = new (latePackage('croner').Cron)(pattern, { utcOffset: 0, paused: true });
  return {
    next: (afterMillis) => {
      let fromMillis = wholeSecond(afterMillis);
      const limitMillis = fromMillis + YEARS_MILLIS;
      for (let offset = zone.offsetMillis(fromMillis); ; ) {
        const wall = cron.nextRun(new Date(fromMillis + offset));
        if (wall === null) return undefined;
        const millis = wall.getTime() - offset;
        const changeMillis = zone.nextChange(fromMillis, Math.min(millis, limitMillis), offset);
        if (changeMillis === undefined) return millis > limitMillis ? undefined : millis;
        // Clocks were changed before: what they show from then on is searched, including that moment.
        offset = zone.offsetMillis(changeMillis);
        fromMillis = changeMillis - 1000;
      }
    },
  };
}

function wholeSecond(millis: number): number {
  return Math.floor(millis / 1000) * 1000;
}
