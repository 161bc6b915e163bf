import { parseDuration, parseTimestamp } from '../../cel/values/times.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  STRING,
  TIMESTAMP,
} from '../../cel/values/types.ts';
import { CelError, EntryMap, type Value } from '../../cel/values/value.ts';
import { objectAt, textAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';

/**
 * What rules see of a value that a structural schema describes (apiserver/pkg/cel/common: SchemaDeclType and
 * UnstructuredToVal). Values of which the schema says nothing are not visible.
 */
export interface SchemaTypes {
  readonly type: CelType;
  /** Fields of object types, by the name of the type. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, CelType>>;
}

const RESERVED = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import'],
  ...['let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
]);
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '.': '__dot__', '-': '__dash__', '/': '__slash__' },
};

/** The name by which rules reach a property; undefined for one that they cannot reach. */
function celName(property: string): string | undefined {
  if (RESERVED.has(property)) return `__${property}__`;
  const escaped = property.replace(/__|[.\-/]/g, (part) => ESCAPES[part] ?? '__underscores__');
  return /^[A-Za-z_]\w*$/.test(escaped) ? escaped : undefined;
}

/** The types of a schema; undefined if rules can see nothing of it. `isRoot`: of a whole resource. */
export function typesOfSchema(schema: JsonObject, isRoot: boolean): SchemaTypes | undefined {
  const fields = new Map<string, ReadonlyMap<string, CelType>>();
  const type = typeOfSchema(schema, isRoot, 'root', fields);
  return type === undefined ? undefined : { type, fields };
}

function typeOfSchema(
  schema: JsonObject,
  isRoot: boolean,
  name: string,
  fields: Map<string, ReadonlyMap<string, CelType>>,
): CelType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return DYN;
  switch (textAt(schema, 'type')) {
    case 'array': {
      const items = objectAt(schema, 'items');
      const element =
        items === undefined ? undefined : typeOfSchema(items, isEmbedded(items), `${name}.@items`, fields);
      return element === undefined ? undefined : listOf(element);
    }
    case 'object':
      return typeOfObject(schema, isRoot, name, fields);
    case 'string':
      return TEXT_TYPES[textAt(schema, 'format')] ?? STRING;
    case 'boolean':
      return BOOL;
    case 'integer':
      return INT;
    case 'number':
      return DOUBLE;
    default:
      return undefined;
  }
}

const TEXT_TYPES: Readonly<Record<string, CelType>> = {
  ...{ byte: BYTES, duration: DURATION, date: TIMESTAMP, 'date-time': TIMESTAMP },
};

function isEmbedded(schema: JsonObject): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

function typeOfObject(
  schema: JsonObject,
  isRoot: boolean,
  name: string,
  fields: Map<string, ReadonlyMap<string, CelType>>,
): CelType | undefined {
  const additional = schema['additionalProperties'];
  if (isJsonObject(additional)) {
    const value = typeOfSchema(additional, isEmbedded(additional), `${name}.@values`, fields);
    return value === undefined ? undefined : mapOf(STRING, value);
  }
  const members = new Map<string, CelType>();
  const properties = objectAt(schema, 'properties') ?? {};
  for (const property of Object.keys(properties)) {
    const part = objectAt(properties, property) ?? {};
    const type = typeOfSchema(part, isEmbedded(part), `${name}.${property}`, fields);
    const shown = celName(property);
    if (type !== undefined && shown !== undefined) members.set(shown, type);
  }
  if (isRoot) {
    members
      .set('kind', STRING)
      .set('apiVersion', STRING)
      .set('metadata', objectType(`${name}.metadata`));
    fields.set(
      `${name}.metadata`,
      new Map([
        ['name', STRING],
        ['generateName', STRING],
      ]),
    );
  }
  fields.set(name, members);
  return objectType(name);
}

/** The value as rules see it. */
export function celValue(value: JsonValue | undefined, schema: JsonObject, isRoot: boolean): Value {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items') ?? {};
    return value.map((item) => celValue(item, items, isEmbedded(items)));
  }
  if (isJsonObject(value)) return celMap(value, schema, isRoot);
  if (typeof value === 'number') {
    return textAt(schema, 'type') !== 'number' && Number.isInteger(value) ? BigInt(value) : value;
  }
  return typeof value === 'string' ? celText(value, textAt(schema, 'format')) : value;
}

function celMap(value: JsonObject, schema: JsonObject, isRoot: boolean): Value {
  const additional = schema['additionalProperties'];
  if (isJsonObject(additional)) {
    return new EntryMap(
      Object.entries(value).map(([name, member]) => [name, celValue(member, additional, isEmbedded(additional))]),
    );
  }
  const properties = objectAt(schema, 'properties') ?? {};
  const entries: [Value, Value][] = [];
  for (const [name, member] of Object.entries(value)) {
    const part = objectAt(properties, name) ?? (isRoot ? HEAD[name] : undefined);
    const shown = celName(name);
    if (part === undefined || shown === undefined || member === undefined) continue;
    entries.push([shown, celValue(member, part, isEmbedded(part))]);
  }
  return new EntryMap(entries);
}

const TEXT: JsonObject = { type: 'string' };
const HEAD: Readonly<Record<string, JsonObject>> = {
  ...{ kind: TEXT, apiVersion: TEXT },
  metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
};

function celText(text: string, format: string): Value {
  if (format === 'byte') return new Uint8Array(Buffer.from(text, 'base64'));
  const parsed =
    format === 'duration'
      ? parseDuration(text)
      : format === 'date-time'
        ? parseTimestamp(text)
        : format === 'date'
          ? parseTimestamp(`${text}T00:00:00Z`)
          : text;
  return parsed instanceof CelError ? text : (parsed as Value);
}
