import { Environment } from '@marcbachmann/cel-js';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import type { FieldError, FieldErrorReason } from '../object/status-error.ts';

/** The rules that a schema states in CEL (`x-kubernetes-validations`). */

const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete ' +
  'validation';
/** With these the value does not have the form that rules expect. */
const BLOCKING: ReadonlySet<FieldErrorReason> = new Set([
  ...(['FieldValueNotSupported', 'FieldValueRequired', 'FieldValueTooLong', 'FieldValueTooMany'] as const),
  'FieldValueTypeInvalid' as const,
]);

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
  return errorsAt(value, old, schema, '');
}

function hasRules(schema: JsonObject): boolean {
  if (objectsAt(schema, 'x-kubernetes-validations').length > 0) return true;
  const properties = Object.values(objectAt(schema, 'properties') ?? {});
  const below = [...properties, schema['items'], schema['additionalProperties']];
  return below.some((part) => isJsonObject(part) && hasRules(part));
}

function errorsAt(
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  schema: JsonObject,
  path: string,
): FieldError[] {
  if (value === undefined || value === null) return [];
  const errors = objectsAt(schema, 'x-kubernetes-validations').flatMap((rule) => failure(value, old, rule, path));
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items');
    if (items === undefined) return errors;
    return [...errors, ...value.flatMap((item, i) => errorsAt(item, undefined, items, `${path}[${i}]`))];
  }
  if (!isJsonObject(value)) return errors;
  const properties = objectAt(schema, 'properties') ?? {};
  const additional = objectAt(schema, 'additionalProperties');
  for (const name of Object.keys(value).sort()) {
    const part = objectAt(properties, name) ?? additional;
    const oldPart = isJsonObject(old) ? old[name] : undefined;
    if (part !== undefined)
      errors.push(...errorsAt(value[name], oldPart, part, path === '' ? name : `${path}.${name}`));
  }
  return errors;
}

const environment = new Environment({ unlistedVariablesAreDyn: true });
const compiled = new Map<string, ((context: Record<string, unknown>) => unknown) | undefined>();

function failure(value: JsonValue, old: JsonValue | undefined, rule: JsonObject, path: string): FieldError[] {
  const text = textAt(rule, 'rule');
  const isTransition = /\boldSelf\b/.test(text);
  if (isTransition && old === undefined) return [];
  if (!compiled.has(text)) compiled.set(text, compile(text));
  const evaluate = compiled.get(text);
  if (evaluate === undefined) return [];
  let result: unknown;
  try {
    result = evaluate({ self: withIntegers(value), oldSelf: withIntegers(old ?? null) });
  } catch (error) {
    const message = `Invalid value: ${path}: ${(error as Error).message.split('\n')[0]}`;
    return [{ reason: 'FieldValueInvalid', field: path, message }];
  }
  if (result === true) return [];
  const why = textAt(rule, 'message') || `failed rule: ${text}`;
  const reason = (textAt(rule, 'reason') || 'FieldValueInvalid') as FieldErrorReason;
  const field = path + textAt(rule, 'fieldPath');
  const start =
    reason === 'FieldValueForbidden'
      ? 'Forbidden'
      : reason === 'FieldValueRequired'
        ? 'Required value'
        : 'Invalid value';
  return [{ reason, field, message: `${start}: ${why}` }];
}

function compile(text: string): ((context: Record<string, unknown>) => unknown) | undefined {
  try {
    const parsed = environment.parse(text);
    return (context) => parsed(context);
  } catch {
    return undefined;
  }
}

/** CEL tells integers from fractions by their type. */
function withIntegers(value: JsonValue | undefined): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(withIntegers);
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIntegers(member)]));
}
