import type { Expression } from '../syntax/expression.ts';
import { SORT_BY } from '../syntax/macros.ts';
import {
  type CostEstimate,
  fixed,
  plus,
  REGEX_FACTOR,
  type SizeEstimate,
  scaled,
  TRAVERSAL_FACTOR,
  times,
  UNKNOWN,
} from '../values/estimates.ts';
import type { CelType } from '../values/types.ts';

/** An argument of a call whose cost is estimated. */
export interface SizedExpression {
  readonly expression: Expression;
  readonly type: CelType;
  /** Null where nothing is known. */
  readonly size: SizeEstimate | null;
  /** The size of an element of the list, as far as it is known. */
  readonly elementSize: SizeEstimate | null;
}

export interface CallEstimate {
  readonly cost: CostEstimate;
  readonly resultSize?: SizeEstimate;
}

/** A call, with the target apart from the arguments. */
export interface EstimatedCall {
  readonly overload: string;
  readonly target: SizedExpression | null;
  readonly args: readonly SizedExpression[];
}

type Estimator = (call: EstimatedCall) => CallEstimate | null;

/** The most elements at which `includes` looks. */
const INCLUDES_COST = 48;
const ONE: Estimator = () => ({ cost: fixed(1) });

function sizeOrUnknown(sized: SizedExpression | undefined | null): SizeEstimate {
  return sized?.size ?? UNKNOWN;
}

/** The cost of walking the first argument, or the target of a member, a number of times. */
function traversal(factor: number, hasResult: boolean): Estimator {
  return ({ target, args }) => {
    const size = sizeOrUnknown(target ?? args[0]);
    const cost = scaled(size, factor * TRAVERSAL_FACTOR);
    return hasResult ? { cost, resultSize: size } : { cost };
  };
}

const elementWise: Estimator = ({ target }) => {
  if (target === null) return null;
  if (target.type.parameters.length === 0) return { cost: scaled(sizeOrUnknown(target), TRAVERSAL_FACTOR) };
  const element = target.type.parameters[0];
  const isText = element?.kind === 'string' || element?.kind === 'bytes';
  const each = isText ? plus(fixed(1), scaled(target.elementSize ?? UNKNOWN, TRAVERSAL_FACTOR)) : fixed(1);
  return { cost: times(sizeOrUnknown(target), each) };
};

const split: Estimator = ({ target }) => {
  if (target === null) return null;
  const size = sizeOrUnknown(target);
  return { cost: scaled(size, 2 * TRAVERSAL_FACTOR), resultSize: { min: 0n, max: size.max } };
};

const join: Estimator = ({ target, args: [separator] }) => {
  if (target === null) return null;
  const list = sizeOrUnknown(target);
  let size = target.type.parameters.length > 0 ? times(list, target.elementSize ?? UNKNOWN) : fixed(0);
  if (separator !== undefined) {
    const less = (count: bigint): bigint => (count > 0n ? count - 1n : 0n);
    size = plus(size, times(sizeOrUnknown(separator), { min: less(list.min), max: less(list.max) }));
  }
  return { cost: scaled(size, TRAVERSAL_FACTOR), resultSize: size };
};

const find: Estimator = ({ target, args: [pattern] }) => {
  if (target === null) return null;
  const size = sizeOrUnknown(target);
  const text = scaled(plus(size, fixed(1)), TRAVERSAL_FACTOR);
  const cost = times(text, scaled(sizeOrUnknown(pattern), REGEX_FACTOR));
  return { cost, resultSize: { min: 0n, max: size.max } };
};

const replace: Estimator = ({ target, args: [from, to] }) => {
  if (target === null) return null;
  const [size, found, put] = [target, from, to].map((sized) => sizeOrUnknown(sized)) as [
    SizeEstimate,
    SizeEstimate,
    SizeEstimate,
  ];
  const cost = scaled(size, 2 * TRAVERSAL_FACTOR);
  return { cost, resultSize: { min: smallest(size, found, put), max: largest(size, found, put) } };
};

/** The longest text that replacing may give: an empty text is found around every character. */
function largest(size: SizeEstimate, found: SizeEstimate, put: SizeEstimate): bigint {
  const { max } = size;
  if (found.min === 0n) return plus(times(fixed(max + 1n), put), fixed(max)).max;
  if (put.max <= found.min) return max;
  return times(fixed((max + found.min - 1n) / found.min), put).max;
}

function smallest(size: SizeEstimate, found: SizeEstimate, put: SizeEstimate): bigint {
  const { min } = size;
  if (found.max === 0n) return plus(times(fixed(min + 1n), put), fixed(min)).min;
  if (found.max <= put.min) return min;
  return times(fixed((min + found.max - 1n) / found.max), put).min;
}

/** An address has 4 or 16 bytes, and both texts are compared. */
function contains(base: CostEstimate, parsed: string): Estimator {
  return ({ target, overload, args }) => {
    if (target === null) return null;
    const isText = overload === parsed;
    return { cost: isText ? plus(base, scaled(sizeOrUnknown(args[0]), TRAVERSAL_FACTOR)) : base };
  };
}

