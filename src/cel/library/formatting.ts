import { type FunctionDeclaration, functionOf, member } from '../check/declarations.ts';
import { toText } from '../values/conversions.ts';
import { Duration, Timestamp, Uint } from '../values/scalars.ts';
import { CelType, DYN, listOf, STRING } from '../values/types.ts';
import { CelError, isList, MapValue, type Outcome, runtimeType, type Value } from '../values/value.ts';

const CLAUSE = /%(?:%|(?:\.(\d+))?([\s\S]))/g;
const MOST_DIGITS = 100;
const DEFAULT_DIGITS = 6;

/** `"%s is %.2f".format([…])`: the clauses s, d, f, e, b, o, x and X. */
function format(text: Value, values: Value): Outcome {
  const given = values as readonly Value[];
  let used = 0;
  let failed: CelError | null = null;
  const fail = (message: string): string => {
    failed ??= new CelError(message);
    return '';
  };
  const formatted = (text as string).replace(
    CLAUSE,
    (clause, precision: string | undefined, verb: string | undefined) => {
      if (clause === '%%') return '%';
      const value = given[used];
      if (value === undefined) return fail(`index ${used} out of range`);
      used++;
      const digits = precision === undefined ? DEFAULT_DIGITS : Number(precision);
      if (digits > MOST_DIGITS) return fail(`precision ${digits} exceeds maximum allowed precision ${MOST_DIGITS}`);
      const written = formatValue(value, verb ?? '', digits);
      return written instanceof CelError ? fail(written.message) : written;
    },
  );
  return failed ?? formatted;
}

function formatValue(value: Value, verb: string, digits: number): string | CelError {
  const integer = integerOf(value);
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      if (integer !== null) return String(integer);
      return typeof value === 'number' ? doubleText(value) : wrong('decimal', 'integers or doubles', value);
    case 'f':
    case 'e':
      return formatDouble(value, verb, digits);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integer === null ? wrong('binary', 'integers and bools', value) : integer.toString(2);
    case 'o':
      return integer === null ? wrong('octal', 'integers', value) : integer.toString(8);
    case 'x':
      return hexadecimal(value, integer);
    case 'X': {
      const written = hexadecimal(value, integer);
      return typeof written === 'string' ? written.toUpperCase() : written;
    }
    default:
      return new CelError(`could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(verb)}`);
  }
}

function integerOf(value: Value): bigint | null {
  if (typeof value === 'bigint') return value;
  return value instanceof Uint ? value.value : null;
}

function formatDouble(value: Value, verb: 'f' | 'e', digits: number): string | CelError {
  const number = typeof value === 'number' ? value : Number(integerOf(value) ?? Number.NaN);
  if (typeof value !== 'number' && integerOf(value) === null) {
    return wrong(verb === 'f' ? 'fixed-point' : 'scientific', 'doubles', value);
  }
  if (!Number.isFinite(number)) return doubleText(number).replace('+Inf', 'Infinity').replace('-Inf', '-Infinity');
  if (verb === 'f') return number.toFixed(digits);
  return number.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
}

function hexadecimal(value: Value, integer: bigint | null): string | CelError {
  if (integer !== null) return integer.toString(16);
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return wrong('hex', 'integers, byte buffers, and strings', value);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function textOf(value: Value): string | CelError {
  if (value === null) return 'null';
  if (isList(value)) return joined(value.map(textOf), '[', ']');
  if (value instanceof MapValue) {
    const entries = [...value.keys()].map((key): string | CelError => {
      const [name, text] = [textOf(key), textOf(value.get(key) as Value)];
      if (name instanceof CelError) return name;
      return text instanceof CelError ? text : `${name}: ${text}`;
    });
    return joined(entries.every((entry) => typeof entry === 'string') ? [...entries].sort() : entries, '{', '}');
  }
  if (value instanceof CelType) return value.name;
  if (typeof value === 'number') return doubleText(value);
  if (value instanceof Timestamp || value instanceof Duration || typeof value !== 'object') {
    const text = toText(value);
    return text instanceof CelError ? text : String(text);
  }
  const text = toText(value);
  return typeof text === 'string'
    ? text
    : wrong('string', 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps', value);
}

/** A double with as many digits as it takes, and an exponent only from 1e21 on. */
function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
}

function joined(parts: readonly (string | CelError)[], open: string, close: string): string | CelError {
  const failed = parts.find((part) => part instanceof CelError);
  return failed ?? `${open}${parts.join(', ')}${close}`;
}

function wrong(kind: string, allowed: string, value: Value): CelError {
  const { name } = runtimeType(value);
  return new CelError(`${kind} clause can only be used on ${allowed}, was given ${name}`);
}

export const formatFunctions: readonly FunctionDeclaration[] = [
  functionOf('format', member('string_format', [STRING, listOf(DYN)], STRING, format)),
];
