import { requirementProblems } from '../../api/label-requirement.ts';
import type { NodeAffinity, NodeSelectorRequirement, NodeSelectorTerm } from '../../api/node-selector.ts';
import { type ConfigurationError, invalid, notSupported } from '../../config/decode/field-error.ts';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;
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
  const { key, values } = requirement;
  const operator = OPERATORS.find((known) => known === requirement.operator);
  if (operator === undefined) return [notSupported(`${path}.operator`, requirement.operator, OPERATORS)];
  return requirementProblems(key, operator, values ?? []).map(({ field, value, detail }) =>
    invalid(`${path}.${field}`, field === 'values' ? (values ?? null) : value, detail),
  );
}

/** The errors of a field requirement; its key is not checked. */
function fieldErrors({ operator, values }: NodeSelectorRequirement, path: string): ConfigurationError[] {
  if (!FIELD_OPERATORS.includes(operator)) return [notSupported(`${path}.operator`, operator, FIELD_OPERATORS)];
  if (values?.length === 1) return [];
  return [invalid(`${path}.values`, values ?? null, 'must have one element')];
}

function distinct(errors: readonly ConfigurationError[]): ConfigurationError[] {
  return [...new Map(errors.map((error) => [error.message, error])).values()];
}
