/**
 * Objects in protobuf, as typed clients in Go send them: four magic bytes, and an envelope with kind, version and the
 * object's message (upstream: apimachinery/pkg/runtime/serializer/protobuf).
 */
import type { JsonObject, JsonValue } from '../object/json.ts';
import { setMember } from './decode.ts';
import type { GoField, GoStruct, GoType, SpecialName } from './go-types.ts';

/** Bytes that are no such object. */
export class ProtobufError extends Error {}

const MAGIC = 'k8s\0';

/** Returns the struct of a kind, if there is one. */
export type StructOf = (apiVersion: string, kind: string) => GoStruct | undefined;

/** The object in the bytes. @throws ProtobufError */
export function decodeProtobuf(bytes: Buffer, structOf: StructOf): JsonObject {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new ProtobufError('the magic bytes are missing');
  let typeMeta: Buffer = Buffer.alloc(0);
  let raw: Buffer = Buffer.alloc(0);
  for (const { number, value } of fieldsIn(bytes.subarray(MAGIC.length))) {
    if (number === 1) typeMeta = bytesOf(value);
    if (number === 2) raw = bytesOf(value);
  }
  const [apiVersion = '', kind = ''] = textsIn(typeMeta);
  const struct = structOf(apiVersion, kind);
  if (struct === undefined) throw new ProtobufError(`no message is known for ${apiVersion} ${kind}`);
  return { apiVersion, kind, ...messageOf(raw, struct) };
}

/** A value as it stands on the wire: a number, or the bytes of a text or message. */
type WireValue = bigint | Buffer;

interface WireField {
  readonly number: number;
  readonly value: WireValue;
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

function* fieldsIn(bytes: Buffer): Iterable<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 63n) throw new ProtobufError('a number does not end');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    const part = bytes.subarray(at, at + length);
    if (part.length < length) throw new ProtobufError('a field is longer than the message');
    at += length;
    return part;
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const number = key >>> 3;
    switch (key & 7) {
      case VARINT:
        yield { number, value: varint() };
        break;
      case FIXED64:
        yield { number, value: take(8) };
        break;
      case BYTES:
        yield { number, value: take(Number(varint())) };
        break;
      case FIXED32:
        yield { number, value: take(4) };
        break;
      default:
        throw new ProtobufError('a field is of an unknown form');
    }
  }
}

function bytesOf(value: WireValue): Buffer {
  if (typeof value === 'bigint') throw new ProtobufError('a number stands for a text');
  return value;
}

function numberOf(value: WireValue): bigint {
  if (typeof value !== 'bigint') throw new ProtobufError('a text stands for a number');
  return BigInt.asIntN(64, value);
}

/** The first two texts of a message. */
function textsIn(bytes: Buffer): [string?, string?] {
  const texts: [string?, string?] = [];
  for (const { number, value } of fieldsIn(bytes)) if (number <= 2) texts[number - 1] = bytesOf(value).toString();
  return texts;
}

/** The fields of a struct by their numbers; embedded structs are messages of their own inside. */
interface Layout {
  readonly fields: Map<number, GoField>;
  readonly embedded: Map<number, Layout>;
}

const layouts = new WeakMap<GoStruct, Layout>();

function layoutOf(struct: GoStruct): Layout {
  const known = layouts.get(struct);
  if (known !== undefined) return known;
  const layout: Layout = { fields: new Map(), embedded: new Map() };
  layouts.set(struct, layout);
  for (const field of struct.fields.values()) {
    const path = field.protobuf;
    if (path === undefined) continue;
    let at = layout;
    for (const number of path.slice(0, -1)) {
      const inner: Layout = at.embedded.get(number) ?? { fields: new Map(), embedded: new Map() };
      at.embedded.set(number, inner);
      at = inner;
    }
    at.fields.set(path.at(-1) as number, field);
  }
  return layout;
}

function messageOf(bytes: Buffer, struct: GoStruct): JsonObject {
  const object: JsonObject = {};
  fill(object, bytes, layoutOf(struct));
  return object;
}

function fill(object: JsonObject, bytes: Buffer, { fields, embedded }: Layout): void {
  for (const { number, value } of fieldsIn(bytes)) {
    const inner = embedded.get(number);
    if (inner !== undefined) fill(object, bytesOf(value), inner);
    const field = fields.get(number);
    if (field !== undefined) addTo(object, field.name, value, field.type);
  }
}

