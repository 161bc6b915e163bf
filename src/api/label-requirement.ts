/**
 * One condition on a set of labels, shared by label selectors and node selectors (apimachinery/pkg/labels/selector.go).
 */

import { labelKeyProblems, labelValueProblems } from './label-syntax.ts';
import type { Labels } from './meta.ts';

export type RequirementOperator = 'Equals' | 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

export type LabelMatcher = (labels: Labels) => boolean;

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/**
 * Checks and compiles one requirement. `path` is the field path at the beginning of error texts (`''`,
 * `[0].matchExpressions[1]`); the texts are upstream's, because scheduling reports them.
 */
export function compileRequirement(
  key: string,
  operator: RequirementOperator,
  values: readonly string[],
  path: string,
): LabelMatcher | { readonly errors: readonly string[] } {
  const errors = requirementErrors(key, operator, values, path);
  return errors.length > 0 ? { errors } : labelMatcher(key, operator, values);
}

/** Several errors as one text, without duplicates (apimachinery/pkg/util/errors). */
export function joinErrors(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`;
}

/** The path of a field inside `path`, which may be empty. */
export function childPath(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

/** A list of values as upstream's field errors show it: as JSON. */
export function formatStrings(values: readonly string[]): string {
  return values.length === 0 ? 'null' : JSON.stringify(values);
}

/** An unchecked equality test, as for `nodeSelector` and `matchLabels`. */
export function labelEquals(key: string, value: string): LabelMatcher {
  return (labels) => labels[key] === value;
}

function labelMatcher(key: string, operator: RequirementOperator, values: readonly string[]): LabelMatcher {
  switch (operator) {
    case 'Equals':
    case 'In': {
      if (values.length === 1) return labelEquals(key, values[0] as string);
      const accepted = new Set(values);
      return (labels) => accepted.has(labels[key] as string);
    }
    case 'NotIn': {
      const refused = new Set(values);
      return (labels) => !refused.has(labels[key] as string);
    }
    // The type is tested, not membership, since a label may be named like a member of Object.prototype.
    case 'Exists':
      return (labels) => typeof labels[key] === 'string';
    case 'DoesNotExist':
      return (labels) => typeof labels[key] !== 'string';
    case 'Gt':
    case 'Lt': {
      const bound = parseInt64(values[0] as string) as bigint;
      const greater = operator === 'Gt';
      return (labels) => {
        const label = labels[key];
        const actual = typeof label === 'string' ? parseInt64(label) : undefined;
        return actual !== undefined && (greater ? actual > bound : actual < bound);
      };
    }
  }
}

/** One reason why a requirement is malformed, with the field of the requirement that is at fault. */
export interface RequirementProblem {
  readonly field: string;
  readonly value: string | readonly string[];
  readonly detail: string;
}

export function requirementProblems(
  key: string,
  operator: RequirementOperator,
  values: readonly string[],
): RequirementProblem[] {
  const problems: RequirementProblem[] = [];
  const keyProblems = labelKeyProblems(key);
  if (keyProblems.length > 0) problems.push({ field: 'key', value: key, detail: keyProblems.join('; ') });
  const countProblem = valueCountProblem(operator, values.length);
  if (countProblem !== undefined) problems.push({ field: 'values', value: values, detail: countProblem });
  for (const [index, value] of values.entries()) {
    if ((operator === 'Gt' || operator === 'Lt') && parseInt64(value) === undefined) {
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
      problems.push({ field: `values[${index}]`, value, detail });
    }
  }
  for (const [index, value] of values.entries()) {
    const valueProblems = labelValueProblems(value);
    if (valueProblems.length === 0) continue;
    problems.push({ field: `values[${index}][${key}]`, value, detail: valueProblems.join('; ') });
  }
  return problems;
}

function requirementErrors(
  key: string,
  operator: RequirementOperator,
  values: readonly string[],
  path: string,
): string[] {
  const errors = requirementProblems(key, operator, values).map(({ field, value, detail }) => {
    const shown = typeof value === 'string' ? JSON.stringify(value) : formatStrings(value);
    return `${childPath(path, field)}: Invalid value: ${shown}: ${detail}`;
  });
  return [...new Set(errors)];
}

function valueCountProblem(operator: RequirementOperator, count: number): string | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case 'Equals':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'Exists':
    case 'DoesNotExist':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'Gt':
    case 'Lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
}

/** The value of digits with an optional sign, within 64 bits; undefined otherwise. */
function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined;
}
