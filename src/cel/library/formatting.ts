import { type FunctionDeclaration, functionOf, member } from '../check/declarations.ts';
import { formatParts, refusal } from '../check/format-clauses.ts';
import { toText } from '../values/conversions.ts';
import { Duration, Timestamp, Uint } from '../values/scalars.ts';
import { CelType, DYN, listOf, STRING } from '../values/types.ts';
import { CelError, isList, MapValue, type Outcome, runtimeType, type Value } from '../values/value.ts';
import { quote } from './strings.ts';

/** What is written, or why a value cannot be; null: the clause is not for values of this type. */
type Written = string | CelError | null;

/** `"%s is %.2f".format([…])` as cel-go's extension has it before its version 4, with the separators of English. */
function format(text: Value, values: Value): Outcome {
  const given = values as readonly Value[];
  let whole = '';
  for (const part of formatParts(text as string, given.length, false)) {
    if (part instanceof CelError) return part;
    if (typeof part === 'string') whole += part;
    else {
      const { verb, digits, index } = part;
      const value = given[index] as Value;
      const written = write(value, verb, digits) ?? new CelError(refusal(verb, runtimeType(value).name));
      if (written instanceof CelError) return written;
      whole += written;
    }
  }
  return whole;
}

function write(value: Value, verb: string, digits: number): Written {
  const integer = integerOf(value);
  switch (verb) {
    case 's':
      return textOf(value);
    case 'd':
      return integer?.toString() ?? null;
    case 'f':
      return numberText(value, (number) => number.toFixed(Math.min(digits, MOST_DIGITS)).replace(THOUSANDS, ','));
    case 'e':
      return numberText(value, scientific);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : (integer?.toString(2) ?? null);
    case 'o':
      return integer?.toString(8) ?? null;
    default: {
      const written = hexadecimal(value, integer);
      return verb === 'X' ? (written?.toUpperCase() ?? null) : written;
    }
  }
}

const MOST_DIGITS = 100;
/** Before every three digits of the whole part. */
const THOUSANDS = /\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g;

function integerOf(value: Value): bigint | null {
  if (typeof value === 'bigint') return value;
  return value instanceof Uint ? value.value : null;
}

/** Doubles, and texts that name those that are no numbers. */
function numberText(value: Value, writeFinite: (number: number) => string): string | null {
  const isName = value === 'NaN' || value === 'Infinity' || value === '-Infinity';
  if (typeof value !== 'number' && !isName) return null;
  const number = Number(value);
  return Number.isFinite(number) ? writeFinite(number) : String(number).replace('Infinity', '∞');
}

/** As upstream, a precision counts for nothing. */
function scientific(number: number): string {
  const [digits, exponent = ''] = number.toExponential(DIGITS_IN_LISTS).split('e');
  const raised = exponent
    .slice(1)
    .padStart(2, '0')
    .replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '');
  return `${digits}\u202f×\u202f10${exponent.startsWith('-') ? '⁻' : ''}${raised}`;
}

function hexadecimal(value: Value, integer: bigint | null): string | null {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return integer?.toString(16) ?? null;
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function textOf(value: Value): Written {
  if (value === null) return 'null';
  if (value instanceof CelType) return value.name;
  if (isList(value)) return joined('[', value.map(literalOf), ']');
  if (value instanceof MapValue) {
    const entries = [...value.keys()].map((key) =>
      joined('', [literalOf(key), literalOf(value.get(key) as Value)], '', ':'),
    );
    const failed = entries.find((entry) => entry instanceof CelError);
    return failed ?? joined('{', entries.sort(), '}');
  }
  const text = toText(value);
  return typeof text === 'string' ? text : null;
}

const DIGITS_IN_LISTS = 6;

/** A part of a list or map, as it would be written in an expression. */
function literalOf(value: Value): string | CelError {
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value.toFixed(DIGITS_IN_LISTS) : `"${toText(value) as string}"`;
  }
  const text = textOf(value);
  if (text === null) {
    return new CelError(`error during formatting: no formatting function for ${runtimeType(value).name}`);
  }
  if (text instanceof CelError) return text;
  if (value instanceof Timestamp) return `timestamp("${text}")`;
  if (value instanceof Duration) return `duration("${text}")`;
  if (typeof value === 'string') return quote(text) as string;
  return value instanceof Uint8Array ? `b${quote(text) as string}` : text;
}

function joined(open: string, parts: readonly (string | CelError)[], close: string, by = ', '): string | CelError {
  return parts.find((part) => part instanceof CelError) ?? `${open}${parts.join(by)}${close}`;
}

export const formatFunctions: readonly FunctionDeclaration[] = [
  functionOf('format', member('string_format', [STRING, listOf(DYN)], STRING, format)),
];
