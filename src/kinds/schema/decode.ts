import { canonicalQuantity } from '../../api/quantity-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { DecodeError } from '../object/kind-schema.ts';
import { apiTypes, type GoField, type GoStruct, type GoType, type SpecialName } from './go-types.ts';
import { canonicalMicroTime, canonicalTime } from './time-text.ts';

/**
 * Brings JSON into the form that it has after Go has read it into a struct and written it again: unknown fields are
 * gone, as are nulls and empty values, except for those that Go always writes.
 */
export function decodeStruct(value: JsonObject, struct: GoStruct, unknownFields: string[]): JsonObject {
  return new Decoder(unknownFields).struct(value, struct, '');
}

/** Sets a member; a key such as `__proto__` is a key like any other. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

const INT32_LIMIT = 2 ** 31;
const INT64_LIMIT = 2 ** 63;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

class Decoder {
  private readonly unknownFields: string[];
  /** The struct and the names of fields that lead to the value: what Go's messages name. */
  private within: GoStruct | undefined;
  private names: readonly string[] = [];

  constructor(unknownFields: string[]) {
    this.unknownFields = unknownFields;
  }

  struct(value: JsonObject, struct: GoStruct, path: string): JsonObject {
    const result: JsonObject = {};
    const { within, names } = this;
    for (const key of Object.keys(value)) {
      const member = value[key];
      const field = struct.fields.get(key);
      if (field === undefined) {
        this.unknownFields.push(path === '' ? key : `${path}.${key}`);
        continue;
      }
      if (member === null || member === undefined) continue;
      this.within = struct;
      this.names = [...names, key];
      const decoded = this.value(member, field.type, path === '' ? key : `${path}.${key}`);
      if (!isLeftOut(decoded, field)) result[key] = decoded;
    }
    this.within = within;
    this.names = names;
    addZeroMembers(result, struct);
    return struct.isAtomic ? inGoOrder(result, struct) : result;
  }

  private value(value: JsonValue, type: GoType, path: string): JsonValue {
    switch (type.kind) {
      case 'pointer':
        return this.value(value, type.elem, path);
      case 'struct':
        if (!isJsonObject(value)) throw this.mismatch(value, type.text);
        return this.struct(value, type, path);
      case 'list':
        if (!Array.isArray(value)) throw this.mismatch(value, type.text);
        // Storage does not tell an empty list from none; clients ask for the removal of managers by an empty list.
        if (value.length === 0) return path === 'metadata.managedFields' ? [] : null;
        return value.map((item, i) =>
          item === null ? zeroOf(type.elem) : this.value(item, type.elem, `${path}[${i}]`),
        );
      case 'map':
        if (!isJsonObject(value)) throw this.mismatch(value, type.text);
        return this.map(value, type.elem, path);
      case 'special':
        return this.special(value, type.name, path);
      case 'bytes':
        return this.bytes(value, type.text);
      case 'string':
        if (typeof value !== 'string') throw this.mismatch(value, type.text);
        return value;
      case 'bool':
        if (typeof value !== 'boolean') throw this.mismatch(value, type.text);
        return value;
      case 'float64':
        if (typeof value !== 'number') throw this.mismatch(value, type.text);
        return value;
      default:
        return this.integer(value, type.kind === 'int32' ? INT32_LIMIT : INT64_LIMIT, type.text);
    }
  }

  private map(value: JsonObject, elem: GoType, path: string): JsonObject {
    const result: JsonObject = {};
    for (const key of Object.keys(value)) {
      const member = value[key] ?? null;
      const decoded = member === null ? zeroOf(elem) : this.value(member, elem, `${path}.${key}`);
      setMember(result, key, decoded);
    }
    return result;
  }

  private integer(value: JsonValue, limit: number, text: string): number {
    if (typeof value !== 'number') throw this.mismatch(value, text);
    if (!Number.isInteger(value) || value >= limit || value < -limit) {
      throw this.mismatch(value, text, `number ${value}`);
    }
    return value;
  }

  private bytes(value: JsonValue, text: string): string {
    if (typeof value !== 'string') throw this.mismatch(value, text);
    const plain = value.replace(/[\r\n]/g, '');
    if (!BASE64.test(plain)) throw new DecodeError(`illegal base64 data at input byte ${badByteOf(plain)}`);
    return plain;
  }

  private special(value: JsonValue, name: SpecialName, path: string): JsonValue {
    switch (name) {
      case 'time':
      case 'microtime':
        if (typeof value !== 'string') throw this.mismatch(value, 'string');
        return withDecodeError(() => (name === 'time' ? canonicalTime(value) : canonicalMicroTime(value)));
      case 'quantity':
        return withDecodeError(() => canonicalQuantity(isJsonObject(value) ? '{' : String(value).trim()));
      case 'intorstring':
        return typeof value === 'string' ? value : this.integer(value, INT32_LIMIT, 'int32');
      case 'duration':
        if (typeof value !== 'string') throw this.mismatch(value, 'string');
        return value;
      case 'raw':
        return value;
      default:
        return this.schema(value, name, path);
    }
  }

  private schema(value: JsonValue, name: SpecialName, path: string): JsonValue {
    const struct = apiTypes().struct('apiextensions/v1.JSONSchemaProps')!;
    if (isJsonObject(value)) return this.struct(value, struct, path);
    if (name === 'schemaorbool' && typeof value === 'boolean') return value;
    if (name === 'schemaorarray' && Array.isArray(value)) {
      return value.map((item, i) => (isJsonObject(item) ? this.struct(item, struct, `${path}[${i}]`) : item));
    }
    if (name === 'schemaorstrings' && Array.isArray(value)) return value;
    if (name === 'schemaorbool') throw new DecodeError('boolean or JSON schema expected');
    throw this.mismatch(value, struct.text);
  }

  private mismatch(value: JsonValue, text: string, shown = jsonKind(value)): DecodeError {
    if (this.within === undefined)
      return new DecodeError(`json: cannot unmarshal ${shown} into Go value of type ${text}`);
    const struct = this.within.text.slice(this.within.text.indexOf('.') + 1);
    const field = `${struct}.${this.names.join('.')}`;
    return new DecodeError(`json: cannot unmarshal ${shown} into Go struct field ${field} of type ${text}`);
  }
}