const ADDRESSES: SizeEstimate = { min: 8n, max: 32n };
const CONTAINS_IP = scaled(ADDRESSES, TRAVERSAL_FACTOR);
const CONTAINS_CIDR = plus(plus(CONTAINS_IP, scaled({ min: 4n, max: 16n }, TRAVERSAL_FACTOR)), fixed(1));

/** What a call that makes a list costs beside the elements. */
const NEW_LIST = fixed(11);
/** The most that a number of elements can be. */
const NO_LIMIT = UNKNOWN.max;

/** A list is made, at a price for each of so many elements. */
function newList(size: SizeEstimate, factor = 1): CallEstimate {
  return { cost: plus(scaled(size, factor), NEW_LIST), resultSize: size };
}

function integerIn(sized: SizedExpression | undefined, otherwise: bigint): bigint {
  const { expression } = sized ?? {};
  if (expression?.kind !== 'literal' || typeof expression.value !== 'bigint') return otherwise;
  return expression.value < 0n ? 0n : expression.value;
}

/** Every element is compared with every other one, as far as is known. */
function comparedElements(keys: SizedExpression | undefined | null, overload: string): CallEstimate {
  const size = sizeOrUnknown(keys);
  return newList(times(size, size), /^list_(?:string|bytes)_/.test(overload) ? 2 + TRAVERSAL_FACTOR : 2);
}

/** The functions of Kubernetes' libraries (apiserver/pkg/cel/library/cost.go) and of cel-go's extensions. */
const ESTIMATORS: Readonly<Record<string, Estimator>> = {
  isSorted: elementWise,
  sum: elementWise,
  max: elementWise,
  min: elementWise,
  indexOf: elementWise,
  lastIndexOf: elementWise,
  url: traversal(1, false),
  lowerAscii: traversal(1, true),
  upperAscii: traversal(1, true),
  substring: traversal(1, true),
  trim: traversal(1, true),
  replace,
  split,
  join,
  find,
  findAll: find,
  cidr: traversal(1, false),
  isIP: traversal(1, false),
  isCIDR: traversal(1, false),
  ip: (call) => (call.overload === 'cidr_ip' ? { cost: fixed(1) } : traversal(1, false)(call)),
  'ip.isCanonical': traversal(2, false),
  containsIP: contains(CONTAINS_IP, 'cidr_contains_ip_string'),
  containsCIDR: contains(CONTAINS_CIDR, 'cidr_contains_cidr_string'),
  quantity: traversal(1, false),
  isQuantity: traversal(1, false),
  semver: traversal(1, false),
  isSemver: traversal(1, false),
  'strings.quote': ({ args }) => {
    const size = sizeOrUnknown(args[0]);
    return {
      cost: scaled(size, TRAVERSAL_FACTOR),
      resultSize: { min: size.min + 2n, max: plus(times(size, fixed(2)), fixed(2)).max },
    };
  },
  '_==_': ({ args }) => comparison(args),
  includes: () => ({ cost: fixed(INCLUDES_COST) }),
  'lists.range': ({ args: [count] }) => newList(fixed(integerIn(count, NO_LIMIT))),
  slice: ({ target, args: [start, end] }) =>
    newList(fixed(BigInt.asUintN(64, integerIn(end, sizeOrUnknown(target).max) - integerIn(start, 0n)))),
  reverse: ({ target }) => newList(sizeOrUnknown(target)),
  flatten: ({ target, args: [depth] }) =>
    newList(sizeOrUnknown(target), depth === undefined ? 1 : Number(integerIn(depth, NO_LIMIT))),
  distinct: ({ target }) => comparedElements(target, ''),
  sort: ({ target, overload }) => comparedElements(target, overload),
  [SORT_BY]: ({ args: [keys], overload }) => comparedElements(keys, overload),
  'sets.contains': setEstimate(1),
  'sets.intersects': setEstimate(1),
  'sets.equivalent': setEstimate(2),
};

/** Types whose values compare in one step; addresses compare byte by byte. */
const COMPARED_AT_ONCE: ReadonlySet<string> = new Set(['kubernetes.Quantity', 'kubernetes.Semver', 'kubernetes.URL']);
const COMPARED_BY_BYTES: ReadonlySet<string> = new Set(['net.IP', 'net.CIDR']);

function comparison([a, b]: readonly SizedExpression[]): CallEstimate | null {
  const name = a?.type.name;
  if (name === undefined || name !== b?.type.name) return null;
  if (COMPARED_BY_BYTES.has(name)) return { cost: CONTAINS_IP };
  return COMPARED_AT_ONCE.has(name) ? { cost: fixed(1) } : null;
}

function setEstimate(factor: number): Estimator {
  return ({ args: [a, b] }) => {
    const product = times(sizeOrUnknown(a), sizeOrUnknown(b));
    return { cost: plus(times(product, fixed(factor)), fixed(1)) };
  };
}

for (const name of ['masked', 'prefixLength', 'family', 'isUnspecified', 'isLoopback', 'compareTo', 'add', 'sub']) {
  (ESTIMATORS as Record<string, Estimator>)[name] = ONE;
}

/** The estimate of a function that a library brings; null for those that the language itself has. */
export function estimateLibraryCall(name: string, call: EstimatedCall): CallEstimate | null {
  return ESTIMATORS[name]?.(call) ?? null;
}
