import { type FunctionDeclaration, functionOf, global } from '../check/declarations.ts';
import { mapOf, typeParameter } from '../values/types.ts';
import { CelError, EntryMap, type MapValue, type Outcome, type Value } from '../values/value.ts';

const K = typeParameter('K');
const V = typeParameter('V');
const MAP = mapOf(K, V);

function entriesOf(map: MapValue): (readonly [Value, Value])[] {
  return [...map.keys()].map((key) => [key, map.get(key) as Value]);
}

function inserted(map: Value, added: readonly (readonly [Value, Value])[]): Outcome {
  const known = map as MapValue;
  for (const [key] of added) {
    if (known.has(key)) return new CelError(`insert failed: key ${String(key)} already exists`);
  }
  return new EntryMap([...entriesOf(known), ...added]);
}

/** What macros that make maps add entries with; a key may be added once. */
export const mapFunctions: readonly FunctionDeclaration[] = [
  functionOf(
    'cel.@mapInsert',
    global('', [MAP, MAP], MAP, (map, other) => inserted(map, entriesOf(other as MapValue))),
    global('', [MAP, K, V], MAP, (map, key, value) => inserted(map, [[key, value]])),
  ),
];
