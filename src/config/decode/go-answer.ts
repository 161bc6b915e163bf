import { isMissing, isObject } from '../../api/validation/check.ts';
import { type Int64, int64 } from '../../lib/int64.ts';
import { parseJson } from './parse-json.ts';
import type { Value } from './value.ts';

/** An answer that Go would not decode into its type, with Go's message. Thrown and caught while an answer is read. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** The place of a value: the Go struct, and the path from the outermost struct; null for a value without a struct. */
export interface GoField {
  readonly struct: string;
  readonly path: string;
}

export type GoReader<T> = (value: unknown, field: GoField | null) => T;

/** A number with its text, because 1.0 is no integer, and integers may exceed 2^53. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Parses JSON so that numbers keep their text. Errors: SyntaxError. */
export function parseExactly(text: string): unknown {
  return withNumberTexts(parseJson(text));
}

function withNumberTexts(value: Value): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'number':
      return new NumberText(value.text);
    case 'list':
      return value.items.map(withNumberTexts);
    case 'object':
      return Object.fromEntries(value.members.map(({ key, value }) => [key, withNumberTexts(value)]));
    default:
      return value.value;
  }
}

function wrongType(value: unknown, type: string, field: GoField | null): WrongAnswer {
  return unmarshalError(jsonTypeOf(value), type, field);
}

/** The text of encoding/json's UnmarshalTypeError. */
function unmarshalError(found: string, type: string, field: GoField | null): WrongAnswer {
  const into = field === null ? 'value' : `struct field ${field.struct}.${field.path}`;
  return new WrongAnswer(`json: cannot unmarshal ${found} into Go ${into} of type ${type}`);
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value instanceof NumberText || typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}

export const goString: GoReader<string> = (value, field) => {
  if (isMissing(value)) return '';
  if (typeof value !== 'string') throw wrongType(value, 'string', field);
  return value;
};

const INTEGER = /^-?\d+$/;

/** Reads an integer from JSON that was parsed by `parseExactly`. */
export const goInt64: GoReader<Int64> = (value, field) => {
  if (isMissing(value)) return 0;
  if (!(value instanceof NumberText)) throw wrongType(value, 'int64', field);
  const { text } = value;
  const exact = INTEGER.test(text) ? BigInt(text) : undefined;
  if (exact === undefined || exact !== BigInt.asIntN(64, exact)) throw unmarshalError(`number ${text}`, 'int64', field);
  return int64(exact);
};

/** Reads a list; null stays null. */
export function goList<T>(type: string, item: GoReader<T>): GoReader<T[] | null> {
  return (value, field) => {
    if (isMissing(value)) return null;
    if (!Array.isArray(value)) throw wrongType(value, type, field);
    return value.map((each) => item(each, field));
  };
}

export function goMap<T>(type: string, item: GoReader<T>): GoReader<Map<string, T>> {
  return (value, field) => {
    if (isMissing(value)) return new Map();
    if (!isPlainObject(value)) throw wrongType(value, type, field);
    return new Map(Object.entries(value).map(([key, each]) => [key, item(each, field)]));
  };
}

/** Reads members by lower-case name: Go matches names of fields in any case, and ignores unknown members. */
export type GoStruct = (value: unknown, field: GoField | null) => ReadonlyMap<string, unknown>;

export function goStruct(type: string): GoStruct {
  return (value, field) => {
    if (isMissing(value)) return new Map();
    if (!isPlainObject(value)) throw wrongType(value, type, field);
    return new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]));
  };
}

/** The place of a field in a struct, which is itself the value of `outer`. */
export function fieldOf(struct: string, name: string, outer: GoField | null = null): GoField {
  return { struct, path: outer === null ? name : `${outer.path}.${name}` };
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !(value instanceof NumberText);
}
