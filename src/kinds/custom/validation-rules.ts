import { isDeepStrictEqual } from 'node:util';
import type { Program } from '../../cel/program.ts';
import { CelError } from '../../cel/values/value.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError, FieldErrorReason } from '../object/status-error.ts';
import { celValue } from './cel-types.ts';
import { compiledRule, isProgram } from './compiled-rule.ts';
import { elementsBefore } from './schema-errors.ts';

/** The rules that a schema states in CEL (`x-kubernetes-validations`). */

const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete ' +
  'validation';
/** With these errors the value does not have the form that rules expect. */
const BLOCKING: ReadonlySet<FieldErrorReason> = new Set([
  ...(['FieldValueNotSupported', 'FieldValueRequired', 'FieldValueTooLong', 'FieldValueTooMany'] as const),
  'FieldValueTypeInvalid' as const,
]);
/** What one evaluation, and what all of a request, may cost. */
const CALL_COST_MAX = 1_000_000;
const REQUEST_COST_MAX = 10_000_000;

/** A schema, and what of an object it is about. */
interface Place {
  readonly value: JsonValue | undefined;
  readonly old: JsonValue | undefined;
  readonly schema: JsonObject;
  readonly path: string;
}

export function ruleErrors(
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  schema: JsonObject,
  before: readonly FieldError[],
): FieldError[] {
  if (!hasRules(schema)) return [];
  if (before.some(({ reason }) => BLOCKING.has(reason))) {
    return [{ reason: 'FieldValueInvalid', field: '<nil>', message: `Invalid value: null: ${NOT_CHECKED}` }];
  }
  return new RuleRun().errorsAt({ value, old, schema, path: '' }, true);
}

function hasRules(schema: JsonObject): boolean {
  if (objectsAt(schema, 'x-kubernetes-validations').length > 0) return true;
  const properties = Object.values(objectAt(schema, 'properties') ?? {});
  const below = [...properties, schema['items'], schema['additionalProperties']];
  return below.some((part) => isJsonObject(part) && hasRules(part));
}

/** The rules of one object share what they may cost. */
class RuleRun {
  private left = REQUEST_COST_MAX;

  errorsAt(place: Place, isRoot: boolean): FieldError[] {
    const { value, old, schema, path } = place;
    if (value === undefined || value === null) return [];
    const errors = objectsAt(schema, 'x-kubernetes-validations').flatMap((rule) => this.failure(rule, place, isRoot));
    if (Array.isArray(value)) {
      const items = objectAt(schema, 'items');
      if (items === undefined) return errors;
      const before = elementsBefore(old, schema);
      const below = value.flatMap((item, i) =>
        this.errorsAt({ value: item, old: before(item), schema: items, path: `${path}[${i}]` }, false),
      );
      return [...errors, ...below];
    }
    if (!isJsonObject(value)) return errors;
    const properties = objectAt(schema, 'properties') ?? {};
    const additional = objectAt(schema, 'additionalProperties');
    for (const name of Object.keys(value).sort()) {
      const part = objectAt(properties, name) ?? additional;
      if (part === undefined) continue;
      const member = {
        value: value[name],
        old: isJsonObject(old) ? old[name] : undefined,
        schema: part,
        path: path === '' ? name : `${path}.${name}`,
      };
      errors.push(...this.errorsAt(member, part['x-kubernetes-embedded-resource'] === true));
    }
    return errors;
  }

  private failure(rule: JsonObject, { value, old, schema, path }: Place, isRoot: boolean): FieldError[] {
    const compiled = compiledRule(rule, schema, isRoot);
    if (compiled === undefined || !isProgram(compiled.rule)) return [];
    if (compiled.isTransition ? old === undefined || old === null : isDeepStrictEqual(value, old)) return [];
    const variables = new Map([
      ['self', celValue(value, schema, isRoot)],
      ['oldSelf', celValue(old, schema, isRoot)],
    ]);
    const evaluate = (program: Program): ReturnType<Program['evaluate']> => {
      const evaluation = program.evaluate(variables, Math.min(CALL_COST_MAX, this.left));
      this.left -= evaluation.cost;
      return evaluation;
    };
    const { value: result } = evaluate(compiled.rule);
    if (result === true) return [];
    if (result instanceof CelError) return [evaluationError(path, result.message, rule)];
    let why = textAt(rule, 'message').trim() || `failed rule: ${textAt(rule, 'rule').trim()}`;
    if (compiled.message !== undefined && isProgram(compiled.message)) {
      const { value: text } = evaluate(compiled.message);
      if (typeof text === 'string' && text.trim() !== '' && !text.includes('\n')) why = text.trim();
    }
    return [failed(path + textAt(rule, 'fieldPath'), textAt(rule, 'reason'), why)];
  }
}

function evaluationError(field: string, problem: string, rule: JsonObject): FieldError {
  const text = textAt(rule, 'message').trim() || textAt(rule, 'rule').trim();
  const invalid = (why: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field,
    message: `Invalid value: ${why}`,
  });
  if (problem.startsWith('no such overload')) {
    return invalid(`call arguments did not match a supported operator, function or macro signature for rule: ${text}`);
  }
  if (problem.startsWith('operation cancelled')) {
    return invalid(`no further validation rules will be run due to call cost exceeds limit for rule: ${text}`);
  }
  return invalid(`${problem} evaluating rule: ${text}`);
}

function failed(field: string, given: string, why: string): FieldError {
  const reason = (given || 'FieldValueInvalid') as FieldErrorReason;
  if (reason === 'FieldValueForbidden') return { reason, field, message: `Forbidden: ${why}` };
  if (reason === 'FieldValueRequired') return { reason, field, message: `Required value: ${why}` };
  if (reason === 'FieldValueDuplicate') return { reason, field, message: `Duplicate value: ${why}` };
  return { reason, field, message: `Invalid value: ${why}` };
}