/** Structs that messages quote as they are have their members in the order of the Go source. */
function inGoOrder(object: JsonObject, struct: GoStruct): JsonObject {
  const ordered: JsonObject = {};
  for (const name of struct.fields.keys()) {
    const value = object[name];
    if (value !== undefined) ordered[name] = value;
  }
  return ordered;
}

function withDecodeError(read: () => string): string {
  try {
    return read();
  } catch (error) {
    throw new DecodeError((error as Error).message);
  }
}

/** The position at which Go's decoder stops. */
function badByteOf(text: string): number {
  const bad = text.search(/[^A-Za-z0-9+/]/);
  if (bad < 0) return text.length - (text.length % 4);
  return bad;
}

export function jsonKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Adds the members that Go writes even when they are empty. */
export function addZeroMembers(object: JsonObject, struct: GoStruct): void {
  for (const { name, type } of struct.alwaysWritten) {
    if (object[name] === undefined) object[name] = zeroOf(type);
  }
}

/** What Go writes for a value that was never set. */
export function zeroOf(type: GoType): JsonValue {
  switch (type.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
      return 0;
    case 'struct': {
      const zero: JsonObject = {};
      addZeroMembers(zero, type);
      return zero;
    }
    case 'special':
      return type.name === 'quantity' ? '0' : type.name === 'intorstring' ? 0 : type.name === 'duration' ? '0s' : null;
    default:
      return null;
  }
}

function isLeftOut(value: JsonValue, { type, omitEmpty, omitZero }: GoField): boolean {
  if (omitZero) return JSON.stringify(value) === JSON.stringify(zeroOf(type));
  if (!omitEmpty || type.kind === 'pointer') return false;
  if (type.kind === 'list') return value === null;
  if (type.kind === 'bytes') return (value as string).length === 0;
  if (type.kind === 'map') return Object.keys(value as JsonObject).length === 0;
  return value === '' || value === 0 || value === false;
}
