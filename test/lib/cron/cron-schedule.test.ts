import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCronFields } from '../../../src/lib/cron/cron-fields.ts';
import { newCronSchedule } from '../../../src/lib/cron/cron-schedule.ts';
import { isTimeZone } from '../../../src/lib/cron/time-zone.ts';

function next(schedule: string, after: string, zone?: string): string | undefined {
  const times = newCronSchedule(schedule, zone);
  if ('error' in times) throw new Error(times.error);
  const millis = times.next(Date.parse(after));
  return millis === undefined ? undefined : new Date(millis).toISOString().replace(':00.000Z', 'Z');
}

describe('newCronSchedule', () => {
  // The expectations are those of robfig/cron's documentation and rules.
  it.each([
    ['*/15 * * * *', '2012-07-09T14:45:00Z', '2012-07-09T15:00Z'],
    ['*/15 * * * *', '2012-07-09T14:59:59Z', '2012-07-09T15:00Z'],
    ['20-35/15 * * * *', '2012-07-09T15:45:00Z', '2012-07-09T16:20Z'],
    ['5/15 * * * *', '2012-07-09T15:45:00Z', '2012-07-09T15:50Z'],
    ['0 0 * Feb Mon', '2012-07-09T23:35:00Z', '2013-02-04T00:00Z'],
    ['0 0 * feb-apr 0,6', '2012-04-29T00:00:00Z', '2013-02-02T00:00Z'],
    ['0 0 29 2 ?', '2012-07-09T23:35:00Z', '2016-02-29T00:00Z'],
    // Days of the month or of the week, if neither is a star; a star with a step is none.
    ['0 0 1,15 * Sun', '2012-07-09T00:00:00Z', '2012-07-15T00:00Z'],
    ['0 0 1,15 * Sun', '2012-07-15T00:00:00Z', '2012-07-22T00:00Z'],
    ['0 0 */10 * Sun', '2012-07-01T00:00:00Z', '2012-07-08T00:00Z'],
    ['0 0 */10 * *', '2012-07-02T00:00:00Z', '2012-07-11T00:00Z'],
    ['0 0 1,15 * *', '2012-07-09T00:00:00Z', '2012-07-15T00:00Z'],
    ['@hourly', '2012-07-09T14:45:01Z', '2012-07-09T15:00Z'],
    ['@weekly', '2012-07-09T14:45:01Z', '2012-07-15T00:00Z'],
    ['@yearly', '2012-07-09T14:45:01Z', '2013-01-01T00:00Z'],
    ['@every 1h30m', '2012-07-09T14:45:00.7Z', '2012-07-09T16:15Z'],
  ])('%s after %s', (schedule, after, expected) => {
    expect(next(schedule, after)).toBe(expected);
  });

  it('finds nothing for a date that never comes', () => {
    expect(next('0 0 30 2 *', '2012-07-09T00:00:00Z')).toBeUndefined();
    expect(next(', * * * *', '2012-07-09T00:00:00Z')).toBeUndefined();
  });

  it('skips what clocks skip in spring, and repeats what they repeat in autumn', () => {
    const zone = 'America/New_York';
    expect(next('30 2 * * *', '2012-03-11T00:00:00-05:00', zone)).toBe('2012-03-12T06:30Z');
    expect(next('0 * * * *', '2012-03-11T01:00:00-05:00', zone)).toBe('2012-03-11T07:00Z');
    expect(next('30 1 * * *', '2012-11-04T00:00:00-04:00', zone)).toBe('2012-11-04T05:30Z');
    expect(next('30 1 * * *', '2012-11-04T01:30:00-04:00', zone)).toBe('2012-11-04T06:30Z');
    expect(next('30 1 * * *', '2012-11-04T01:30:00-05:00', zone)).toBe('2012-11-05T06:30Z');
  });

  it('is the first minute whose local time matches', () => {
    const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Africa/Cairo'];
    const field = (min: number, max: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min, max }).map(String),
        fc.integer({ min: 2, max: 9 }).map((step) => `*/${step}`),
        fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((list) => list.join(',')),
        fc
          .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
          .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      );
    const schedules = fc.tuple(field(0, 59), field(0, 23), field(1, 31), fc.constant('*'), field(0, 6));
    // Half of the moments are near a change of clocks.
    const change = fc.constantFrom(
      '2024-03-10T06:50:00Z',
      '2024-11-03T04:10:00Z',
      '2024-10-27T00:20:00Z',
      '2024-04-06T14:00:00Z',
    );
    const moments = fc.oneof(
      fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2025, 0, 1) }),
      fc.tuple(change, fc.integer({ min: -7200, max: 7200 })).map(([at, shift]) => Date.parse(at) + shift * 1000),
    );
    fc.assert(
      fc.property(schedules, fc.constantFrom(...zones), moments, (words, zone, after) => {
        const schedule = newCronSchedule(words.join(' '), zone);
        if ('error' in schedule) throw new Error(schedule.error);
        const found = schedule.next(after);
        const expected = firstMatch(words.join(' '), zone, after);
        // Only two days are searched minute by minute.
        if (expected === undefined) expect(found ?? Number.POSITIVE_INFINITY).toBeGreaterThan(after + SEARCHED_MILLIS);
        else expect(found).toBe(expected);
      }),
      { numRuns: 120 },
    );
  });
});

