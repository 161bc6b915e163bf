import { isMissing, isObject } from '../../api/validation/check.ts';
import { parseJson } from '../../config/decode/parse-json.ts';
import type { Value } from '../../config/decode/value.ts';
import { type Int64, int64 } from '../../lib/int64.ts';

/** An answer that Go would not decode into its type; the message is Go's. Thrown and caught while one is read. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** Where a value stands: in which of Go's structs, and on which path from the outermost one; null: on its own. */
export interface GoField {
  readonly struct: string;
  readonly path: string;
}

export type GoReader<T> = (value: unknown, field: GoField | null) => T;

/** A number as it was written: 1.0 is no integer, and integers may go beyond 2^53. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON with the text of its numbers. Errors: SyntaxError. */
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

/** What stands there does not fit the type (encoding/json's UnmarshalTypeError). */
function wrongType(value: unknown, type: string, field: GoField | null): WrongAnswer {
  const into = field === null ? 'value' : `struct field ${field.struct}.${field.path}`;
  return new WrongAnswer(`json: cannot unmarshal ${kindOf(value)} into Go ${into} of type ${type}`);
}

function kindOf(value: unknown): string {
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

/** Of JSON that was parsed exactly. */
export const goInt64: GoReader<Int64> = (value, field) => {
  if (isMissing(value)) return 0;
  if (!(value instanceof NumberText)) throw wrongType(value, 'int64', field);
  const { text } = value;
  const exact = INTEGER.test(text) ? BigInt(text) : undefined;
  if (exact === undefined || exact !== BigInt.asIntN(64, exact)) {
    const into = field === null ? 'value' : `struct field ${field.struct}.${field.path}`;
    throw new WrongAnswer(`json: cannot unmarshal number ${text} into Go ${into} of type int64`);
  }
  return int64(exact);
};

/** null stays null. */
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

/** Members by lower-case name: Go takes a member for a field in whatever case, and ignores those that are none. */
export type GoStruct = (value: unknown, field: GoField | null) => ReadonlyMap<string, unknown>;

export function goStruct(type: string): GoStruct {
  return (value, field) => {
    if (isMissing(value)) return new Map();
    if (!isPlainObject(value)) throw wrongType(value, type, field);
    return new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]));
  };
}

/** A field of a struct that itself stands in `outer`. */
export function fieldOf(struct: string, name: string, outer: GoField | null = null): GoField {
  return { struct, path: outer === null ? name : `${outer.path}.${name}` };
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !(value instanceof NumberText);
}
