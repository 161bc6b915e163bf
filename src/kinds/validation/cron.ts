/** What is wrong with a schedule, in the words of the parser that the API uses (robfig/cron). */
export function cronProblem(schedule: string): string | undefined {
  let text = schedule;
  if (/^(TZ|CRON_TZ)=/.test(text)) {
    const space = text.indexOf(' ');
    text = text.slice(space + 1).trim();
  }
  if (text.startsWith('@')) return descriptorProblem(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== BOUNDS.length) {
    return `expected exactly ${BOUNDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [i, field] of fields.entries()) {
    for (const part of field.split(',')) {
      const problem = rangeProblem(part, BOUNDS[i]!);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const BOUNDS: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];
const DESCRIPTORS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);
const DURATION = /^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$/;

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const duration = text.slice('@every '.length);
  if (DURATION.test(duration)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
}

function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const [range = '', step, tooMany] = text.split('/');
  const [low = '', high, tooManyHyphens] = range.split('-');
  if (tooManyHyphens !== undefined) return `too many hyphens: ${text}`;
  if (tooMany !== undefined) return `too many slashes: ${text}`;
  const isAny = low === '*' || low === '?';
  const start = isAny ? bounds.min : numberOf(low, bounds);
  if (typeof start === 'string') return start;
  const given = high === undefined ? start : numberOf(high, bounds);
  if (typeof given === 'string') return given;
  const every = step === undefined ? 1 : numberOf(step, { ...bounds, names: [] });
  if (typeof every === 'string') return every;
  const end = isAny || (step !== undefined && high === undefined) ? bounds.max : given;
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${text}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return every === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

/** The number that a text stands for, or what is wrong with it. */
function numberOf(text: string, { names, min }: Bounds): number | string {
  const index = names.indexOf(text.toLowerCase());
  if (index >= 0) return index + (names === MONTHS ? min : 0);
  if (/^-\d+$/.test(text)) return `negative number (${text}) not allowed: ${text}`;
  if (!/^\+?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  return Number(text);
}
