import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/source-text.ts';
import { regexError } from '../values/regex.ts';
import { parseDuration, parseTimestamp } from '../values/times.ts';
import { type CelType, formatType } from '../values/types.ts';
import { CelError } from '../values/value.ts';
import { isSameType } from './assignability.ts';
import type { Checked } from './checker.ts';
import { formatParts, isWritable, refusal } from './format-clauses.ts';

/** Functions within whose calls lists and maps may mix types. */
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
    if (expression.kind !== 'call' || !MIXING.has(expression.function)) continue;
    for (const part of expressionsIn(expression)) mixing.add(part);
  }
  for (const expression of all) if (!mixing.has(expression)) checkTypes(expression, checked, issues);
  for (const expression of all) checkFormat(expression, checked, issues);
}

/** A constant format string is checked with the types of the values that stand beside it. */
function checkFormat(expression: Expression, { types }: Checked, issues: Issue[]): void {
  if (expression.kind !== 'call' || expression.function !== 'format') return;
  const { at, target, args } = expression;
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || args[0]?.kind !== 'list') return;
  const { elements } = args[0];
  let count = 0;
  for (const part of formatParts(target.value, elements.length, true)) {
    if (typeof part === 'string') continue;
    const refused = part instanceof CelError ? null : refusedPart(elements[part.index] as Expression, part.verb, types);
    if (part instanceof CelError) issues.push({ at, message: part.message });
    else if (refused !== null) {
      issues.push({ at: refused.at, message: refusal(part.verb, types.get(refused)?.name ?? '') });
    }
    if (part instanceof CelError || refused !== null) return;
    count++;
  }
  if (count === elements.length) return;
  const wrong = `(expected ${count}, got ${elements.length})`;
  issues.push({ at, message: `too many arguments supplied to string.format ${wrong}` });
}

/** The value, or a part of it as it is written, that the clause does not write; null if there is none. */
function refusedPart(value: Expression, verb: string, types: Checked['types']): Expression | null {
  const { kind = '' } = types.get(value) ?? {};
  if (kind !== 'dyn' && !isWritable(verb, kind)) return value;
  if (value.kind !== 'list' && value.kind !== 'map') return null;
  for (const part of partsOf(value)) {
    const refused = refusedPart(part, verb, types);
    if (refused !== null) return refused;
  }
  return null;
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
