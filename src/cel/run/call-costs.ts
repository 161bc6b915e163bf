import { REGEX_FACTOR, TRAVERSAL_FACTOR } from '../values/estimates.ts';
import { CelError, isList, MapValue, type Outcome, sizeOf, type Value } from '../values/value.ts';

type CallCost = (args: readonly Outcome[], overload: string, result: Outcome) => number;

/** The size that costs are counted by; values without a size, and errors, count as one. */
function sized(value: Outcome | undefined): number {
  return (value === undefined || value instanceof CelError ? undefined : sizeOf(value)) ?? 1;
}

function walked(size: number): number {
  return Math.ceil(size * TRAVERSAL_FACTOR);
}

const one: CallCost = () => 1;
const walk: CallCost = ([text]) => walked(sized(text));
const walkTwice: CallCost = ([text]) => Math.ceil(sized(text) * 2 * TRAVERSAL_FACTOR);
const visitAll: CallCost = ([list]) => (list === undefined ? 0 : visit(list));

const search: CallCost = ([text, pattern]) =>
  Math.ceil((1 + sized(text)) * TRAVERSAL_FACTOR) * Math.ceil(sized(pattern) * REGEX_FACTOR);

/** Each part of a list or map counts; texts count by their bytes. */
function visit(value: Outcome): number {
  if (typeof value === 'string') return Math.floor(new TextEncoder().encode(value).length * TRAVERSAL_FACTOR);
  if (value instanceof Uint8Array) return Math.floor(value.length * TRAVERSAL_FACTOR);
  if (isList(value)) return value.reduce<number>((sum, element) => sum + visit(element), 0);
  if (!(value instanceof MapValue)) return 1;
  let sum = 0;
  for (const key of value.keys()) sum += visit(key) + visit(value.get(key) as Value);
  return sum;
}

function containsIn(parsed: string, extra: (cidrSize: number) => number): CallCost {
  return ([cidr, other], overload) => {
    const size = sized(cidr);
    const text = overload === parsed ? walked(sized(other)) : 0;
    return walked(2 * size) + extra(size) + text;
  };
}

/** What a call that makes a list costs beside the elements. */
const NEW_LIST = 11;

function newList(_args: readonly Outcome[], _overload: string, result: Outcome): number {
  return sized(result) + NEW_LIST;
}

/** Every element is compared with every other one. */
function comparedElements(list: Outcome | undefined): number {
  const [first] = list !== undefined && isList(list) ? list : [];
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  const size = first === undefined ? 0 : sized(list);
  return Math.floor(size * size * (isText ? 2 + TRAVERSAL_FACTOR : 2)) + NEW_LIST;
}

const setCost =
  (factor: number): CallCost =>
  ([a, b]) =>
    sized(a) * sized(b) * factor + 1;

/** Costs of library functions (apiserver/pkg/cel/library/cost.go, and extensions of cel-go). */
const BY_FUNCTION: Readonly<Record<string, CallCost>> = {
  isSorted: visitAll,
  sum: visitAll,
  max: visitAll,
  min: visitAll,
  indexOf: visitAll,
  lastIndexOf: visitAll,
  url: walk,
  lowerAscii: walk,
  upperAscii: walk,
  substring: walk,
  trim: walk,
  replace: walkTwice,
  split: walkTwice,
  join: (_args, _overload, result) => Math.ceil(sized(result) * 2 * TRAVERSAL_FACTOR),
  find: search,
  findAll: search,
  cidr: walk,
  isIP: walk,
  isCIDR: walk,
  ip: (args, overload, result) => (overload === 'cidr_ip' ? 1 : walk(args, overload, result)),
  'ip.isCanonical': walkTwice,
  containsIP: containsIn('cidr_contains_ip_string', () => 0),
  containsCIDR: containsIn('cidr_contains_cidr_string', (size) => walked(size) + 1),
  quantity: walk,
  isQuantity: walk,
  semver: walk,
  isSemver: walk,
  'strings.quote': walk,
  'lists.range': newList,
  'sets.contains': setCost(1),
  'sets.intersects': setCost(1),
  'sets.equivalent': setCost(2),
};

const smaller: CallCost = ([a, b]) => walked(Math.min(sized(a), sized(b)));

/** Costs of operators and functions of the language by overload (interpreter/runtimecost.go of cel-go). */
const BY_OVERLOAD: Readonly<Record<string, CallCost>> = {
  starts_with_string: walk,
  ends_with_string: walk,
  string_to_bytes: walk,
  bytes_to_string: walk,
  in_list: ([, list]) => sized(list),
  list_slice: newList,
  list_reverse: newList,
  list_flatten: ([list]) => sized(list) + NEW_LIST,
  list_flatten_int: ([list, depth]) => sized(list) * Math.max(0, Number(depth)) + NEW_LIST,
  list_distinct: ([list]) => comparedElements(list),
  equals: smaller,
  not_equals: smaller,
  add_string: ([a, b]) => walked(sized(a) + sized(b)),
  add_bytes: ([a, b]) => walked(sized(a) + sized(b)),
  matches_string: search,
  contains_string: ([text, part]) => walked(sized(text)) * walked(sized(part)),
};

const SORTING = /^list_[a-z]+_sort(ByAssociatedKeys)?$/;
const COMPARISON = /^(?:less|greater|less_equals|greater_equals)_(?:string|bytes)$/;

/** The function that counts the cost of a call; `overload` is empty if several are possible. */
export function callCost(name: string, overload: string): CallCost {
  const sorting = SORTING.exec(overload);
  if (sorting !== null) return (args) => comparedElements(args[sorting[1] === undefined ? 0 : 1]);
  return BY_FUNCTION[name] ?? BY_OVERLOAD[overload] ?? (COMPARISON.test(overload) ? smaller : one);
}