const SEARCHED_MILLIS = 2 * 86_400_000;

/** The rule as robfig/cron documents it, tried minute by minute. */
function firstMatch(text: string, zone: string, after: number): number | undefined {
  const fields = parseCronFields(text);
  if (!('minutes' in fields)) throw new Error(text);
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', weekday: 'short', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  const holds = (list: readonly number[] | null, value: number) => list === null || list.includes(value);
  for (let at = Math.floor(after / 60_000 + 1) * 60_000; at <= after + SEARCHED_MILLIS; at += 60_000) {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(parts['weekday'] ?? '');
    const [byMonth, byWeek] = [holds(fields.daysOfMonth, Number(parts['day'])), holds(fields.daysOfWeek, weekday)];
    const isDay = fields.daysOfMonth === null || fields.daysOfWeek === null ? byMonth && byWeek : byMonth || byWeek;
    if (!isDay || !holds(fields.hours, Number(parts['hour']))) continue;
    if (holds(fields.minutes, Number(parts['minute']))) return at;
  }
  return undefined;
}

describe('parseCronFields', () => {
  it.each(['1,,2 * * * *', '*-5 * * * *', '+5 * * * *', '*/100 * * * *', '@every -1h', '@every .5h'])(
    'reads %j',
    (text) => {
      expect(parseCronFields(text)).not.toHaveProperty('error');
    },
  );

  it.each([
    ['', 'empty spec string'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['* * * * 7', 'end of range (7) above maximum (6): 7'],
    ['* * * * fri-mon', 'beginning of range (5) beyond end of range (1): fri-mon'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['* * L * *', 'failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax'],
    ['* * * * 1#2', 'failed to parse int from 1#2: strconv.Atoi: parsing "1#2": invalid syntax'],
    ['* * * constructor *', /^failed to parse int from constructor: /],
    ['-5 * * * *', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['x-2-3 * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['1-2-x/1/2 * * * *', 'too many hyphens: 1-2-x/1/2'],
    ['*/-5 * * * *', 'negative number (-5) not allowed: -5'],
    ['  ', 'expected exactly 5 fields, found 0: []'],
    ['@reboot', 'unrecognized descriptor: @reboot'],
    ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
  ])('refuses %j', (text, error) => {
    expect(parseCronFields(text)).toEqual({ error: typeof error === 'string' ? error : expect.stringMatching(error) });
  });
});

it('knows the zones of the database', () => {
  expect(['UTC', 'Europe/Berlin', 'Etc/GMT+12'].every(isTimeZone)).toBe(true);
  expect(['', 'Mars/Olympus', 'Local'].some(isTimeZone)).toBe(false);
});
