import { TemplateError } from './template-error.ts';

type TemplateFunction = (...args: unknown[]) => unknown;

/**
 * The functions that templates may call: the arithmetic of scheduler_perf (integers are truncated, not rounded), and
 * those of Go's own that make sense in object templates, without `and` and `or`, which do not evaluate all arguments.
 */
export const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  AddFloat: sum,
  AddInt: (...args) => Math.trunc(sum(...args)),
  SubtractFloat: (a, b) => number(a) - number(b),
  SubtractInt: (a, b) => Math.trunc(number(a) - number(b)),
  MultiplyFloat: product,
  MultiplyInt: (...args) => Math.trunc(product(...args)),
  DivideFloat: quotient,
  DivideInt: (a, b) => Math.trunc(quotient(a, b)),
  Mod: remainder,
  not: (arg) => !isTrue(arg),
  eq: (first, ...others) => others.some((other) => other === first),
  ne: (a, b) => a !== b,
  lt: (a, b) => compare(a, b) < 0,
  le: (a, b) => compare(a, b) <= 0,
  gt: (a, b) => compare(a, b) > 0,
  ge: (a, b) => compare(a, b) >= 0,
  len: lengthOf,
  print: (...args) => args.map(printed).join(''),
  printf: (format, ...args) => formatted(String(format), args),
};

/**
 * What a template reads that nothing is known of. As in upstream's, a condition takes it for false; to print it, which
 * leaves nothing there, is refused as a mistake.
 */
export class Missing {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toString(): string {
    throw new TemplateError(`.${this.name} is not known here`);
  }
}

/** Whether `if` takes the value for true: not false, 0, nil or an empty list, map or text. */
export function isTrue(value: unknown): boolean {
  if (value instanceof Missing) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}

/** The value as an action prints it. */
export function printed(value: unknown): string {
  return value === undefined || value === null ? '<nil>' : String(value);
}

function number(value: unknown): number {
  if (value instanceof Missing) return Number(value.toString());
  const converted = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof converted === 'number' && Number.isFinite(converted)) return converted;
  throw new TemplateError(`${JSON.stringify(value) ?? 'nothing'} is not a number`);
}

function sum(...args: unknown[]): number {
  return args.reduce<number>((total, arg) => total + number(arg), 0);
}

function product(...args: unknown[]): number {
  return args.reduce<number>((total, arg) => total * number(arg), 1);
}

function quotient(a: unknown, b: unknown): number {
  const divisor = number(b);
  if (divisor === 0) throw new TemplateError('division by zero');
  return number(a) / divisor;
}

function remainder(a: unknown, b: unknown): number {
  const divisor = Math.trunc(number(b));
  if (divisor === 0) throw new TemplateError('division by zero');
  return Math.trunc(number(a)) % divisor;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return number(a) - number(b);
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  if (value instanceof Map) return value.size;
  throw new TemplateError(`${printed(value)} has no length`);
}

/** Formats `%d`, `%s`, `%v` and `%q`, with a width (`%05d`). */
function formatted(format: string, args: readonly unknown[]): string {
  let next = 0;
  return format.replaceAll(/%(?:%|(-?)(0?)(\d*)([dsvq]))/g, (directive, left, zero, width, verb) => {
    if (directive === '%%') return '%';
    if (next >= args.length) throw new TemplateError(`printf: ${directive} has no value`);
    const value = args[next++];
    const text = verb === 'd' ? String(Math.trunc(number(value))) : verb === 'q' ? quoted(value) : printed(value);
    return left ? text.padEnd(Number(width)) : text.padStart(Number(width), zero === '0' ? '0' : ' ');
  });
}

function quoted(value: unknown): string {
  return JSON.stringify(printed(value));
}
