import { type Check, isMissing, type ObjectCheck } from './check.ts';
import { labels } from './metadata.ts';
import { labelValue, qualifiedName } from './names.ts';
import { arrayOf, integer, nonEmpty, object, oneOf, required, string } from './shapes.ts';

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/**
 * Checks the number of values of an operator (`ValidateNodeSelectorRequirement`, `ValidateLabelSelectorRequirement`).
 */
const valuesFitOperator: ObjectCheck = (value, field, problems) => {
  const operator = value['operator'];
  const list = value['values'];
  const report = (reason: string) => problems.push({ field: `${field}.values`, reason });
  if (operator === 'In' || operator === 'NotIn') {
    if (countOf(list) === 0) report(`must hold at least one value for operator ${operator}`);
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (countOf(list) > 0) report(`must be empty for operator ${operator}`);
  } else if (operator === 'Gt' || operator === 'Lt') {
    // Any value will do: who matches nodes finds out that it is no integer.
    if (countOf(list) !== 1) report(`must hold exactly one value for operator ${operator}`);
  }
};

function matchExpression(value: Check, ...operators: readonly string[]): Check {
  return object(
    {
      key: required(qualifiedName),
      operator: required(oneOf('selector operator', ...operators)),
      values: arrayOf(value),
    },
    valuesFitOperator,
  );
}

const SET_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

const oneValue: ObjectCheck = (value, field, problems) => {
  if (countOf(value['values']) !== 1) {
    problems.push({ field: `${field}.values`, reason: 'must hold exactly one value' });
  }
};

const matchField = object(
  {
    key: required(oneOf('field', 'metadata.name')),
    operator: required(oneOf('field operator', 'In', 'NotIn')),
    values: arrayOf(string),
  },
  oneValue,
);

function nodeSelectorTerm(value: Check): Check {
  return object({
    matchExpressions: arrayOf(matchExpression(value, ...SET_OPERATORS, 'Gt', 'Lt')),
    matchFields: arrayOf(matchField),
  });
}

/** The check of required node affinity. The API accepts only label values here, so no negative numbers. */
export const nodeSelector: Check = object({
  nodeSelectorTerms: nonEmpty(arrayOf(nodeSelectorTerm(labelValue))),
});

export const nodeAffinity: Check = object({
  requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
  preferredDuringSchedulingIgnoredDuringExecution: arrayOf(
    // The API accepts invalid label values here, which then fail the scheduling attempt.
    object({ weight: required(integer(1, 100)), preference: required(nodeSelectorTerm(string)) }),
  ),
});

/** The check of `matchLabels` and `matchExpressions`. */
export const labelSelector: Check = object({
  matchLabels: labels,
  matchExpressions: arrayOf(matchExpression(labelValue, ...SET_OPERATORS)),
});

/** The check of `matchLabelKeys` and similar fields: keys of the pod's own labels, which refine the `labelSelector`. */
export const selectorLabelKeys: Check = arrayOf(qualifiedName);

/** Refuses keys that refine a selector that is absent. */
export function labelKeysNeedSelector(...names: readonly string[]): ObjectCheck {
  return (value, field, problems) => {
    if (!isMissing(value['labelSelector'])) return;
    for (const name of names) {
      if (countOf(value[name]) === 0) continue;
      problems.push({ field: `${field}.${name}`, reason: 'must not be set when labelSelector is not set' });
    }
  };
}
