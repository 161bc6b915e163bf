import { Duration, Timestamp, Uint } from './scalars.ts';
import {
  BOOL,
  BYTES,
  CelType,
  DOUBLE,
  DURATION,
  INT,
  LIST,
  MAP,
  NULL,
  OPTIONAL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from './types.ts';

/** A value: int is a bigint, double a number, string a string, list an array. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint
  | Uint8Array
  | Timestamp
  | Duration
  | CelType
  | readonly Value[]
  | MapValue
  | Optional
  | Opaque;

/** The failure of an operation. It is a value on its way, because `&&`, `||` and macros may absorb it. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const NO_SUCH_OVERLOAD = new CelError('no such overload');

export type Outcome = Value | CelError;

/** A map. Numbers are the same key whatever their type. */
export abstract class MapValue {
  abstract readonly size: number;
  /** The value of a key, or undefined. */
  abstract get(key: Value): Value | undefined;
  abstract keys(): Iterable<Value>;

  has(key: Value): boolean {
    return this.get(key) !== undefined;
  }
}

export class Optional {
  static readonly NONE = new Optional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

/** A value of a type that a library brings. */
export abstract class Opaque {
  abstract readonly type: CelType;
  /** What `size()` of the value would be, where costs depend on it. */
  readonly size: number | undefined = undefined;
  /** Whether the other value of the same type is equal. */
  abstract equals(other: Opaque): boolean;
  /** Whether a comparison with a value of another type fails instead of being false. */
  readonly refusesOtherTypes: boolean = false;
}

export class EntryMap extends MapValue {
  readonly #entries = new Map<string, readonly [Value, Value]>();

  constructor(entries: Iterable<readonly [Value, Value]>) {
    super();
    for (const [key, value] of entries) {
      const text = keyText(key);
      if (text !== null) this.#entries.set(text, [key, value]);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    const text = keyText(key);
    return text === null ? undefined : this.#entries.get(text)?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }

  *entries(): Iterable<readonly [Value, Value]> {
    yield* this.#entries.values();
  }
}

/** A text that equal keys share; null for values that can be no keys. */
function keyText(key: Value): string | null {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'boolean') return `b${key}`;
  if (typeof key === 'bigint') return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === 'number') return Number.isInteger(key) ? `n${BigInt(key)}` : `d${key}`;
  return null;
}

export function isList(value: Outcome): value is readonly Value[] {
  return Array.isArray(value);
}

/** The type of a value at run time. */
export function runtimeType(value: Value): CelType {
  if (value === null) return NULL;
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    default:
      return objectTypeOf(value);
  }
}

function objectTypeOf(value: object): CelType {
  if (value instanceof Uint) return UINT;
  if (value instanceof Uint8Array) return BYTES;
  if (value instanceof Timestamp) return TIMESTAMP;
  if (value instanceof Duration) return DURATION;
  if (value instanceof CelType) return TYPE;
  if (value instanceof Optional) return OPTIONAL;
  if (value instanceof Opaque) return value.type;
  return value instanceof MapValue ? MAP : LIST;
}

/** The size as `size()` gives it: characters, bytes, elements or entries; undefined for values without one. */
export function sizeOf(value: Outcome): number | undefined {
  if (typeof value === 'string') return characters(value);
  if (value instanceof Uint8Array) return value.length;
  if (isList(value)) return value.length;
  if (value instanceof MapValue || value instanceof Opaque) return value.size;
  return undefined;
}

function characters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.codePointAt(i) ?? 0) > 0xffff) {
      count--;
      i++;
    }
  }
  return count;
}
