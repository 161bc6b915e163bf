import { labelKeyProblems, labelValueProblems } from '../../api/label-syntax.ts';
import type { NodeAffinity, NodeSelectorRequirement, NodeSelectorTerm } from '../../api/node-selector.ts';
import { type ConfigurationError, invalid, notSupported } from '../../config/decode/field-error.ts';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const FIELD_OPERATORS = ['In', 'NotIn'];

/**
 * The errors with which the terms cannot be compiled (component-helpers/scheduling/corev1/nodeaffinity). Empty terms
 * are valid.
 */
export function requiredTermErrors(
  selector: NodeAffinity['requiredDuringSchedulingIgnoredDuringExecution'],
  path: string,
): ConfigurationError[] {
  return distinct(
    (selector?.nodeSelectorTerms ?? []).flatMap((term, i) => termErrors(term, `${path}.nodeSelectorTerms[${i}]`)),
  );
}

/** The errors of preferred terms; terms of weight 0 are not checked. */
export function preferredTermErrors(
  terms: NodeAffinity['preferredDuringSchedulingIgnoredDuringExecution'],
  path: string,
): ConfigurationError[] {
  return distinct(
    (terms ?? []).flatMap(({ weight, preference }, i) => (weight === 0 ? [] : termErrors(preference, `${path}[${i}]`))),
  );
}

function termErrors({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, path: string): ConfigurationError[] {
  return [
    ...matchExpressions.flatMap((requirement, i) => expressionErrors(requirement, `${path}.matchExpressions[${i}]`)),
    ...matchFields.flatMap((requirement, i) => fieldErrors(requirement, `${path}.matchFields[${i}]`)),
  ];
}

function expressionErrors(requirement: NodeSelectorRequirement, path: string): ConfigurationError[] {
  const { key, operator, values = [] } = requirement;
  if (!OPERATORS.includes(operator)) return [notSupported(`${path}.operator`, operator, OPERATORS)];
  const errors: ConfigurationError[] = [];
  const keyProblems = labelKeyProblems(key);
  if (keyProblems.length > 0) errors.push(invalid(`${path}.key`, key, keyProblems.join('; ')));
  const countProblem = valueCountProblem(operator, values.length);
  if (countProblem !== undefined) {
    errors.push(invalid(`${path}.values`, requirement.values ?? null, countProblem));
  }
  for (const [i, value] of values.entries()) {
    if ((operator === 'Gt' || operator === 'Lt') && !isInt64(value)) {
      errors.push(invalid(`${path}.values[${i}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  }
  for (const [i, value] of values.entries()) {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalid(`${path}.values[${i}][${key}]`, value, problems.join('; ')));
  }
  return errors;
}

/** The errors of a field requirement; its key is not checked. */
function fieldErrors({ operator, values }: NodeSelectorRequirement, path: string): ConfigurationError[] {
  if (!FIELD_OPERATORS.includes(operator)) return [notSupported(`${path}.operator`, operator, FIELD_OPERATORS)];
  if (values?.length === 1) return [];
  return [invalid(`${path}.values`, values ?? null, 'must have one element')];
}

function valueCountProblem(operator: string, count: number): string | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case 'Gt':
    case 'Lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    default:
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
  }
}

function isInt64(text: string): boolean {
  if (!/^[+-]?\d+$/.test(text)) return false;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value;
}

function distinct(errors: readonly ConfigurationError[]): ConfigurationError[] {
  return [...new Map(errors.map((error) => [error.message, error])).values()];
}
