import type { Checked } from '../check/checker.ts';
import type { Environment } from '../check/declarations.ts';
import { ACCUMULATOR, type Call, type Comprehension, type Expression, isBinding } from '../syntax/expression.ts';
import {
  type CostEstimate,
  type EntrySize,
  fixed,
  plus,
  type SizeEstimate,
  times,
  UNKNOWN,
  union,
} from '../values/estimates.ts';
import type { CelType } from '../values/types.ts';
import { sizeOf } from '../values/value.ts';
import { type EstimatedCall, estimateLibraryCall, type SizedExpression } from './call-estimates.ts';
import { estimateStandardCall } from './standard-estimates.ts';

const FREE = fixed(0);
const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;
const SCALARS = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

interface Local {
  readonly path: readonly string[];
  readonly size: SizeEstimate | null;
  readonly entry: EntrySize | null;
}

/** The cost of an expression in the best and the worst case, for inputs of the sizes that the environment knows. */
export function estimateCost(checked: Checked, environment: Environment): CostEstimate {
  return new CostEstimator(checked, environment).cost(checked.expression);
}

class CostEstimator {
  readonly #checked: Checked;
  readonly #environment: Environment;
  readonly #paths = new Map<Expression, readonly string[]>();
  readonly #sizes = new Map<Expression, SizeEstimate>();
  readonly #entries = new Map<Expression, EntrySize>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: Checked, environment: Environment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  cost(expression: Expression): CostEstimate {
    switch (expression.kind) {
      case 'literal':
        return FREE;
      case 'identifier':
        this.#paths.set(expression, this.#local(expression.name)?.path ?? [expression.name]);
        return fixed(1);
      case 'selection': {
        const cost = this.cost(expression.operand);
        if (expression.isTest) return cost;
        const kind = this.#type(expression.operand)?.kind;
        this.#paths.set(expression, [...this.#path(expression.operand), expression.field]);
        return kind === 'map' || kind === 'object' || kind === 'typeParam' ? plus(cost, fixed(1)) : cost;
      }
      case 'call':
        return this.#call(expression);
      case 'list':
        this.#entries.set(expression, { isMap: false, key: fixed(1), value: this.#unionOf(expression.elements) });
        return plus(this.#sum(expression.elements), fixed(LIST_COST));
      case 'map': {
        const keys = expression.entries.map(({ key }) => key);
        const values = expression.entries.map(({ value }) => value);
        const cost = plus(this.#sum([...keys, ...values]), fixed(MAP_COST));
        this.#entries.set(expression, { isMap: true, key: this.#unionOf(keys), value: this.#unionOf(values) });
        return cost;
      }
      case 'struct':
        return plus(this.#sum(expression.values), fixed(STRUCT_COST));
      case 'comprehension':
        return isBinding(expression) ? this.#binding(expression) : this.#comprehension(expression);
    }
  }

  #sum(expressions: readonly Expression[]): CostEstimate {
    return expressions.reduce((sum, expression) => plus(sum, this.cost(expression)), FREE);
  }

  /** The smallest and largest size among expressions. */
  #unionOf(expressions: readonly Expression[]): SizeEstimate {
    const sizes = expressions.map((expression) => this.sizeOrUnknown(expression));
    return sizes.length === 0 ? FREE : sizes.reduce(union);
  }

  #call(call: Call): CostEstimate {
    if (call.function === 'dyn') return this.#unwrapped(call);
    const resolved = this.#checked.calls.get(call);
    const argCosts = call.args.map((argument) => this.cost(argument));
    if (call.function === '_?._') return plus(argCosts[0] ?? FREE, fixed(1));
    if (resolved === undefined) return FREE;
    const args = call.args.map((argument) => this.#sized(argument));
    const isMember = resolved.isMember && call.target !== null;
    const targetCost = isMember ? this.cost(call.target as Expression) : FREE;
    const target = isMember ? this.#sized(call.target as Expression) : null;
    let cost: CostEstimate | null = null;
    let resultSize: SizeEstimate | null = null;
    for (const { id } of resolved.overloads) {
      const estimate = this.#callCost(call, { overload: id, target, args }, argCosts, resolved.declaration.name);
      cost = cost === null ? estimate.cost : union(cost, estimate.cost);
      const size = estimate.resultSize ?? null;
      if (size !== null) resultSize = resultSize === null ? size : union(resultSize, size);
      if (id === 'index_list' || id === 'index_map') {
        const [indexed] = call.args as [Expression];
        resultSize = this.entrySize(indexed)?.value ?? null;
        this.#paths.set(call, [...this.#path(indexed), id === 'index_list' ? '@items' : '@values']);
      }
      resultSize ??= this.#size(call);
    }
    if (resultSize !== null) this.#sizes.set(call, resultSize);
    return plus(targetCost, cost ?? FREE);
  }

