/** Times of the API as Go's `time` package reads and writes them. */
const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

class TimeError extends Error {}

/** `2024-05-01T12:00:00Z`: in UTC, whole seconds. @throws TimeError */
export function canonicalTime(text: string): string {
  const { millis } = read(text, '2006-01-02T15:04:05Z07:00');
  return `${new Date(millis).toISOString().slice(0, 19)}Z`;
}

/** `2024-05-01T12:00:00.000000Z`: in UTC, six digits of a fraction. @throws TimeError */
export function canonicalMicroTime(text: string): string {
  const { millis, fraction } = read(text, '2006-01-02T15:04:05.000000Z07:00');
  return `${new Date(millis).toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}

function read(text: string, layout: string): { readonly millis: number; readonly fraction: string } {
  const match = FORM.exec(text);
  if (match === null) throw new TimeError(problemOf(text, layout));
  const [, year, month, day, hour, minute, second, fraction = '', zone] = match;
  const millis = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`).getTime();
  if (Number.isNaN(millis) || new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() !== Number(day)) {
    const part = Number(month) < 1 || Number(month) > 12 ? 'month' : Number(hour) > 23 ? 'hour' : 'day';
    throw new TimeError(`parsing time ${JSON.stringify(text)}: ${part} out of range`);
  }
  return { millis, fraction };
}

/** The parts of a layout in order: Go names the first that does not fit, and the text that is left. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  ...([
    [/^\d{4}/, '2006'],
    [/^-/, '-'],
    [/^\d\d/, '01'],
    [/^-/, '-'],
    [/^\d\d/, '02'],
    [/^T/, 'T'],
    [/^\d\d/, '15'],
    [/^:/, ':'],
    [/^\d\d/, '04'],
    [/^:/, ':'],
    [/^\d\d/, '05'],
  ] as const),
];

function problemOf(text: string, layout: string): string {
  let rest = text;
  for (const [form, part] of PARTS) {
    const match = form.exec(rest);
    if (match === null) return mismatch(text, layout, rest, part);
    rest = rest.slice(match[0].length);
  }
  rest = rest.replace(/^[.,]\d+/, '');
  if (!/^(Z|[+-]\d\d:\d\d)/.test(rest)) return mismatch(text, layout, rest, 'Z07:00');
  const extra = rest.replace(/^(Z|[+-]\d\d:\d\d)/, '');
  return `parsing time ${JSON.stringify(text)}: extra text: ${JSON.stringify(extra)}`;
}

function mismatch(text: string, layout: string, rest: string, part: string): string {
  const quoted = [text, layout, rest, part].map((each) => JSON.stringify(each));
  return `parsing time ${quoted[0]} as ${quoted[1]}: cannot parse ${quoted[2]} as ${quoted[3]}`;
}
