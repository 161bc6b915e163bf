import type { JsonValue } from '../object/json.ts';
import { zeroOf } from '../schema/decode.ts';
import type { GoField, GoType } from '../schema/go-types.ts';

/** What merging needs to know of a type, whether it is built in or comes from the schema of a custom resource. */
export type MergeType = ScalarType | ListType | MapType | UntypedType;

export interface ScalarType {
  readonly kind: 'scalar';
  readonly scalar: 'string' | 'numeric' | 'boolean' | 'untyped';
}

export interface ListType {
  readonly kind: 'list';
  readonly relation: 'atomic' | 'set' | readonly string[];
  readonly elem: MergeType;
}

export interface MapType {
  readonly kind: 'map';
  readonly isAtomic: boolean;
  /** The type of a declared member. */
  readonly field: (name: string) => MergeType | undefined;
  /** The type of other members; undefined: there are no others. */
  readonly elem: MergeType | undefined;
  /** The value of a key of a list item that does not give it. */
  readonly keyDefault: (name: string) => JsonValue | undefined;
}

/** Anything; objects are merged, lists are not. */
export interface UntypedType {
  readonly kind: 'untyped';
}

export const UNTYPED: UntypedType = { kind: 'untyped' };
export const UNTYPED_SCALAR: ScalarType = { kind: 'scalar', scalar: 'untyped' };
const STRING: ScalarType = { kind: 'scalar', scalar: 'string' };
const NUMERIC: ScalarType = { kind: 'scalar', scalar: 'numeric' };
const BOOLEAN: ScalarType = { kind: 'scalar', scalar: 'boolean' };

export const SCALAR_TYPES = { string: STRING, numeric: NUMERIC, boolean: BOOLEAN } as const;

const ofTypes = new WeakMap<GoType, MergeType>();
const ofFields = new WeakMap<GoField, MergeType>();

export function mergeTypeOf(type: GoType): MergeType {
  let made = ofTypes.get(type);
  if (made === undefined) {
    made = makeType(type, 'atomic', false);
    ofTypes.set(type, made);
  }
  return made;
}

function mergeTypeOfField(field: GoField): MergeType {
  let made = ofFields.get(field);
  if (made === undefined) {
    const { type } = field;
    made = type.kind === 'list' || type.kind === 'map' ? makeType(type, field.list, field.isAtomic) : mergeTypeOf(type);
    ofFields.set(field, made);
  }
  return made;
}

function makeType(type: GoType, list: GoField['list'], isAtomic: boolean): MergeType {
  switch (type.kind) {
    case 'pointer':
      return makeType(type.elem, list, isAtomic);
    case 'struct':
      return {
        kind: 'map',
        isAtomic: type.isAtomic,
        field: (name) => {
          const field = type.fields.get(name);
          return field === undefined ? undefined : mergeTypeOfField(field);
        },
        elem: undefined,
        keyDefault: (name) => keyDefault(type.fields.get(name)),
      };
    case 'list':
      return { kind: 'list', relation: list, elem: mergeTypeOf(type.elem) };
    case 'map':
      return {
        kind: 'map',
        isAtomic,
        field: () => undefined,
        elem: mergeTypeOf(type.elem),
        keyDefault: () => undefined,
      };
    case 'bool':
      return BOOLEAN;
    case 'int32':
    case 'int64':
    case 'float64':
      return NUMERIC;
    case 'special':
      if (type.name === 'quantity' || type.name === 'intorstring') return UNTYPED_SCALAR;
      return type.name === 'time' || type.name === 'microtime' || type.name === 'duration' ? STRING : UNTYPED;
    default:
      return STRING;
  }
}

/** Go writes members that are not left out when empty, so their empty value stands in for them. */
function keyDefault(field: GoField | undefined): JsonValue | undefined {
  if (field === undefined) return undefined;
  if (field.name === 'protocol') return 'TCP';
  return field.omitEmpty || field.type.kind === 'pointer' ? undefined : zeroOf(field.type);
}
