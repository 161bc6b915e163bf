import type { CompileFailure, Program } from '../../cel/program.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { internalJson } from '../validation/internal-json.ts';
import { compiledRule, isProgram } from './compiled-rule.ts';

/** What one rule may cost in the worst case. */
const RULE_COST_MAX = 10_000_000;
/** What all rules of a schema may cost together. */
const TOTAL_COST_MAX = 100_000_000;
/** At most this many of the most expensive rules are named when all together are too expensive. */
const NAMED_RULES_MAX = 4;
const HINT =
  'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are ' +
  'declared';
const REASONS = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate'];
const LINE_BREAK = /[\n\r]/;

/** What an expression costs in the worst case. */
export interface RuleCost {
  readonly field: string;
  readonly cost: number;
}

/** What is found in the rules of a schema. */
export interface FoundInRules {
  readonly errors: FieldError[];
  readonly costs: RuleCost[];
}

/** Where a schema stands in that of the whole object. */
export interface RulePlace {
  readonly path: string;
  readonly isRoot: boolean;
  /** How many values of the schema one object may have: rules run for each. */
  readonly count: number;
}

/** Problems and costs of the rules of a schema. */
export function checkRuleDefinitions(schema: JsonObject, place: RulePlace): FoundInRules {
  const rules = objectsAt(schema, 'x-kubernetes-validations');
  const at = (i: number): string => `${place.path}.x-kubernetes-validations[${i}]`;
  const found: FoundInRules = { errors: rules.flatMap((rule, i) => textErrors(rule, schema, at(i))), costs: [] };
  for (const [i, rule] of rules.entries()) checkRule(rule, schema, { ...place, path: at(i) }, found);
  return found;
}

/** What is wrong when all rules of a schema together may cost too much: those that cost most, and the whole. */
export function totalCostErrors(costs: readonly RuleCost[], field: string): FieldError[] {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= TOTAL_COST_MAX) return [];
  const large = costs.filter(({ cost }) => cost >= TOTAL_COST_MAX / 100);
  const named = large.sort((a, b) => b.cost - a.cost).slice(0, NAMED_RULES_MAX);
  const whole = 'entire OpenAPIv3 schema';
  const why = `contributed to estimated rule cost total exceeding cost limit for ${whole}`;
  const what = `x-kubernetes-validations estimated rule cost total for ${whole}`;
  return [
    ...named.map((expensive) => forbiddenField(expensive.field, why)),
    forbiddenField(field, budgetText(what, total / TOTAL_COST_MAX)),
  ];
}

function textErrors(rule: JsonObject, schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const text = textAt(rule, 'rule').trim();
  const message = textAt(rule, 'message');
  if (text === '') errors.push(requiredValue(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '') {
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (LINE_BREAK.test(message.trim())) {
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  } else if (LINE_BREAK.test(text) && message.trim() === '') {
    errors.push(requiredValue(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
  const expression = textAt(rule, 'messageExpression');
  if (expression !== '' && expression.trim() === '') {
    errors.push(requiredValue(`${path}.messageExpression`, 'messageExpression must be non-empty if specified'));
  }
  const reason = textAt(rule, 'reason');
  if (reason !== '' && !REASONS.includes(reason)) {
    errors.push(unsupportedValue(`${path}.reason`, reason, [...REASONS].sort()));
  }
  const fieldPath = textAt(rule, 'fieldPath');
  const wrong = (why: string): void => {
    errors.push(invalidValue(`${path}.fieldPath`, fieldPath, why));
  };
  if (fieldPath !== '' && fieldPath.trim() === '') wrong('must be non-empty if specified');
  if (LINE_BREAK.test(fieldPath)) wrong('must not contain line breaks');
  if (fieldPath !== '' && schemaAt(fieldPath, schema) === undefined) wrong('must be a valid path');
  return errors;
}

/** What a path such as `.spec.size` or `.labels['a']` leads to in the schema. */
export function schemaAt(fieldPath: string, schema: JsonObject): JsonObject | undefined {
  if (!/^[.[]/.test(fieldPath)) return undefined;
  let at: JsonObject | undefined = schema;
  for (const [, plain, quoted] of fieldPath.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    at = objectAt(objectAt(at, 'properties'), plain ?? quoted ?? '') ?? objectAt(at, 'additionalProperties');
  }
  return at;
}

function checkRule(
  rule: JsonObject,
  schema: JsonObject,
  { path, isRoot, count }: RulePlace,
  { errors, costs }: FoundInRules,
): void {
  if (textAt(rule, 'rule').trim() === '') return;
  const compiled = compiledRule(rule, schema, isRoot);
  if (compiled === undefined) return;
  const shown: JsonValue = internalJson('apiextensions/v1.ValidationRule', rule);
  const check = (name: string, expression: Program | CompileFailure, times: number): void => {
    const field = `${path}.${name}`;
    if (!isProgram(expression)) {
      errors.push(invalidValue(field, shown, expression.message));
      return;
    }
    const cost = Number(expression.maxCost) * times;
    costs.push({ field, cost });
    if (cost > RULE_COST_MAX) {
      errors.push(forbiddenField(field, budgetText(`estimated ${name} cost`, cost / RULE_COST_MAX)));
    }
  };
  check('rule', compiled.rule, count);
  // A message is made for one value, the first that breaks the rule.
  if (compiled.message !== undefined) check('messageExpression', compiled.message, 1);
}

function budgetText(what: string, factor: number): string {
  const text = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${text} (${HINT})`;
}
