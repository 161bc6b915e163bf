import type { Expression } from './expression.ts';
import { FUNCTIONS, isTrue, Missing, printed } from './functions.ts';
import type { Block, TemplateNode } from './parse-template.ts';
import { TemplateError } from './template-error.ts';

/** The fields of a template's dot. */
export type Environment = ReadonlyMap<string, unknown>;

/** A part of a template's output: text, or an expression to be evaluated later. */
export type Part = string | Expression;

/** The variables of a template; inner blocks see those of the blocks around them. */
class Scope {
  readonly dot: unknown;
  readonly #variables = new Map<string, unknown>();
  readonly #outer: Scope | undefined;

  constructor(dot: unknown, outer?: Scope) {
    this.dot = dot;
    this.#outer = outer;
    if (outer === undefined) this.declare('$', dot);
  }

  declare(name: string, value: unknown): void {
    this.#variables.set(name, value);
  }

  assign(name: string, value: unknown): void {
    this.#whereDeclared(name).set(name, value);
  }

  value(name: string): unknown {
    return this.#whereDeclared(name).get(name);
  }

  #whereDeclared(name: string): Map<string, unknown> {
    if (this.#variables.has(name)) return this.#variables;
    if (this.#outer === undefined) throw new TemplateError(`${name} is not declared`);
    return this.#outer.#whereDeclared(name);
  }
}

/** Renders the template. @throws TemplateError */
export function render(nodes: readonly TemplateNode[], environment: Environment): string {
  return renderParts(nodes, environment, () => false).join('');
}

/**
 * Renders the template in parts. An expression outside of all blocks that fails with an error for which `isLater`
 * returns true is kept as an expression.
 */
export function renderParts(
  nodes: readonly TemplateNode[],
  environment: Environment,
  isLater: (error: unknown) => boolean,
): Part[] {
  const parts: Part[] = [];
  const scope = new Scope(environment);
  for (const node of nodes) {
    try {
      run(node, scope, parts);
    } catch (error) {
      if (node.kind !== 'output' || !isLater(error)) throw error;
      parts.push(node.value);
    }
  }
  return parts;
}

/** Renders an expression that `renderParts` has kept. */
export function renderExpression(expression: Expression, environment: Environment): string {
  return printed(evaluate(expression, new Scope(environment)));
}

function run(node: TemplateNode, scope: Scope, parts: Part[]): void {
  switch (node.kind) {
    case 'text':
      parts.push(node.text);
      return;
    case 'output':
      parts.push(printed(evaluate(node.value, scope)));
      return;
    case 'assign': {
      const value = evaluate(node.value, scope);
      if (node.isNew) scope.declare(node.variable, value);
      else scope.assign(node.variable, value);
      return;
    }
    default:
      runBlock(node, scope, parts);
  }
}

function runBlock({ kind, value, variables, body, otherwise }: Block, scope: Scope, parts: Part[]): void {
  const runAll = (nodes: readonly TemplateNode[], inner: Scope): void => {
    for (const node of nodes) run(node, inner, parts);
  };
  const tested = evaluate(value, scope);
  if (kind === 'range') {
    const entries = entriesOf(tested);
    const [first, second] = variables;
    for (const [key, item] of entries) {
      const inner = new Scope(item, scope);
      if (first !== undefined) inner.declare(first, second === undefined ? item : key);
      if (second !== undefined) inner.declare(second, item);
      runAll(body, inner);
    }
    if (entries.length === 0) runAll(otherwise, new Scope(scope.dot, scope));
    return;
  }
  const isTaken = isTrue(tested);
  const inner = new Scope(isTaken && kind === 'with' ? tested : scope.dot, scope);
  for (const name of variables) inner.declare(name, tested);
  runAll(isTaken ? body : otherwise, inner);
}

/** The entries that a `range` visits; a number stands for the numbers from 0 up to it. */
function entriesOf(value: unknown): (readonly [unknown, unknown])[] {
  if (typeof value === 'number') return Array.from({ length: Math.max(0, Math.trunc(value)) }, (_, i) => [i, i]);
  if (Array.isArray(value)) return value.map((item, i) => [i, item]);
  if (value instanceof Map) return [...value];
  throw new TemplateError(`range cannot go over ${printed(value)}`);
}

function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'field': {
      const start = expression.variable === '' ? scope.dot : scope.value(expression.variable);
      return expression.path.reduce(memberOf, start);
    }
    case 'call': {
      const { name, args } = expression;
      if (name === 'and' || name === 'or') return firstThatDecides(name === 'or', args, scope);
      const called = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
      if (called === undefined) throw new TemplateError(`function ${JSON.stringify(name)} is not known`);
      return called(...args.map((arg) => evaluate(arg, scope)));
    }
  }
}

/** The first argument that is as true as this, else the last one; those behind it are not evaluated. */
function firstThatDecides(isSought: boolean, args: readonly Expression[], scope: Scope): unknown {
  let value: unknown;
  for (const arg of args) {
    value = evaluate(arg, scope);
    if (isTrue(value) === isSought) break;
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  const member: unknown = value instanceof Map ? value.get(name) : undefined;
  return member === undefined ? new Missing(name) : member;
}
