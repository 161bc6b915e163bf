import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, tooLong, tooMany, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { duplicate, notNegative, qualifiedName } from './checks.ts';
import { internalJson } from './internal-json.ts';
import { indexesOf } from './job-indexes.ts';

/** What jobs say about the failures of their pods, and when they have succeeded (pkg/apis/batch/validation). */

export const INDEXED_NEEDED = 'requires indexed completion mode';

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const RULES_MAX = 20;
const PATTERNS_MAX = 20;
const EXIT_CODES_MAX = 255;
const INDEXES_BYTES_MAX = 64 * 1024;

export function failurePolicyErrors(field: string, spec: JsonObject): FieldError[] {
  const rules = objectsAt(objectAt(spec, 'podFailurePolicy'), 'rules');
  const podSpec = objectAt(objectAt(spec, 'template'), 'spec');
  const containers = [...objectsAt(podSpec, 'containers'), ...objectsAt(podSpec, 'initContainers')];
  const names = containers.map((container) => textAt(container, 'name'));
  const errors = rules.length > RULES_MAX ? [tooMany(`${field}.rules`, rules.length, RULES_MAX)] : [];
  return [...errors, ...rules.flatMap((rule, i) => ruleErrors(`${field}.rules[${i}]`, rule, spec, names))];
}

function ruleErrors(field: string, rule: JsonObject, spec: JsonObject, names: readonly string[]): FieldError[] {
  const errors = choiceErrors(`${field}.action`, rule['action'], ACTIONS);
  if (rule['action'] === 'FailIndex' && spec['backoffLimitPerIndex'] === undefined) {
    errors.push(invalidValue(`${field}.action`, 'FailIndex', 'requires the backoffLimitPerIndex to be set'));
  }
  const codes = objectAt(rule, 'onExitCodes');
  const patterns = objectsAt(rule, 'onPodConditions');
  if (codes !== undefined) errors.push(...exitCodeErrors(`${field}.onExitCodes`, codes, names));
  if (patterns.length > PATTERNS_MAX) errors.push(tooMany(`${field}.onPodConditions`, patterns.length, PATTERNS_MAX));
  for (const [i, pattern] of patterns.entries()) {
    const at = `${field}.onPodConditions[${i}]`;
    errors.push(...qualifiedName(`${at}.type`, textAt(pattern, 'type')));
    errors.push(...choiceErrors(`${at}.status`, pattern['status'], STATUSES));
  }
  const unquoted = (why: string): void => {
    errors.push({ reason: 'FieldValueInvalid', field, message: `Invalid value: specifying ${why}` });
  };
  if (codes !== undefined && patterns.length > 0) unquoted('both OnExitCodes and OnPodConditions is not supported');
  else if (codes === undefined && patterns.length === 0) unquoted('one of OnExitCodes and OnPodConditions is required');
  return errors;
}

/** One of these texts; a missing one is told what would be valid, as Go prints lists. */
function choiceErrors(field: string, value: JsonValue | undefined, valid: readonly string[]): FieldError[] {
  if (value === undefined || value === '') {
    return [requiredValue(field, `valid values: [${valid.map((one) => JSON.stringify(one)).join(' ')}]`)];
  }
  return valid.includes(String(value)) ? [] : [unsupportedValue(field, value, valid)];
}

function exitCodeErrors(field: string, codes: JsonObject, names: readonly string[]): FieldError[] {
  const { operator, containerName } = codes;
  const errors = choiceErrors(`${field}.operator`, operator, OPERATORS);
  if (typeof containerName === 'string' && !names.includes(containerName)) {
    const why = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalidValue(`${field}.containerName`, containerName, why));
  }
  const at = `${field}.values`;
  const values = Array.isArray(codes['values']) ? codes['values'] : [];
  if (values.length === 0) errors.push(invalidValue(at, values, 'at least one value is required'));
  else if (values.length > EXIT_CODES_MAX) errors.push(tooMany(at, values.length, EXIT_CODES_MAX));
  for (const [i, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      errors.push(invalidValue(`${at}[${i}]`, value, 'must not be 0 for the In operator'));
    }
    if (values.indexOf(value) < i) errors.push(duplicate(`${at}[${i}]`, value));
  }
  const isOrdered = values.every((value, i) => i === 0 || Number(values[i - 1]) <= Number(value));
  return isOrdered ? errors : [...errors, invalidValue(at, values, 'must be ordered')];
}

/** `field` is that of the job's spec. */
export function successErrors(field: string, spec: JsonObject): FieldError[] {
  const policy = objectAt(spec, 'successPolicy');
  if (policy === undefined) return [];
  const at = `${field}.successPolicy`;
  const rules = objectsAt(policy, 'rules');
  if (spec['completionMode'] !== 'Indexed') {
    const shown = { Rules: rules.map((rule) => internalJson('batch/v1.SuccessPolicyRule', rule)) };
    return [invalidValue(at, shown, INDEXED_NEEDED)];
  }
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const why = 'at least one rules must be specified when the successPolicy is specified';
    errors.push(requiredValue(`${at}.rules`, why));
  }
  if (rules.length > RULES_MAX) errors.push(tooMany(`${at}.rules`, rules.length, RULES_MAX));
  const completions = Number(spec['completions'] ?? 0);
  return [...errors, ...rules.flatMap((rule, i) => successRuleErrors(`${at}.rules[${i}]`, rule, completions))];
}

function successRuleErrors(field: string, rule: JsonObject, completions: number): FieldError[] {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  if (indexes === undefined && count === undefined) {
    return [requiredValue(field, 'at least one of succeededCount or succeededIndexes must be specified')];
  }
  const errors: FieldError[] = [];
  const read = typeof indexes === 'string' ? indexesOf(indexes, completions) : { total: 0 };
  if (typeof indexes === 'string') {
    const at = `${field}.succeededIndexes`;
    if (Buffer.byteLength(indexes) > INDEXES_BYTES_MAX) {
      errors.push(tooLong(at, `may not be more than ${INDEXES_BYTES_MAX} bytes`));
    }
    if (read.problem !== undefined) {
      errors.push(invalidValue(at, indexes, `error parsing succeededIndexes: ${read.problem}`));
    }
  }
  if (typeof count !== 'number') return errors;
  const at = `${field}.succeededCount`;
  errors.push(...notNegative(at, count));
  if (count > completions) {
    const why = `must be less than or equal to ${completions} (the number of specified completions)`;
    errors.push(invalidValue(at, count, why));
  }
  if (indexes !== undefined && count > read.total) {
    const why = `${read.total} (the number of indexes in the specified succeededIndexes field)`;
    errors.push(invalidValue(at, count, `must be less than or equal to ${why}`));
  }
  return errors;
}