  #callCost(
    call: Call,
    estimated: EstimatedCall,
    argCosts: readonly CostEstimate[],
    name: string,
  ): { cost: CostEstimate; resultSize?: SizeEstimate } {
    const sum = argCosts.reduce(plus, FREE);
    const library = estimateLibraryCall(name, estimated);
    if (library !== null) return { ...library, cost: plus(library.cost, sum) };
    return estimateStandardCall(estimated, argCosts, {
      entrySize: (expression) => this.entrySize(expression),
      setEntrySize: (entry) => {
        if (entry !== null) this.#entries.set(call, entry);
      },
    });
  }

  /** `dyn` only switches the checker off. */
  #unwrapped(call: Call): CostEstimate {
    const [argument] = call.args as [Expression];
    const cost = this.cost(argument);
    this.#copySizes(call, argument);
    return plus(cost, fixed(1));
  }

  #binding(binding: Comprehension): CostEstimate {
    const { range, initial, accumulator, result } = binding;
    const cost = plus(this.cost(range), this.cost(initial));
    this.#push(accumulator, this.#localOf(initial));
    const whole = plus(cost, this.cost(result));
    this.#locals.get(accumulator)?.pop();
    this.#copySizes(binding, result);
    return whole;
  }

  #comprehension(comprehension: Comprehension): CostEstimate {
    const { range, initial, accumulator, variable, secondVariable } = comprehension;
    const before = plus(this.cost(range), this.cost(initial));
    this.#push(accumulator, this.#localOf(initial));
    this.#pushElements(range, variable, secondVariable);
    const each = plus(this.cost(comprehension.step), this.cost(comprehension.condition));
    this.#locals.get(variable)?.pop();
    if (secondVariable !== null) this.#locals.get(secondVariable)?.pop();
    const outside = plus(before, this.cost(comprehension.result));
    this.#locals.get(accumulator)?.pop();
    const count = this.sizeOrUnknown(range);
    if (initial.kind === 'literal') this.#sizes.set(comprehension, this.sizeOrUnknown(initial));
    else if (initial.kind === 'list' || initial.kind === 'map') {
      this.#sizes.set(comprehension, count);
      const entry = this.entrySize(comprehension.step);
      if (entry !== null) this.#entries.set(comprehension, entry);
    }
    return plus(outside, times(count, each));
  }

  #pushElements(range: Expression, variable: string, second: string | null): void {
    const entry = this.entrySize(range);
    const isMap = entry?.isMap ?? this.#type(range)?.kind !== 'list';
    const path = this.#path(range);
    const keys: Local = { path: [...path, isMap ? '@keys' : '@indices'], size: entry?.key ?? null, entry: null };
    const values: Local = { path: [...path, isMap ? '@values' : '@items'], size: entry?.value ?? null, entry: null };
    if (second === null) this.#push(variable, isMap ? keys : values);
    else {
      this.#push(variable, keys);
      this.#push(second, values);
    }
  }

  #localOf(expression: Expression): Local {
    return { path: this.#path(expression), size: this.#size(expression), entry: this.entrySize(expression) };
  }

  #push(name: string, local: Local): void {
    const stack = this.#locals.get(name);
    if (stack === undefined) this.#locals.set(name, [local]);
    else stack.push(local);
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #path(expression: Expression): readonly string[] {
    const local = expression.kind === 'identifier' ? this.#local(expression.name) : undefined;
    return local?.path ?? this.#paths.get(expression) ?? [];
  }

  #type(expression: Expression): CelType | undefined {
    return this.#checked.types.get(expression);
  }

  #sized(expression: Expression): SizedExpression {
    const path = this.#path(expression);
    const type = this.#type(expression) as CelType;
    const elementSize = path.length === 0 ? null : this.#environment.sizeOf([...path, '@items']);
    return { expression, type, size: this.#size(expression), elementSize };
  }

  sizeOrUnknown(expression: Expression): SizeEstimate {
    return this.#size(expression) ?? UNKNOWN;
  }

  #size(expression: Expression): SizeEstimate | null {
    const known = this.#sizes.get(expression) ?? writtenSize(expression);
    if (known !== null) return known;
    const path = this.#path(expression);
    const declared = path.length === 0 || path[0] === ACCUMULATOR ? null : this.#environment.sizeOf(path);
    if (declared !== null) {
      this.#sizes.set(expression, declared);
      return declared;
    }
    if (isScalar(this.#type(expression))) return fixed(1);
    return expression.kind === 'identifier' ? (this.#local(expression.name)?.size ?? null) : null;
  }

  entrySize(expression: Expression): EntrySize | null {
    const known = this.#entries.get(expression);
    if (known !== undefined) return known;
    return expression.kind === 'identifier' ? (this.#local(expression.name)?.entry ?? null) : null;
  }

  #copySizes(to: Expression, from: Expression): void {
    const [size, entry] = [this.#size(from), this.entrySize(from)];
    if (size !== null) this.#sizes.set(to, size);
    if (entry !== null) this.#entries.set(to, entry);
  }
}

function writtenSize(expression: Expression): SizeEstimate | null {
  if (expression.kind === 'literal') return fixed(sizeOf(expression.value) ?? 1);
  if (expression.kind === 'list') return fixed(expression.elements.length);
  return expression.kind === 'map' ? fixed(expression.entries.length) : null;
}

/** Whether values of the type have one size; texts, messages and values of unknown type have not. */
function isScalar(type: CelType | undefined): boolean {
  if (type === undefined) return false;
  if (type.kind === 'opaque' && type.name === 'optional_type') return isScalar(type.parameters[0]);
  return SCALARS.has(type.kind);
}
