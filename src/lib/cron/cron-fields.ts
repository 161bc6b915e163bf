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
  /** The names of the values, beginning with that of the least. */
  readonly names?: readonly string[];
}

const BOUNDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

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

/** The fields of a schedule, or what is wrong with it, in the words of that parser. */
export function parseCronFields(text: string): CronFields | { readonly error: string } {
  if (text === '') return { error: 'empty spec string' };
  if (text.startsWith('@')) return descriptor(text);
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length !== 5) return { error: `expected exactly 5 fields, found ${words.length}: [${words.join(' ')}]` };
  const fields: Values[] = [];
  for (const [i, word] of words.entries()) {
    const values = fieldOf(word, BOUNDS[i] as Bounds);
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
  const isAny = low === '*' || low === '?';
  const start = isAny ? bounds.min : boundValue(low, bounds);
  if (typeof start === 'string') return { error: start };
  if (!isAny && rest.length > 0) return { error: `too many hyphens: ${part}` };
  const given = high === undefined || isAny ? start : boundValue(high, bounds);
  if (typeof given === 'string') return { error: given };
  if (more.length > 0) return { error: `too many slashes: ${part}` };
  const step = stepText === undefined ? 1 : numberOf(stepText);
  if (typeof step === 'string') return { error: step };
  const end = isAny || (stepText !== undefined && high === undefined) ? bounds.max : given;
  if (start < bounds.min) return { error: `beginning of range (${start}) below minimum (${bounds.min}): ${part}` };
  if (end > bounds.max) return { error: `end of range (${end}) above maximum (${bounds.max}): ${part}` };
  if (start > end) return { error: `beginning of range (${start}) beyond end of range (${end}): ${part}` };
  if (step === 0) return { error: `step of range should be a positive number: ${part}` };
  // A star with a step is a list like any other.
  return { start, end, step, isStar: isAny && step === 1 };
}

/** The value of a bound, or what is wrong with it. */
function boundValue(text: string, { names = [], min }: Bounds): number | string {
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? numberOf(text) : min + index;
}

function numberOf(text: string): number | string {
  const number = /^[-+]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number < 0) return `negative number (${number}) not allowed: ${text}`;
  if (number >= 0) return number;
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
