import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/source-text.ts';
import { regexError } from '../values/regex.ts';
import { parseDuration, parseTimestamp } from '../values/times.ts';
import { type CelType, formatType } from '../values/types.ts';
import { CelError } from '../values/value.ts';
import { isSameType } from './assignability.ts';
import type { Checked } from './checker.ts';

/** Functions whose arguments may mix types, with the position of these arguments (the target is not counted). */
const MIXING: ReadonlySet<string> = new Set(['cel.@mapInsert', 'format']);

/**
 * Reports constants that can only fail: malformed durations, times and regular expressions, and lists and maps whose
 * parts have several types (the validators of Kubernetes' environments).
 */
export function checkLiterals(checked: Checked, issues: Issue[]): void {
  const all = [...expressionsIn(checked.expression)];
  for (const expression of all) checkConstant(expression, 'duration', parseDuration, issues);
  for (const expression of all) checkConstant(expression, 'timestamp', parseTimestamp, issues);
  for (const expression of all) checkPattern(expression, checked, issues);
  const mixing = new Set<Expression>();
  for (const expression of all) {
    if (expression.kind === 'call' && MIXING.has(expression.function)) {
      for (const argument of expression.args) mixing.add(argument);
    }
  }
  for (const expression of all) if (!mixing.has(expression)) checkTypes(expression, checked, issues);
}

function checkConstant(expression: Expression, name: string, read: (text: string) => object, issues: Issue[]): void {
  if (expression.kind !== 'call' || expression.function !== name || expression.args.length !== 1) return;
  const [argument] = expression.args;
  if (argument?.kind !== 'literal' || typeof argument.value !== 'string') return;
  if (read(argument.value) instanceof CelError) issues.push({ at: argument.at, message: `invalid ${name} argument` });
}

function checkPattern(expression: Expression, { calls }: Checked, issues: Issue[]): void {
  if (expression.kind !== 'call' || expression.function !== 'matches') return;
  const pattern = calls.get(expression)?.isMember === true ? expression.args[0] : expression.args[1];
  if (pattern?.kind !== 'literal' || typeof pattern.value !== 'string') return;
  if (regexError(pattern.value) !== null) issues.push({ at: pattern.at, message: 'invalid matches argument' });
}

function checkTypes(expression: Expression, { types }: Checked, issues: Issue[]): void {
  if (expression.kind === 'list') {
    checkAlike(
      expression.elements.map((element, i) => [element, inner(types.get(element), expression.optional.has(i))]),
      issues,
    );
  }
  if (expression.kind !== 'map') return;
  const { entries } = expression;
  checkAlike(
    entries.map(({ key }) => [key, types.get(key)]),
    issues,
  );
  checkAlike(
    entries.map(({ value, isOptional }) => [value, inner(types.get(value), isOptional)]),
    issues,
  );
}

function inner(type: CelType | undefined, isOptional: boolean): CelType | undefined {
  return isOptional ? (type?.parameters[0] ?? type) : type;
}

function checkAlike(parts: (readonly [Expression, CelType | undefined])[], issues: Issue[]): void {
  const first = parts[0]?.[1];
  for (const [expression, type] of parts) {
    if (first === undefined || type === undefined || isSameType(first, type)) continue;
    issues.push({
      at: expression.at,
      message: `expected type '${formatType(first)}' but found '${formatType(type)}'`,
    });
    return;
  }
}

function* expressionsIn(expression: Expression): Iterable<Expression> {
  yield expression;
  for (const part of partsOf(expression)) yield* expressionsIn(part);
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'selection':
      return [expression.operand];
    case 'call':
      return expression.target === null ? expression.args : [expression.target, ...expression.args];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expression.values;
    case 'comprehension': {
      const { range, initial, condition, step, result } = expression;
      return [range, initial, condition, step, result];
    }
    default:
      return [];
  }
}
