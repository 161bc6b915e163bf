import { parseDuration } from '../../lib/go-duration.ts';
import type { ConfigurationError } from './field-error.ts';
import { describe, type Member, type Value } from './value.ts';

/** The place of a value in the document, and the list of errors that do not stop the reading. */
export interface Position {
  readonly path: string;
  /** Unknown and repeated fields, in the order of the document. */
  readonly strict: ConfigurationError[];
}

/** Reads one value of the document. Returns undefined for null, which means the same as omitting the field. */
export type Decoder<T> = (value: Value, at: Position) => T | undefined;

/** A decoder of a field that always has a value: what it is when the field is absent, and when it is null. */
export interface Complete<T> {
  (value: Value, at: Position): T;
  /** @throws DecodeFailure when the field at this path must be given */
  absent(path: string): T;
}

/** What a decoder returns, unless it is null. */
export type Decoded<D extends Decoder<unknown>> = NonNullable<ReturnType<D>>;

type Fields = Readonly<Record<string, Decoder<unknown>>>;
type CompleteKeys<F extends Fields> = { [K in keyof F]: F[K] extends Complete<unknown> ? K : never }[keyof F];

/** An object with these fields; those that are not complete may be absent. */
export type DecodedFields<F extends Fields> = { readonly [K in CompleteKeys<F>]: ReturnType<F[K]> } & {
  readonly [K in Exclude<keyof F, CompleteKeys<F>>]?: ReturnType<F[K]>;
};

/** A value has the wrong type, so the document cannot be read. It is caught by `readConfiguration`. */
export class DecodeFailure extends Error {
  override readonly name = 'DecodeFailure';
}

/** A decoder by `read`, which returns undefined for a value that is not as `expected`. */
function decoder<T>(expected: string, read: (value: Value, at: Position) => T | undefined): Decoder<T> {
  return (value, at) => {
    if (value.kind === 'null') return undefined;
    const decoded = read(value, at);
    if (decoded === undefined) throw mismatch(at.path, expected, value);
    return decoded;
  };
}

export function mismatch(path: string, expected: string, value: Value): DecodeFailure {
  return new DecodeFailure(`${path === '' ? 'the document' : path}: expected ${expected}, got ${describe(value)}`);
}

/** Decodes an object by its members. */
export function objectBy<T>(read: (members: readonly Member[], at: Position) => T): Decoder<T> {
  return decoder('an object', (value, at) => (value.kind === 'object' ? read(value.members, at) : undefined));
}

/** Decodes an object with these fields; names are case-sensitive. */
export function struct<F extends Fields>(fields: F): Decoder<DecodedFields<F>> {
  return objectBy((members, { path, strict }) => {
    const result: Record<string, unknown> = {};
    const seen = new Set<string>();
    for (const { key, value: member } of members) {
      const field = path === '' ? key : `${path}.${key}`;
      const decode = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (seen.has(key)) note(strict, field, 'duplicate');
      else if (decode === undefined) note(strict, field, 'unknown');
      seen.add(key);
      if (decode === undefined) continue;
      const decoded = decode(member, { path: field, strict });
      if (decoded !== undefined) result[key] = decoded;
    }
    return withAbsent(result, fields, path);
  });
}

/** Adds the values of complete fields that were not given. The members are in the order of the fields. */
export function withAbsent<F extends Fields>(given: Readonly<Record<string, unknown>>, fields: F, path: string) {
  const result: Record<string, unknown> = {};
  for (const [name, decode] of Object.entries(fields)) {
    if (Object.hasOwn(given, name)) result[name] = given[name];
    else if ('absent' in decode) result[name] = (decode as Complete<unknown>).absent(`${path}.${name}`);
  }
  return result as DecodedFields<F>;
}

/** Decodes a field that is `absent` when it is not given. */
export function or<T>(decode: Decoder<T>, absent: T): Complete<T> {
  return Object.assign((value: Value, at: Position) => decode(value, at) ?? absent, { absent: () => absent });
}

/** Decodes a field that is `absent` when it is not given, or given as '', 0 or null. */
export function orIfZero<T>(decode: Decoder<T>, absent: T): Complete<T> {
  return or((value, at) => decode(value, at) || absent, absent);
}

/** What a decoder makes of an object without fields. */
export function empty<T>(decode: Decoder<T>): T {
  return decode({ kind: 'object', members: [] }, { path: '', strict: [] }) as T;
}

/** Decodes a list; `zero` replaces a null among the items. */
export function list<T>(item: Decoder<T>, zero: T): Decoder<readonly T[]> {
  return decoder('a list', (value, { path, strict }) => {
    if (value.kind !== 'list') return undefined;
    return value.items.map((entry, i) => item(entry, { path: `${path}[${i}]`, strict }) ?? zero);
  });
}

/** Decodes an object that maps any names to values of one kind. */
export function entriesOf<T>(item: Decoder<T>): Decoder<(readonly [key: string, value: T | undefined])[]> {
  return objectBy((members, { path, strict }) =>
    members.map(({ key, value }) => [key, item(value, { path: `${path}.${key}`, strict })] as const),
  );
}

export const string = decoder('a string', (value) => (value.kind === 'string' ? value.value : undefined));

export const stringMap = mapped(entriesOf(string), (entries): Readonly<Record<string, string>> => {
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? '']));
});

export const boolean = decoder('true or false', (value) => (value.kind === 'boolean' ? value.value : undefined));

export const booleanMap = mapped(entriesOf(boolean), (entries): Readonly<Record<string, boolean>> => {
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? false]));
});

export const int32 = integer(32);
export const int64 = integer(64);

export const float = decoder('a number', (value) => {
  return value.kind === 'number' && Number.isFinite(Number(value.text)) ? Number(value.text) : undefined;
});

/** Decodes a value, and makes another one of it. */
export function mapped<T, U>(decode: Decoder<T>, make: (decoded: T, at: Position) => U): Decoder<U> {
  return (value, at) => {
    const decoded = decode(value, at);
    return decoded === undefined ? undefined : make(decoded, at);
  };
}

/**
 * Decodes a duration to nanoseconds. If upstream's field is no pointer, null is read as '', which is not a duration.
 */
export function duration({ nullable }: { readonly nullable: boolean }): Decoder<bigint> {
  return (value, { path }) => {
    if (value.kind === 'null' && nullable) return undefined;
    if (value.kind !== 'string') throw mismatch(path, 'a duration such as "15s"', value);
    const parsed = parseDuration(value.value);
    if (typeof parsed !== 'bigint') throw new DecodeFailure(`${path}: ${parsed.error}`);
    return parsed;
  };
}

/** Decodes base64 text, which is kept as it is. */
export const base64 = decoder('base64', (value, at) => {
  const text = string(value, at) ?? '';
  const digits = text.replaceAll(/[\r\n]/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits) ? text : undefined;
});

/** Keeps any value, to be read later. */
export const raw: Decoder<Value> = (value) => (value.kind === 'null' ? undefined : value);

function integer(bits: 32 | 64): Decoder<number> {
  return decoder(`an integer of ${bits} bits`, (value) => {
    if (value.kind !== 'number' || !/^-?\d+$/.test(value.text)) return undefined;
    const exact = BigInt(value.text);
    return BigInt.asIntN(bits, exact) === exact ? Number(exact) : undefined;
  });
}

/** Notes a problem once for each field. */
function note(strict: ConfigurationError[], field: string, problem: 'unknown' | 'duplicate'): void {
  const message = `${problem} field ${JSON.stringify(field)}`;
  if (!strict.some((error) => error.message === message)) strict.push({ field, message });
}
