import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { internalJson } from '../validation/internal-json.ts';
import { compiledRule, isProgram } from './compiled-rule.ts';

/** What one rule may cost in the worst case. */
const RULE_COST_MAX = 10_000_000n;
const HINT =
  'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are ' +
  'declared';
const REASONS = ['FieldValueRequired', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueDuplicate'];
const LINE_BREAK = /[\n\r]/;

/** Problems of the rules of a schema. `count`: how many values of the schema an object may have. */
export function ruleDefinitionErrors(schema: JsonObject, path: string, isRoot: boolean, count: number): FieldError[] {
  const rules = objectsAt(schema, 'x-kubernetes-validations');
  const at = (i: number): string => `${path}.x-kubernetes-validations[${i}]`;
  const errors = rules.flatMap((rule, i) => textErrors(rule, schema, at(i)));
  for (const [i, rule] of rules.entries()) errors.push(...compileErrors(rule, schema, at(i), isRoot, count));
  return errors;
}

function textErrors(rule: JsonObject, schema: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const text = textAt(rule, 'rule').trim();
  const message = textAt(rule, 'message');
  if (text === '') errors.push(requiredValue(`${path}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '') {
    errors.push(invalidValue(`${path}.message`, message, 'message must be non-empty if specified'));
  } else if (LINE_BREAK.test(message.trim())) {
    errors.push(invalidValue(`${path}.message`, message, 'message must not contain line breaks'));
  } else if (LINE_BREAK.test(text) && message.trim() === '') {
    errors.push(requiredValue(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
  const expression = textAt(rule, 'messageExpression');
  if (expression !== '' && expression.trim() === '') {
    errors.push(requiredValue(`${path}.messageExpression`, 'must be non-empty if specified'));
  }
  const reason = textAt(rule, 'reason');
  if (reason !== '' && !REASONS.includes(reason)) {
    errors.push(unsupportedValue(`${path}.reason`, reason, [...REASONS].sort()));
  }
  const fieldPath = textAt(rule, 'fieldPath');
  if (fieldPath !== '' && fieldPath.trim() === '') {
    errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'fieldPath must be non-empty if specified'));
  } else if (LINE_BREAK.test(fieldPath.trim())) {
    errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'fieldPath must not contain line breaks'));
  } else if (fieldPath !== '' && !isKnown(fieldPath, schema)) {
    const why = `fieldPath must be a valid path: does not refer to a valid field`;
    errors.push(invalidValue(`${path}.fieldPath`, fieldPath, why));
  }
  return errors;
}

/** Whether a path such as `.spec.size` or `.labels['a']` leads to something in the schema. */
function isKnown(fieldPath: string, schema: JsonObject): boolean {
  let at: JsonObject | undefined = schema;
  for (const [, plain, quoted] of fieldPath.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    at = objectAt(objectAt(at, 'properties'), plain ?? quoted ?? '') ?? objectAt(at, 'additionalProperties');
    if (at === undefined) return false;
  }
  return fieldPath.startsWith('.') || fieldPath.startsWith('[');
}

function compileErrors(
  rule: JsonObject,
  schema: JsonObject,
  path: string,
  isRoot: boolean,
  count: number,
): FieldError[] {
  if (textAt(rule, 'rule').trim() === '') return [];
  const compiled = compiledRule(rule, schema, isRoot);
  if (compiled === undefined) return [];
  const shown: JsonValue = internalJson('apiextensions/v1.ValidationRule', rule);
  const errors: FieldError[] = [];
  if (isProgram(compiled.rule)) errors.push(...costErrors(`${path}.rule`, 'rule', compiled.rule.maxCost, count));
  else errors.push(invalidValue(`${path}.rule`, shown, compiled.rule.message));
  const { message } = compiled;
  if (message === undefined) return errors;
  const at = `${path}.messageExpression`;
  if (!isProgram(message)) errors.push(invalidValue(at, shown, message.message));
  else errors.push(...costErrors(at, 'messageExpression', message.maxCost, count));
  return errors;
}

function costErrors(field: string, what: string, cost: bigint, count: number): FieldError[] {
  const total = Number(cost) * count;
  if (total <= Number(RULE_COST_MAX)) return [];
  const factor = total / Number(RULE_COST_MAX);
  const text = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return [forbiddenField(field, `estimated ${what} cost exceeds budget by factor of ${text} (${HINT})`)];
}
