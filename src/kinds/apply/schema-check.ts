import { isJsonObject, type JsonValue } from '../object/json.ts';
import { jsonKind } from '../schema/decode.ts';
import { goValueText } from '../schema/go-value-text.ts';
import { elementText } from './field-set.ts';
import type { MergeType, ScalarType } from './merge-type.ts';
import { elementOf, memberTypeOf, type Value } from './typed-value.ts';

/** What does not fit the type of an applied object: `.spec.oops: field not declared in schema`. */
export function schemaProblems(value: Value, type: MergeType, path = ''): string[] {
  if (value === undefined || value === null || type.kind === 'untyped') return [];
  if (type.kind === 'scalar') return scalarProblems(value, type, path);
  if (type.kind === 'list') {
    if (!Array.isArray(value)) return [`${path}: expected list, got ${shown(value)}`];
    const problems: string[] = [];
    const seen = new Set<string>();
    for (const [index, item] of value.entries()) {
      const element = elementOf(type, item);
      if (element === undefined && type.relation !== 'atomic') {
        problems.push(`${path}: element ${index}: ${keyProblem(type.relation, item)}`);
        continue;
      }
      if (element !== undefined && seen.has(element)) {
        problems.push(`${path}: duplicate entries for key ${elementText(element)}`);
      }
      if (element !== undefined) seen.add(element);
      const itemPath = path + (element === undefined ? `[${index}]` : elementText(element));
      problems.push(...schemaProblems(item, type.elem, itemPath));
    }
    return problems;
  }
  if (!isJsonObject(value)) return [`${path}: expected map, got ${shown(value)}`];
  return Object.entries(value).flatMap(([name, member]) => {
    const memberPath = `${path}.${name}`;
    if (type.field(name) === undefined && type.elem === undefined)
      return [`${memberPath}: field not declared in schema`];
    return schemaProblems(member, memberTypeOf(type, name), memberPath);
  });
}

function keyProblem(relation: 'set' | readonly string[], item: JsonValue): string {
  if (!isJsonObject(item)) return `associative list with keys may not have non-map elements`;
  const keys = relation === 'set' ? [] : relation;
  if (keys.length === 1) {
    const key = JSON.stringify(keys[0]);
    return `associative list with keys has an element that omits key field ${key} (and doesn't have default value)`;
  }
  const list = `[${keys.map((key) => JSON.stringify(key)).join(' ')}]`;
  const otherwise = "(or doesn't have default values for any of the key fields)";
  return `associative list with keys has an element that omits all key fields ${list} ${otherwise}`;
}

function scalarProblems(value: JsonValue, { scalar }: ScalarType, path: string): string[] {
  if (typeof value === 'object' && scalar !== 'untyped')
    return [`${path}: expected ${SHOWN[scalar]}, got ${shown(value)}`];
  const kind = jsonKind(value);
  if (scalar === 'untyped') {
    return kind === 'array' || kind === 'object' ? [`${path}: expected any scalar, got ${shown(value)}`] : [];
  }
  const fits = { string: 'string', numeric: 'number', boolean: 'bool' }[scalar] === kind;
  return fits ? [] : [`${path}: expected ${SHOWN[scalar]}, got ${shown(value)}`];
}

const SHOWN = {
  string: 'string',
  numeric: 'numeric (int or float)',
  boolean: 'boolean',
  untyped: 'any scalar',
} as const;

function shown(value: JsonValue): string {
  return `&value.valueUnstructured{Value:${goSyntax(value)}}`;
}

/** Go's `%#v` of a value. */
function goSyntax(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return goValueText(value);
  const members = Object.keys(value).sort();
  const texts = members.map((key) => `${JSON.stringify(key)}:${goSyntax(value[key] ?? null)}`);
  return `map[string]interface {}{${texts.join(', ')}}`;
}
