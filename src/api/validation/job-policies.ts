import type { JobSpec, PodFailurePolicyOnExitCodes, PodFailurePolicyRule, SuccessPolicyRule } from '../job.ts';
import { type Problem, quote } from './check.ts';
import {
  duplicateValue,
  invalidField,
  invalidValue,
  notNegative,
  requiredValue,
  tooLong,
  tooMany,
  unsupportedValue,
} from './field-error.ts';
import { countIndexes } from './index-text.ts';
import { qualifiedName } from './names.ts';

const RULES_MAX = 20;
const EXIT_CODES_MAX = 255;
const CONDITIONS_MAX = 20;

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];

/** Upstream: validatePodFailurePolicy. */
export function validatePodFailurePolicy(spec: JobSpec, field: string, problems: Problem[]): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > RULES_MAX) problems.push(tooMany(`${field}.rules`, rules.length, RULES_MAX));
  const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
  const containerNames = new Set([...containers, ...initContainers].map(({ name }) => name));
  for (const [index, rule] of rules.entries()) {
    validateRule(rule, spec, containerNames, `${field}.rules[${index}]`, problems);
  }
}

function validateRule(
  rule: PodFailurePolicyRule,
  spec: JobSpec,
  containerNames: ReadonlySet<string | undefined>,
  field: string,
  problems: Problem[],
): void {
  validateAction(rule.action, spec, `${field}.action`, problems);
  const { onExitCodes, onPodConditions = [] } = rule;
  if (onExitCodes !== undefined) validateExitCodes(onExitCodes, containerNames, `${field}.onExitCodes`, problems);
  validatePodConditions(onPodConditions, `${field}.onPodConditions`, problems);
  if (onExitCodes !== undefined && onPodConditions.length > 0) {
    problems.push(invalidField(field, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  }
  if (onExitCodes === undefined && onPodConditions.length === 0) {
    problems.push(invalidField(field, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
}

function validateAction(action: string, spec: JobSpec, field: string, problems: Problem[]): void {
  validateChoice(action, ACTIONS, field, problems);
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    problems.push(invalidValue(field, action, 'requires the backoffLimitPerIndex to be set'));
  }
}

function validateExitCodes(
  { operator, containerName, values = [] }: PodFailurePolicyOnExitCodes,
  containerNames: ReadonlySet<string | undefined>,
  field: string,
  problems: Problem[],
): void {
  validateChoice(operator, OPERATORS, `${field}.operator`, problems);
  if (containerName !== undefined && !containerNames.has(containerName)) {
    const rule = 'must be one of the container or initContainer names in the pod template';
    problems.push(invalidValue(`${field}.containerName`, containerName, rule));
  }
  const path = `${field}.values`;
  if (values.length === 0) problems.push(invalidValue(path, values, 'at least one value is required'));
  else if (values.length > EXIT_CODES_MAX) problems.push(tooMany(path, values.length, EXIT_CODES_MAX));
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      problems.push(invalidValue(`${path}[${index}]`, value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) problems.push(duplicateValue(`${path}[${index}]`, value));
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] as number) > value)) {
    problems.push(invalidValue(path, values, 'must be ordered'));
  }
}

function validatePodConditions(
  patterns: NonNullable<PodFailurePolicyRule['onPodConditions']>,
  field: string,
  problems: Problem[],
): void {
  if (patterns.length > CONDITIONS_MAX) problems.push(tooMany(field, patterns.length, CONDITIONS_MAX));
  for (const [index, { type, status = '' }] of patterns.entries()) {
    qualifiedName(type, `${field}[${index}].type`, problems);
    validateChoice(status, STATUSES, `${field}[${index}].status`, problems);
  }
}

function validateChoice(value: string, allowed: readonly string[], field: string, problems: Problem[]): void {
  if (value === '') problems.push(requiredValue(field, `valid values: [${allowed.map(quote).join(' ')}]`));
  else if (!allowed.includes(value)) problems.push(unsupportedValue(field, value, allowed));
}

const INDEXES_MAX_BYTES = 64 * 1024;

/** Checks the success policy of an indexed Job. Upstream: validateSuccessPolicy. */
export function validateSuccessPolicy(spec: JobSpec, field: string, problems: Problem[]): void {
  const rules = spec.successPolicy?.rules ?? [];
  const path = `${field}.rules`;
  if (rules.length === 0) {
    problems.push(requiredValue(path, 'at least one rules must be specified when the successPolicy is specified'));
  }
  if (rules.length > RULES_MAX) problems.push(tooMany(path, rules.length, RULES_MAX));
  const { completions = 0 } = spec;
  for (const [index, rule] of rules.entries()) validateSuccessRule(rule, completions, `${path}[${index}]`, problems);
}

function validateSuccessRule(rule: SuccessPolicyRule, completions: number, field: string, problems: Problem[]): void {
  const { succeededCount, succeededIndexes } = rule;
  if (succeededCount === undefined && succeededIndexes === undefined) {
    problems.push(requiredValue(field, 'at least one of succeededCount or succeededIndexes must be specified'));
  }
  const indexCount = validateIndexes(succeededIndexes, completions, `${field}.succeededIndexes`, problems);
  if (succeededCount === undefined) return;
  const path = `${field}.succeededCount`;
  const report = (max: number, what: string) =>
    problems.push(invalidValue(path, succeededCount, `must be less than or equal to ${max} (the number of ${what})`));
  notNegative(succeededCount, path, problems);
  if (succeededCount > completions) report(completions, 'specified completions');
  if (indexCount !== undefined && succeededCount > indexCount) {
    report(indexCount, 'indexes in the specified succeededIndexes field');
  }
}

/** Checks the indexes and returns their number; undefined when none are named. */
function validateIndexes(
  text: string | undefined,
  completions: number,
  field: string,
  problems: Problem[],
): number | undefined {
  if (text === undefined) return undefined;
  if (text.length > INDEXES_MAX_BYTES) problems.push(tooLong(field, INDEXES_MAX_BYTES));
  const count = countIndexes(text, completions);
  if (typeof count === 'number') return count;
  problems.push(invalidValue(field, text, `error parsing succeededIndexes: ${count.error}`));
  return 0;
}
