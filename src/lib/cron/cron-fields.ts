import { parseDuration } from '../go-duration.ts';

/**
 * The grammar of schedules in robfig/cron v3 (`ParseStandard`), which Kubernetes uses. It is read here, and not by the
 * library that finds the times, since every cron library accepts another grammar: this one has no `L`, `W` and `#`, no
 * ranges over the end of the week, and `5/15` means `5-59/15`.
 */
export type CronFields =
  | {
      /** The values of each field; null for a star, which matters to the rule that joins the two fields of days. */
      readonly minutes: Values;
      readonly hours: Values;
      readonly daysOfMonth: Values;
      readonly months: Values;
      readonly daysOfWeek: Values;
    }
  /** `@every`: a delay that has nothing to do with the time of day. */
  | { readonly everyMillis: number };

type Values = readonly number[] | null;

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: Readonly<Record<string, number>>;
}

const MINUTES: Bounds = { min: 0, max: 59 };
const HOURS: Bounds = { min: 0, max: 23 };
const DAYS_OF_MONTH: Bounds = { min: 1, max: 31 };
const MONTHS: Bounds = {
  ...{ min: 1, max: 12 },
  names: numbered(['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'], 1),
};
const DAYS_OF_WEEK: Bounds = {
  ...{ min: 0, max: 6 },
  names: numbered(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], 0),
};

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const EVERY = '@every ';

/** The fields of a schedule, or what is wrong with it. */
export function parseCronFields(text: string): CronFields | { readonly error: string } {
  if (text === '') return { error: 'empty spec string' };
  if (text.startsWith('@')) return descriptor(text);
  const words = text.trim().split(/\s+/);
  if (words.length !== 5) return { error: `expected exactly 5 fields, found ${words.length}: [${words.join(' ')}]` };
  const bounds = [MINUTES, HOURS, DAYS_OF_MONTH, MONTHS, DAYS_OF_WEEK];
  const fields: Values[] = [];
  for (const [i, word] of words.entries()) {
    const values = fieldOf(word, bounds[i] as Bounds);
    if (values !== null && 'error' in values) return values;
    fields.push(values);
  }
  const [minutes = null, hours = null, daysOfMonth = null, months = null, daysOfWeek = null] = fields;
  return { minutes, hours, daysOfMonth, months, daysOfWeek };
}

function descriptor(text: string): CronFields | { readonly error: string } {
  const standard = DESCRIPTORS[text];
  if (standard !== undefined) return parseCronFields(standard);
  if (!text.startsWith(EVERY)) return { error: `unrecognized descriptor: ${text}` };
  const nanoseconds = parseDuration(text.slice(EVERY.length));
  if (typeof nanoseconds !== 'bigint') return { error: `failed to parse duration ${text}: ${nanoseconds.error}` };
  // Delays are whole seconds, and at least one.
  return { everyMillis: Math.max(1, Number(nanoseconds / 1_000_000_000n)) * 1000 };
}

/** The values of a list of ranges, sorted; null if one of them is a star. */
function fieldOf(word: string, bounds: Bounds): Values | { readonly error: string } {
  const values = new Set<number>();
  let isStar = false;
  for (const part of word.split(',')) {
    if (part === '') continue;
    const range = rangeOf(part, bounds);
    if ('error' in range) return range;
    isStar ||= range.isStar;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
  }
  if (isStar) return null;
  // Upstream accepts a field of commas alone, and such a schedule never comes.
  return [...values].sort((a, b) => a - b);
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isStar: boolean;
}

/** A range: `number`, `number-number`, `*` or `?`, each with an optional `/number`. */
function rangeOf(part: string, bounds: Bounds): Range | { readonly error: string } {
  const [span = '', stepText, ...more] = part.split('/');
  const [low = '', high, ...rest] = span.split('-');
  if (more.length > 0) return { error: `too many slashes: ${part}` };
  let [start, end, isStar] = [bounds.min, bounds.max, true];
  if (low !== '*' && low !== '?') {
    if (rest.length > 0) return { error: `too many hyphens: ${part}` };
    isStar = false;
    start = boundValue(low, bounds);
    end = high === undefined ? start : boundValue(high, bounds);
    if (high === undefined && stepText !== undefined) end = bounds.max;
  }
  const step = stepText === undefined ? 1 : numberOf(stepText);
  if (Number.isNaN(start) || Number.isNaN(end) || Number.isNaN(step)) {
    return { error: `failed to parse int from ${part}` };
  }
  if (start < bounds.min) return { error: `beginning of range (${start}) below minimum (${bounds.min}): ${part}` };
  if (end > bounds.max) return { error: `end of range (${end}) above maximum (${bounds.max}): ${part}` };
  if (start > end) return { error: `beginning of range (${start}) beyond end of range (${end}): ${part}` };
  if (step === 0) return { error: `step of range should be a positive number: ${part}` };
  // A star with a step is a list like any other.
  return { start, end, step, isStar: isStar && step === 1 };
}

function boundValue(text: string, { names }: Bounds): number {
  return names?.[text.toLowerCase()] ?? numberOf(text);
}

function numberOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function numbered(names: readonly string[], first: number): Readonly<Record<string, number>> {
  return Object.fromEntries(names.map((name, i) => [name, first + i]));
}
