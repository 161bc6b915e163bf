import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { setMember } from '../schema/decode.ts';
import { FieldSet } from './field-set.ts';
import type { ListType, MapType, MergeType } from './merge-type.ts';

/**
 * Operations on values of a type, as in sigs.k8s.io/structured-merge-diff/typed. `undefined` is a value that is not
 * there; null is a value.
 */
export type Value = JsonValue | undefined;

/** What a value is merged as. Untyped values are what they look like: objects are merged, lists are one value. */
export type Shape = { readonly as: 'leaf' } | { readonly as: 'list'; readonly type: ListType } | MapShape;

interface MapShape {
  readonly as: 'map';
  readonly type: MapType;
}

const LEAF: Shape = { as: 'leaf' };
const UNTYPED_MAP: MapType = {
  kind: 'map',
  isAtomic: false,
  field: () => undefined,
  elem: { kind: 'untyped' },
  keyDefault: () => undefined,
};

export function shapeOf(type: MergeType, ...values: readonly Value[]): Shape {
  if (type.kind === 'list') return type.relation === 'atomic' ? LEAF : { as: 'list', type };
  if (type.kind === 'map') return type.isAtomic ? LEAF : { as: 'map', type };
  if (type.kind === 'scalar') return LEAF;
  const present = values.filter((value) => value !== undefined);
  return present.length > 0 && present.every(isJsonObject) ? { as: 'map', type: UNTYPED_MAP } : LEAF;
}

export function memberTypeOf(type: MapType, name: string): MergeType {
  return type.field(name) ?? type.elem ?? { kind: 'untyped' };
}

/** The element by which an item of a list is known; undefined for one without any of its keys. */
export function elementOf(type: ListType, item: JsonValue): string | undefined {
  if (type.relation === 'set') return `v:${JSON.stringify(item)}`;
  if (type.relation === 'atomic' || !isJsonObject(item)) return undefined;
  const keys: JsonObject = {};
  for (const key of [...type.relation].sort()) {
    const given = item[key];
    const value = given === undefined && type.elem.kind === 'map' ? type.elem.keyDefault(key) : given;
    if (value !== undefined) keys[key] = value;
  }
  return Object.keys(keys).length === 0 ? undefined : `k:${JSON.stringify(keys)}`;
}

export function itemsOf(value: Value): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** The fields that a value gives. */
export function fieldSetOf(value: Value, type: MergeType): FieldSet {
  const members: string[] = [];
  const children: [string, FieldSet][] = [];
  const shape = shapeOf(type, value);
  if (shape.as === 'list') {
    for (const item of itemsOf(value)) {
      const element = elementOf(shape.type, item);
      if (element === undefined) continue;
      members.push(element);
      addChild(children, members, element, item, shape.type.elem);
    }
  } else if (shape.as === 'map' && isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const element = `f:${name}`;
      addChild(children, members, element, member, memberTypeOf(shape.type, name));
      const isEmpty = member === null || (isJsonObject(member) && Object.keys(member).length === 0);
      if (isEmpty || shape.type.field(name) === undefined) members.push(element);
    }
  }
  return new FieldSet(members, children);
}

function addChild(
  children: [string, FieldSet][],
  members: string[],
  element: string,
  value: Value,
  type: MergeType,
): void {
  const shape = shapeOf(type, value);
  if (shape.as === 'leaf') members.push(element);
  else children.push([element, fieldSetOf(value, type)]);
}

/** The set with every declared member on the way to its fields, so that removing the fields removes these as well. */
export function withNamedFields(set: FieldSet, type: MergeType): FieldSet {
  const members = new Set(set.members);
  const children: [string, FieldSet][] = [];
  for (const [element, child] of set.children) {
    const name = element.startsWith('f:') ? element.slice(2) : undefined;
    const isDeclared = name !== undefined && type.kind === 'map' && type.field(name) !== undefined;
    if (isDeclared) members.add(element);
    children.push([element, withNamedFields(child, belowOf(type, name))]);
  }
  return new FieldSet(members, children);
}

function belowOf(type: MergeType, name: string | undefined): MergeType {
  if (type.kind === 'map' && name !== undefined) return memberTypeOf(type, name);
  return type.kind === 'list' ? type.elem : { kind: 'untyped' };
}

/** The value without the fields of the set. */
export function withoutFields(value: JsonValue, set: FieldSet, type: MergeType): JsonValue {
  const shape = shapeOf(type, value);
  if (shape.as === 'list') {
    const items = itemsOf(value).flatMap((item) => {
      const element = elementOf(shape.type, item);
      if (element === undefined) return [item];
      if (set.members.has(element)) return [];
      const below = set.children.get(element);
      return [below === undefined ? item : withoutFields(item, below, shape.type.elem)];
    });
    return items.length === 0 ? null : items;
  }
  if (shape.as === 'leaf' || !isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const element = `f:${name}`;
    if (member === undefined || set.members.has(element)) continue;
    const below = set.children.get(element);
    const type = memberTypeOf(shape.type, name);
    setMember(result, name, below === undefined ? member : withoutFields(member, below, type));
  }
  return Object.keys(result).length === 0 ? null : result;
}
