import type { Expression } from '../syntax/expression.ts';
import {
  type CostEstimate,
  type EntrySize,
  fixed,
  plus,
  REGEX_FACTOR,
  type SizeEstimate,
  scaled,
  TRAVERSAL_FACTOR,
  times,
  UNKNOWN,
  union,
} from '../values/estimates.ts';
import type { CallEstimate, EstimatedCall, SizedExpression } from './call-estimates.ts';

interface Entries {
  entrySize(expression: Expression): EntrySize | null;
  /** Sets the sizes of the call's own elements. */
  setEntrySize(entry: EntrySize | null): void;
}

const COMPARED = /^(?:less|greater|less_equals|greater_equals)_(?:string|bytes)$|^(?:equals|not_equals)$/;
const JOINED = /^add_(?:string|bytes|list)$/;

/** The estimate of an operator or function of the language (checker/cost.go of cel-go); arguments are included. */
export function estimateStandardCall(
  call: EstimatedCall,
  argCosts: readonly CostEstimate[],
  entries: Entries,
): CallEstimate {
  const { overload, args } = call;
  if (overload === 'logical_or' || overload === 'logical_and') {
    const [left, right] = argCosts as [CostEstimate, CostEstimate];
    return { cost: { min: left.min, max: plus(left, right).max } };
  }
  if (overload === 'conditional') return conditional(args, argCosts, entries);
  const sum = argCosts.reduce(plus, fixed(0));
  const own = ownCost(call, entries);
  return { ...own, cost: plus(own.cost, sum) };
}

function ownCost({ overload, target, args }: EstimatedCall, entries: Entries): CallEstimate {
  const [first, second] = args;
  switch (overload) {
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: scaled(sizeOf(first), TRAVERSAL_FACTOR) };
    case 'in_list':
      return { cost: sizeOf(second) };
    case 'matches_string':
      return { cost: times(walked(plus(sizeOf(target), fixed(1))), scaled(sizeOf(first), REGEX_FACTOR)) };
    case 'contains_string':
      return { cost: times(walked(sizeOf(target)), walked(sizeOf(first))) };
    case 'string_to_bytes':
      return {
        cost: walked(sizeOf(first)),
        resultSize: { min: sizeOf(first).min, max: times(sizeOf(first), fixed(4)).max },
      };
    case 'bytes_to_string':
      return { cost: walked(sizeOf(first)), resultSize: { min: sizeOf(first).min / 4n, max: sizeOf(first).max } };
    case 'string_format': {
      const size = plus(sizeOf(target), sizeOf(first));
      return { cost: walked(sizeOf(target)), resultSize: size };
    }
  }
  if (COMPARED.test(overload)) return { cost: comparison(sizeOf(first), sizeOf(second)) };
  if (!JOINED.test(overload)) return { cost: fixed(1) };
  const [left, right] = args as [SizedExpression, SizedExpression];
  const size = plus(sizeOf(left), sizeOf(right));
  entries.setEntrySize(joined(entries.entrySize(left.expression), entries.entrySize(right.expression)));
  return { cost: overload === 'add_list' ? fixed(1) : walked(size), resultSize: size };
}

function conditional(
  args: readonly SizedExpression[],
  argCosts: readonly CostEstimate[],
  entries: Entries,
): CallEstimate {
  const [condition, yes, no] = argCosts as [CostEstimate, CostEstimate, CostEstimate];
  const [, left, right] = args as [SizedExpression, SizedExpression, SizedExpression];
  entries.setEntrySize(joined(entries.entrySize(left.expression), entries.entrySize(right.expression)));
  return { cost: plus(condition, union(yes, no)), resultSize: union(sizeOf(left), sizeOf(right)) };
}

function comparison(left: SizeEstimate, right: SizeEstimate): CostEstimate {
  const max = left.max < right.max ? left.max : right.max;
  return walked({ min: max > 0n ? 1n : 0n, max });
}

function walked(size: SizeEstimate): CostEstimate {
  return scaled(size, TRAVERSAL_FACTOR);
}

function sizeOf(sized: SizedExpression | null | undefined): SizeEstimate {
  return sized?.size ?? UNKNOWN;
}

function joined(a: EntrySize | null, b: EntrySize | null): EntrySize | null {
  if (a === null || b === null) return null;
  return { isMap: a.isMap, key: union(a.key, b.key), value: union(a.value, b.value) };
}
