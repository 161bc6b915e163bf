import { type FunctionDeclaration, functionOf, global, member, type Overload } from '../check/declarations.ts';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from '../values/conversions.ts';
import { compare, equal } from '../values/equality.ts';
import { compiledRegex } from '../values/regex.ts';
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
  STRING,
  TIMESTAMP,
  typeOf,
  typeParameter,
  UINT,
} from '../values/types.ts';
import {
  CelError,
  isList,
  MapValue,
  NO_SUCH_OVERLOAD,
  type Outcome,
  runtimeType,
  sizeOf,
  type Value,
} from '../values/value.ts';
import { arithmetic } from './arithmetic.ts';

const T = typeParameter('T');
const K = typeParameter('K');
const NO_ORDER = new CelError('NaN values cannot be ordered');

/** Names of types as overloads spell them. */
const NAMED: readonly (readonly [string, CelType])[] = [
  ['bool', BOOL],
  ['int64', INT],
  ['uint64', UINT],
  ['double', DOUBLE],
  ['string', STRING],
  ['bytes', BYTES],
  ['timestamp', TIMESTAMP],
  ['duration', DURATION],
];
const NUMBERS = NAMED.slice(1, 4);

/** Numbers of different types have an order, too. */
function orderOverloads(name: string): Overload[] {
  const same = NAMED.map(([type, cel]) => global(`${name}_${type}`, [cel, cel], BOOL));
  const mixed = NUMBERS.flatMap(([a, left]) =>
    NUMBERS.filter(([b]) => a !== b).map(([b, right]) => global(`${name}_${a}_${b}`, [left, right], BOOL)),
  );
  return [...same, ...mixed];
}

function order(operator: string, name: string, holds: (order: number) => boolean): FunctionDeclaration {
  const run = (a: Value, b: Value): Outcome => {
    const result = compare(a, b);
    if (typeof result !== 'number') return result;
    return Number.isNaN(result) ? NO_ORDER : holds(result);
  };
  return { name: operator, overloads: orderOverloads(name), run };
}

const size = (value: Value): Outcome => {
  const count = sizeOf(value);
  return count === undefined ? NO_SUCH_OVERLOAD : BigInt(count);
};

function textual(name: string, id: string, holds: (text: string, part: string) => boolean): FunctionDeclaration {
  const run = (text: Value, part: Value): Outcome =>
    typeof text === 'string' && typeof part === 'string' ? holds(text, part) : NO_SUCH_OVERLOAD;
  return { name, overloads: [member(id, [STRING, STRING], BOOL)], run };
}

function isIn(value: Value, container: Value): Outcome {
  if (container instanceof MapValue) return container.has(value);
  if (!isList(container)) return NO_SUCH_OVERLOAD;
  return container.some((element) => equal(value, element) === true);
}

function conversion(
  name: string,
  result: CelType,
  convert: (value: Value) => Outcome,
  from: readonly (readonly [string, CelType])[],
): FunctionDeclaration {
  return functionOf(name, ...from.map(([type, cel]) => global(`${type}_to_${name}`, [cel], result, convert)));
}

function named(...names: string[]): readonly (readonly [string, CelType])[] {
  return NAMED.filter(([name]) => names.includes(name));
}

/** The operators and functions of the language (common/stdlib of cel-go), times apart. */
export const standardFunctions: readonly FunctionDeclaration[] = [
  functionOf('_&&_', global('logical_and', [BOOL, BOOL], BOOL)),
  functionOf('_||_', global('logical_or', [BOOL, BOOL], BOOL)),
  functionOf('_?_:_', global('conditional', [BOOL, T, T], T)),
  functionOf('@not_strictly_false', global('not_strictly_false', [BOOL], BOOL)),
  {
    name: '!_',
    overloads: [global('', [BOOL], BOOL)],
    run: (value) => (typeof value === 'boolean' ? !value : NO_SUCH_OVERLOAD),
  },
  { name: '_==_', overloads: [global('equals', [T, T], BOOL)], run: equal },
  {
    name: '_!=_',
    overloads: [global('not_equals', [T, T], BOOL)],
    run: (a, b) => {
      const isEqual = equal(a, b);
      return typeof isEqual === 'boolean' ? !isEqual : isEqual;
    },
  },
  order('_<_', 'less', (result) => result < 0),
  order('_<=_', 'less_equals', (result) => result <= 0),
  order('_>_', 'greater', (result) => result > 0),
  order('_>=_', 'greater_equals', (result) => result >= 0),
  {
    name: '@in',
    overloads: [global('in_list', [T, listOf(T)], BOOL), global('', [K, mapOf(K, T)], BOOL)],
    run: isIn,
  },
  functionOf('_[_]', global('index_list', [listOf(T), INT], T), global('index_map', [mapOf(K, T), K], T)),
  {
    name: 'size',
    overloads: [
      ...(
        [
          ['bytes', BYTES],
          ['list', listOf(T)],
          ['map', mapOf(K, T)],
          ['string', STRING],
        ] as const
      ).flatMap(([name, type]) => [global(`size_${name}`, [type], INT), member(`${name}_size`, [type], INT)]),
    ],
    run: size,
  },
  textual('contains', 'contains_string', (text, part) => text.includes(part)),
  textual('startsWith', 'starts_with_string', (text, part) => text.startsWith(part)),
  textual('endsWith', 'ends_with_string', (text, part) => text.endsWith(part)),
  {
    name: 'matches',
    overloads: [global('matches', [STRING, STRING], BOOL), member('matches_string', [STRING, STRING], BOOL)],
    run: matches,
  },
  { name: 'type', overloads: [global('type', [T], typeOf(T))], run: runtimeType },
  { name: 'dyn', overloads: [global('', [T], DYN)], run: (value) => value },
  conversion('bool', BOOL, toBool, named('bool', 'string')),
  conversion('bytes', BYTES, toBytes, named('bytes', 'string')),
  conversion('double', DOUBLE, toDouble, named('double', 'int64', 'string', 'uint64')),
  conversion('duration', DURATION, toDuration, named('duration', 'int64', 'string')),
  conversion('int', INT, toInt, named('int64', 'double', 'duration', 'string', 'timestamp', 'uint64')),
  conversion('string', STRING, toText, NAMED),
  conversion('timestamp', TIMESTAMP, toTimestamp, named('timestamp', 'int64', 'string')),
  conversion('uint', UINT, toUint, named('uint64', 'double', 'int64', 'string')),
  ...arithmetic,
];

function matches(text: Value, pattern: Value): Outcome {
  if (typeof text !== 'string' || typeof pattern !== 'string') return NO_SUCH_OVERLOAD;
  try {
    return compiledRegex(pattern).matcher(text).find();
  } catch (error) {
    return new CelError(error instanceof Error ? error.message : String(error));
  }
}