function addTo(object: JsonObject, name: string, value: WireValue, type: GoType): void {
  if (type.kind === 'pointer') {
    addTo(object, name, value, type.elem);
    return;
  }
  if (type.kind === 'list') {
    const list = (object[name] ?? []) as JsonValue[];
    object[name] = [...list, wireToJson(value, type.elem)];
    return;
  }
  if (type.kind !== 'map') {
    object[name] = wireToJson(value, type);
    return;
  }
  const map = (object[name] ?? {}) as JsonObject;
  object[name] = map;
  let key = '';
  let member: WireValue | undefined;
  for (const entry of fieldsIn(bytesOf(value))) {
    if (entry.number === 1) key = bytesOf(entry.value).toString();
    else member = entry.value;
  }
  setMember(map, key, member === undefined ? zeroOf(type.elem) : entryOf(member, type.elem));
}

/** The value of a map's entry; a list is a message of its own there. */
function entryOf(value: WireValue, type: GoType): JsonValue {
  if (type.kind !== 'list') return wireToJson(value, type);
  return [...fieldsIn(bytesOf(value))].map((item) => wireToJson(item.value, type.elem));
}

function zeroOf(type: GoType): JsonValue {
  return type.kind === 'string' || type.kind === 'bytes' ? '' : type.kind === 'list' ? [] : {};
}

function wireToJson(value: WireValue, type: GoType): JsonValue {
  switch (type.kind) {
    case 'pointer':
      return wireToJson(value, type.elem);
    case 'string':
      return bytesOf(value).toString();
    case 'bytes':
      return bytesOf(value).toString('base64');
    case 'bool':
      return numberOf(value) !== 0n;
    case 'int32':
    case 'int64':
      return Number(numberOf(value));
    case 'float64':
      return bytesOf(value).readDoubleLE(0);
    case 'struct':
      return messageOf(bytesOf(value), type);
    case 'special':
      return SPECIAL[type.name](bytesOf(value));
    default:
      throw new ProtobufError(`a ${type.kind} stands where a value is expected`);
  }
}

/** The numbers in a message by their fields, and its texts. */
function partsOf(bytes: Buffer): Map<number, WireValue> {
  return new Map([...fieldsIn(bytes)].map(({ number, value }) => [number, value]));
}

function integerIn(parts: ReadonlyMap<number, WireValue>, number: number): number {
  const value = parts.get(number);
  return value === undefined ? 0 : Number(numberOf(value));
}

/** The seconds of Go's zero time, which stands for no time. */
const ZERO_SECONDS = -62_135_596_800;

function timeOf(bytes: Buffer, digits: 0 | 6): JsonValue {
  const parts = partsOf(bytes);
  const seconds = integerIn(parts, 1);
  if (parts.size === 0 || seconds === ZERO_SECONDS) return null;
  const text = new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length);
  const micros = String(Math.floor(integerIn(parts, 2) / 1000)).padStart(6, '0');
  return digits === 0 ? `${text}Z` : `${text}.${micros}Z`;
}

function rawOf(bytes: Buffer): JsonValue {
  const raw = partsOf(bytes).get(1);
  const text = raw === undefined ? '' : bytesOf(raw).toString();
  if (text === '') return null;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new ProtobufError('a raw value is no JSON');
  }
}

function intOrString(bytes: Buffer): JsonValue {
  const parts = partsOf(bytes);
  if (integerIn(parts, 1) === 0) return integerIn(parts, 2);
  const text = parts.get(3);
  return text === undefined ? '' : bytesOf(text).toString();
}

const SPECIAL: Readonly<Record<SpecialName, (bytes: Buffer) => JsonValue>> = {
  time: (bytes) => timeOf(bytes, 0),
  microtime: (bytes) => timeOf(bytes, 6),
  duration: (bytes) => `${integerIn(partsOf(bytes), 1)}ns`,
  raw: rawOf,
  quantity: (bytes) => textsIn(bytes)[0] ?? '0',
  intorstring: intOrString,
  schemaorarray: refuse,
  schemaorbool: refuse,
  schemaorstrings: refuse,
};

function refuse(): never {
  throw new ProtobufError('schemas are read as JSON alone');
}
