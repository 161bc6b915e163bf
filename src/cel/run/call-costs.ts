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
  'lists.range': (_args, _overload, result) => sized(result) + 11,
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
  equals: smaller,
  not_equals: smaller,
  add_string: ([a, b]) => walked(sized(a) + sized(b)),
  add_bytes: ([a, b]) => walked(sized(a) + sized(b)),
  matches_string: search,
  contains_string: ([text, part]) => walked(sized(text)) * walked(sized(part)),
};

const COMPARISON = /^(?:less|greater|less_equals|greater_equals)_(?:string|bytes)$/;

/** The function that counts the cost of a call; `overload` is empty if several are possible. */
export function callCost(name: string, overload: string): CallCost {
  return BY_FUNCTION[name] ?? BY_OVERLOAD[overload] ?? (COMPARISON.test(overload) ? smaller : one);
}
