import { parseDuration } from '../../lib/go-duration.ts';
import type { ConfigurationError } from './field-error.ts';
import { describe, type Value } from './value.ts';

/** The place of a value in the document, and the list of errors that do not stop the reading. */
export interface Position {
  readonly path: string;
  /** Unknown and repeated fields, in the order of the document. */
  readonly strict: ConfigurationError[];
}

/** Reads one value of the document. Returns undefined for null, which means the same as omitting the field. */
export type Decoder<T> = (value: Value, at: Position) => T | undefined;

type Decoded<D> = D extends Decoder<infer T> ? T : never;

/** A value has the wrong type, so the document cannot be read. It is caught by `loadConfiguration`. */
export class DecodeFailure extends Error {
  override readonly name = 'DecodeFailure';
}

function mismatch(path: string, expected: string, value: Value): DecodeFailure {
  return new DecodeFailure(`${path === '' ? 'the document' : path}: expected ${expected}, got ${describe(value)}`);
}

/** Decodes an object with these fields; names are case-sensitive. */
export function struct<F extends Readonly<Record<string, Decoder<unknown>>>>(
  fields: F,
): Decoder<{ readonly [K in keyof F]?: Decoded<F[K]> | undefined }> {
  return (value, { path, strict }) => {
    if (value.kind === 'null') return undefined;
    if (value.kind !== 'object') throw mismatch(path, 'an object', value);
    const result: Record<string, unknown> = {};
    const seen = new Set<string>();
    for (const { key, value: member } of value.members) {
      const field = path === '' ? key : `${path}.${key}`;
      const decode = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (seen.has(key)) note(strict, field, 'duplicate');
      else if (decode === undefined) note(strict, field, 'unknown');
      seen.add(key);
      if (decode === undefined) continue;
      const decoded = decode(member, { path: field, strict });
      if (decoded !== undefined) result[key] = decoded;
    }
    return result as { readonly [K in keyof F]?: Decoded<F[K]> | undefined };
  };
}

/** Decodes a list; `zero` replaces a null among the items. */
export function list<T>(item: Decoder<T>, zero: T): Decoder<readonly T[]> {
  return (value, { path, strict }) => {
    if (value.kind === 'null') return undefined;
    if (value.kind !== 'list') throw mismatch(path, 'a list', value);
    return value.items.map((entry, i) => item(entry, { path: `${path}[${i}]`, strict }) ?? zero);
  };
}

export const stringMap: Decoder<Readonly<Record<string, string>>> = (value, { path, strict }) => {
  if (value.kind === 'null') return undefined;
  if (value.kind !== 'object') throw mismatch(path, 'an object', value);
  const entries = value.members.map(({ key, value }) => {
    return [key, string(value, { path: `${path}.${key}`, strict }) ?? ''] as const;
  });
  return Object.fromEntries(entries);
};

export const string: Decoder<string> = (value, { path }) => {
  if (value.kind === 'null') return undefined;
  if (value.kind !== 'string') throw mismatch(path, 'a string', value);
  return value.value;
};

export const boolean: Decoder<boolean> = (value, { path }) => {
  if (value.kind === 'null') return undefined;
  if (value.kind !== 'boolean') throw mismatch(path, 'true or false', value);
  return value.value;
};

export const int32 = integer(32);
export const int64 = integer(64);

export const float: Decoder<number> = (value, { path }) => {
  if (value.kind === 'null') return undefined;
  if (value.kind !== 'number' || !Number.isFinite(Number(value.text))) throw mismatch(path, 'a number', value);
  return Number(value.text);
};

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
export const base64: Decoder<string> = (value, at) => {
  const text = string(value, at);
  if (text === undefined) return undefined;
  const digits = text.replaceAll(/[\r\n]/g, '');
  const isValid = digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
  if (!isValid) throw mismatch(at.path, 'base64', value);
  return text;
};

/** Keeps any value, to be read later. */
export const raw: Decoder<Value> = (value) => (value.kind === 'null' ? undefined : value);

function integer(bits: 32 | 64): Decoder<number> {
  return (value, { path }) => {
    if (value.kind === 'null') return undefined;
    const isWhole = value.kind === 'number' && /^-?\d+$/.test(value.text);
    if (!isWhole || BigInt.asIntN(bits, BigInt(value.text)) !== BigInt(value.text)) {
      throw mismatch(path, `an integer of ${bits} bits`, value);
    }
    return Number(value.text);
  };
}

/** Notes a problem once for each field. */
function note(strict: ConfigurationError[], field: string, problem: 'unknown' | 'duplicate'): void {
  const message = `${problem} field ${JSON.stringify(field)}`;
  if (!strict.some((error) => error.message === message)) strict.push({ field, message });
}
