import { goSort } from '../../lib/go-sort.ts';
import { type FunctionDeclaration, functionOf, global, member } from '../check/declarations.ts';
import { SORT_BY } from '../syntax/macros.ts';
import { compare, equal } from '../values/equality.ts';
import { Duration, Uint } from '../values/scalars.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  optionalOf,
  STRING,
  TIMESTAMP,
  typeParameter,
  UINT,
} from '../values/types.ts';
import { CelError, isList, MapValue, Optional, type Outcome, runtimeType, type Value } from '../values/value.ts';
import { arithmetic } from './arithmetic.ts';

const T = typeParameter('T');
const LIST_T = listOf(T);
const add = arithmetic[0]?.run as (a: Value, b: Value) => Outcome;

const ORDERED: readonly (readonly [string, CelType])[] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];
const SUMMED: readonly (readonly [string, CelType, Value])[] = [
  ['int', INT, 0n],
  ['uint', UINT, new Uint(0n)],
  ['double', DOUBLE, 0],
  ['duration', DURATION, new Duration(0n)],
];

function sum(list: Value, zero: Value): Outcome {
  let total: Outcome = zero;
  for (const element of list as Value[]) {
    if (total instanceof CelError) return total;
    total = add(total, element);
  }
  return total;
}

/**
 * The element before which no other comes, in an order that `sign` may turn. As upstream, elements without an order,
 * which lists of attributes may have, are passed over in silence.
 */
function extreme(list: Value, name: string, sign: 1 | -1): Outcome {
  const [first, ...rest] = list as Value[];
  if (first === undefined) return new CelError(`${name} called on empty list`);
  return rest.reduce((best, element) => (isBefore(element, best, sign) ? element : best), first);
}

function isSorted(list: Value): Outcome {
  const elements = list as Value[];
  return elements.every((element, i) => i === 0 || !isBefore(element, elements[i - 1] as Value, 1));
}

function isBefore(a: Value, b: Value, sign: 1 | -1): boolean {
  const order = compare(a, b);
  return typeof order === 'number' && order * sign < 0;
}

function positions(list: Value, wanted: Value): number[] {
  return [...(list as Value[]).keys()].filter((i) => equal((list as Value[])[i] as Value, wanted) === true);
}

