import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { Uint } from '../values/scalars.ts';
import { BOOL, INT, listOf, mapOf, optionalOf, typeParameter } from '../values/types.ts';
import { CelError, isList, MapValue, Optional, type Outcome, type Value } from '../values/value.ts';

const K = typeParameter('K');
const V = typeParameter('V');
const OPTIONAL_V = optionalOf(V);

const heldValue = (optional: Value): Outcome =>
  (optional as Optional).value ?? (isNone(optional) ? new CelError('optional.none() dereference') : null);

function isNone(optional: Value): boolean {
  return (optional as Optional).value === undefined;
}

/** Optional values; selections, `or` and `orValue` are steps of their own. */
export const optionalFunctions: readonly FunctionDeclaration[] = [
  functionOf(
    'optional.of',
    global('optional_of', [V], OPTIONAL_V, (value) => new Optional(value)),
  ),
  functionOf(
    'optional.ofNonZeroValue',
    global('optional_ofNonZeroValue', [V], OPTIONAL_V, (value) =>
      isZero(value) ? Optional.NONE : new Optional(value),
    ),
  ),
  functionOf(
    'optional.none',
    global('optional_none', [], OPTIONAL_V, () => Optional.NONE),
  ),
  functionOf('value', member('optional_value', [OPTIONAL_V], V, heldValue)),
  functionOf(
    'hasValue',
    member('optional_hasValue', [OPTIONAL_V], BOOL, (optional) => !isNone(optional)),
  ),
  functionOf('optional.unwrap', global('optional_unwrap', [listOf(OPTIONAL_V)], listOf(V), unwrap)),
  functionOf('unwrapOpt', member('optional_unwrapOpt', [listOf(OPTIONAL_V)], listOf(V), unwrap)),
  functionOf('or', member('optional_or_optional', [OPTIONAL_V, OPTIONAL_V], OPTIONAL_V)),
  functionOf('orValue', member('optional_orValue_value', [OPTIONAL_V, V], V)),
  functionOf(
    '_[?_]',
    global('list_optindex_optional_int', [listOf(V), INT], OPTIONAL_V),
    global('optional_list_optindex_optional_int', [optionalOf(listOf(V)), INT], OPTIONAL_V),
    global('map_optindex_optional_value', [mapOf(K, V), K], OPTIONAL_V),
    global('optional_map_optindex_optional_value', [optionalOf(mapOf(K, V)), K], OPTIONAL_V),
  ),
  functionOf(
    '_[_]',
    global('optional_list_index_int', [optionalOf(listOf(V)), INT], OPTIONAL_V),
    global('optional_map_index_value', [optionalOf(mapOf(K, V)), K], OPTIONAL_V),
  ),
];

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof Uint) return value.value === 0n;
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  return value instanceof MapValue && value.size === 0;
}

/** The values of the optionals that have one. */
function unwrap(list: Value): Outcome {
  return (list as Optional[]).flatMap(({ value }) => (value === undefined ? [] : [value]));
}
