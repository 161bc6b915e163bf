import type { JobSpec, SuccessPolicyRule } from '../job.ts';
import type { Problem } from './check.ts';
import { invalidValue, notNegative, requiredValue, tooLong, tooMany } from './field-error.ts';
import { countIndexes } from './index-text.ts';

const RULES_MAX = 20;
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
  for (const [index, rule] of rules.entries()) validateRule(rule, completions, `${path}[${index}]`, problems);
}

function validateRule(rule: SuccessPolicyRule, completions: number, field: string, problems: Problem[]): void {
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
