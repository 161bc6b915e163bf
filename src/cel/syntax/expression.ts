import type { Value } from '../values/value.ts';

/**
 * A parsed expression. `at` is the offset of the token that messages point at, in code points: the operator of an
 * operation, the parenthesis of a call, the dot or bracket of a selection.
 */
export type Expression =
  | Literal
  | Identifier
  | Selection
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension;

export interface Literal {
  readonly kind: 'literal';
  readonly at: number;
  readonly value: Value;
}

export interface Identifier {
  readonly kind: 'identifier';
  readonly at: number;
  readonly name: string;
}

/** `operand.field`; with `isTest` it is `has(operand.field)`. */
export interface Selection {
  readonly kind: 'selection';
  readonly at: number;
  readonly operand: Expression;
  readonly field: string;
  readonly isTest: boolean;
}

/** A function or operator; operators have the names that cel-go gives them, such as `_+_` and `_[_]`. */
export interface Call {
  readonly kind: 'call';
  readonly at: number;
  readonly function: string;
  readonly target: Expression | null;
  readonly args: readonly Expression[];
}

export interface ListLiteral {
  readonly kind: 'list';
  readonly at: number;
  readonly elements: readonly Expression[];
  /** The positions of elements written `?e`, which are left out when they are empty optionals. */
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry {
  readonly key: Expression;
  readonly value: Expression;
  readonly isOptional: boolean;
}

export interface MapLiteral {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: readonly MapEntry[];
}

/** A message, which no environment of Kubernetes declares for devices. */
export interface StructLiteral {
  readonly kind: 'struct';
  readonly at: number;
  readonly name: string;
  readonly values: readonly Expression[];
}

/**
 * What macros expand to: `accumulator` begins as `initial`, and becomes `step` for each element of `range` as long as
 * `condition` holds; then the value is `result`. A `cel.bind` is one over an empty list.
 */
export interface Comprehension {
  readonly kind: 'comprehension';
  readonly at: number;
  readonly variable: string;
  /** The second variable: values of a map, or elements of a list whose first variable are the indices. */
  readonly secondVariable: string | null;
  readonly range: Expression;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** The accumulator of macros; no identifier of a user can have this name. */
export const ACCUMULATOR = '@result';
/** The variable of bindings, which is never read. */
export const UNUSED = '#unused';

export function isBinding({ range, condition, accumulator }: Comprehension): boolean {
  return (
    range.kind === 'list' &&
    range.elements.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    accumulator !== ACCUMULATOR
  );
}

export function literal(at: number, value: Value): Literal {
  return { kind: 'literal', at, value };
}

export function identifier(at: number, name: string): Identifier {
  return { kind: 'identifier', at, name };
}

export function call(at: number, name: string, ...args: Expression[]): Call {
  return { kind: 'call', at, function: name, target: null, args };
}

export function list(at: number, ...elements: Expression[]): ListLiteral {
  return { kind: 'list', at, elements, optional: new Set() };
}

/** The dotted name that an expression spells (`a.b.c`), or null. */
export function qualifiedName(expression: Expression): string | null {
  if (expression.kind === 'identifier') return expression.name;
  if (expression.kind !== 'selection' || expression.isTest) return null;
  const operand = qualifiedName(expression.operand);
  return operand === null ? null : `${operand}.${expression.field}`;
}
