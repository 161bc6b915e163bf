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
    global('', [V], OPTIONAL_V, (value) => new Optional(value)),
  ),
  functionOf(
    'optional.ofNonZeroValue',
    global('', [V], OPTIONAL_V, (value) => (isZero(value) ? Optional.NONE : new Optional(value))),
  ),
  functionOf(
    'optional.none',
    global('', [], OPTIONAL_V, () => Optional.NONE),
  ),
  functionOf('value', member('', [OPTIONAL_V], V, heldValue)),
  functionOf(
    'hasValue',
    member('', [OPTIONAL_V], BOOL, (optional) => !isNone(optional)),
  ),
  functionOf('optional.unwrap', global('', [listOf(OPTIONAL_V)], listOf(V), unwrap)),
  functionOf('unwrapOpt', member('', [listOf(OPTIONAL_V)], listOf(V), unwrap)),
  functionOf('or', member('', [OPTIONAL_V, OPTIONAL_V], OPTIONAL_V)),
  functionOf('orValue', member('', [OPTIONAL_V, V], V)),
  functionOf(
    '_[?_]',
    global('', [listOf(V), INT], OPTIONAL_V),
    global('', [optionalOf(listOf(V)), INT], OPTIONAL_V),
    global('', [mapOf(K, V), K], OPTIONAL_V),
    global('', [optionalOf(mapOf(K, V)), K], OPTIONAL_V),
  ),
  functionOf(
    '_[_]',
    global('', [optionalOf(listOf(V)), INT], OPTIONAL_V),
    global('', [optionalOf(mapOf(K, V)), K], OPTIONAL_V),
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