function slice(list: Value, start: Value, end: Value): Outcome {
  const elements = list as Value[];
  const [from, to] = [Number(start), Number(end)];
  if (from < 0 || to < 0) return new CelError(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to)
    return new CelError(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (to > elements.length) return new CelError(`cannot slice(${from}, ${to}), list is length ${elements.length}`);
  return elements.slice(from, to);
}

function flatten(list: Value, depth: Value = 1n): Outcome {
  if ((depth as bigint) < 0n) return new CelError('level must be non-negative');
  return (list as Value[]).flatMap((element): Value[] => {
    return isList(element) && depth !== 0n ? (flatten(element, (depth as bigint) - 1n) as Value[]) : [element];
  });
}

/** The elements in the order of their keys, which have one type. */
function sorted(list: Value, keys = list): Outcome {
  const [elements, by] = [list as Value[], keys as Value[]];
  const [first] = by;
  const type = first === undefined ? null : runtimeType(first).name;
  if (by.some((key) => runtimeType(key).name !== type)) return new CelError('list elements must have the same type');
  const places = [...by.keys()];
  goSort(places, (a, b) => isBefore(by[a] as Value, by[b] as Value, 1));
  return places.map((place) => elements[place] as Value);
}

function distinct(list: Value): Outcome {
  const kept: Value[] = [];
  for (const element of list as Value[]) {
    if (!kept.some((other) => equal(other, element) === true)) kept.push(element);
  }
  return kept;
}

/** At most this many elements are compared by `includes`. */
const MOST_INCLUDED = 64;

/** Whether a list, a map's keys, or a single value includes the wanted value. */
function includes(container: Value, wanted: Value): Outcome {
  if (isList(container)) return container.slice(0, MOST_INCLUDED).some((element) => equal(element, wanted) === true);
  if (container instanceof MapValue) return container.has(wanted);
  return equal(container, wanted) === true;
}

/** Lists as Kubernetes and cel-go's extension of version 2 have them. */
export const listFunctions: readonly FunctionDeclaration[] = [
  functionOf(
    'isSorted',
    ...ORDERED.map(([name, type]) => member(`list_${name}_is_sorted_bool`, [listOf(type)], BOOL, isSorted)),
  ),
  functionOf(
    'sum',
    ...SUMMED.map(([name, type, zero]) =>
      member(`list_${name}_sum_${name}`, [listOf(type)], type, (list) => sum(list, zero)),
    ),
  ),
  functionOf(
    'max',
    ...ORDERED.map(([name, type]) =>
      member(`list_${name}_max_${name}`, [listOf(type)], type, (list) => extreme(list, 'max', -1)),
    ),
  ),
  functionOf(
    'min',
    ...ORDERED.map(([name, type]) =>
      member(`list_${name}_min_${name}`, [listOf(type)], type, (list) => extreme(list, 'min', 1)),
    ),
  ),
  functionOf(
    'indexOf',
    member('', [LIST_T, T], INT, (list, wanted) => BigInt(positions(list, wanted)[0] ?? -1)),
  ),
  functionOf(
    'lastIndexOf',
    member('', [LIST_T, T], INT, (list, wanted) => BigInt(positions(list, wanted).at(-1) ?? -1)),
  ),
  functionOf('slice', member('list_slice', [LIST_T, INT, INT], LIST_T, slice)),
  functionOf(
    'flatten',
    member('list_flatten', [listOf(LIST_T)], LIST_T, flatten),
    member('list_flatten_int', [listOf(DYN), INT], listOf(DYN), flatten),
  ),
  functionOf(
    'reverse',
    member('list_reverse', [LIST_T], LIST_T, (list) => [...(list as Value[])].reverse()),
  ),
  functionOf('distinct', member('list_distinct', [LIST_T], LIST_T, distinct)),
  functionOf(
    'first',
    member('', [LIST_T], optionalOf(T), (list) => new Optional((list as Value[])[0])),
  ),
  functionOf(
    'last',
    member('', [LIST_T], optionalOf(T), (list) => new Optional((list as Value[]).at(-1))),
  ),
  functionOf(
    'sort',
    ...ORDERED.map(([name, type]) => member(`list_${name}_sort`, [listOf(type)], listOf(type), (list) => sorted(list))),
  ),
  functionOf(
    SORT_BY,
    ...ORDERED.map(([name, type]) =>
      member(`list_${name}_sortByAssociatedKeys`, [LIST_T, listOf(type)], LIST_T, sorted),
    ),
  ),
  functionOf(
    'lists.range',
    global('', [INT], listOf(INT), (count) => Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i))),
  ),
  functionOf('includes', member('includes', [DYN, DYN], BOOL, includes)),
];

function containsAll(a: readonly Value[], b: readonly Value[]): boolean {
  return b.every((element) => a.some((other) => equal(other, element) === true));
}

/** Sets as cel-go's extension has them. */
export const setFunctions: readonly FunctionDeclaration[] = [
  functionOf(
    'sets.contains',
    global('', [LIST_T, LIST_T], BOOL, (a, b) => containsAll(a as Value[], b as Value[])),
  ),
  functionOf(
    'sets.equivalent',
    global(
      '',
      [LIST_T, LIST_T],
      BOOL,
      (a, b) => containsAll(a as Value[], b as Value[]) && containsAll(b as Value[], a as Value[]),
    ),
  ),
  functionOf(
    'sets.intersects',
    global('', [LIST_T, LIST_T], BOOL, (a, b) =>
      (a as Value[]).some((element) => (b as Value[]).some((other) => equal(element, other) === true)),
    ),
  ),
];
