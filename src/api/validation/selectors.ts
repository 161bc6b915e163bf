import { type Check, isObject, quote } from './check.ts';
import { labels } from './metadata.ts';
import { qualifiedName } from './names.ts';
import { arrayOf, integer, nonEmpty, object, oneOf, required, string } from './shapes.ts';

const values: Check = arrayOf(string);

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** How many values an operator takes (`ValidateNodeSelectorRequirement`, `ValidateLabelSelectorRequirement`). */
const valuesFitOperator: Check = (value, field, problems) => {
  if (!isObject(value)) return;
  const operator = value['operator'];
  const list = value['values'];
  const report = (reason: string) => problems.push({ field: `${field}.values`, reason });
  if (operator === 'In' || operator === 'NotIn') {
    if (countOf(list) === 0) report(`must hold at least one value for operator ${operator}`);
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (countOf(list) > 0) report(`must be empty for operator ${operator}`);
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (countOf(list) !== 1) report(`must hold exactly one value for operator ${operator}`);
    else if (Array.isArray(list) && typeof list[0] === 'string' && !isInt64(list[0])) {
      report(`must be an integer for operator ${operator}, not ${quote(list[0])}`);
    }
  }
};

function isInt64(text: string): boolean {
  if (!/^[+-]?\d{1,25}$/.test(text)) return false;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value;
}

const matchExpression = object(
  {
    key: required(qualifiedName),
    operator: required(oneOf('selector operator', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt')),
    values,
  },
  valuesFitOperator,
);

const oneValue: Check = (value, field, problems) => {
  if (isObject(value) && countOf(value['values']) !== 1) {
    problems.push({ field: `${field}.values`, reason: 'must hold exactly one value' });
  }
};

const matchField = object(
  {
    key: required(oneOf('field', 'metadata.name')),
    operator: required(oneOf('field operator', 'In', 'NotIn')),
    values,
  },
  oneValue,
);

const nodeSelectorTerm = object({ matchExpressions: arrayOf(matchExpression), matchFields: arrayOf(matchField) });

export const nodeAffinity: Check = object({
  requiredDuringSchedulingIgnoredDuringExecution: object({
    nodeSelectorTerms: nonEmpty(arrayOf(nodeSelectorTerm)),
  }),
  preferredDuringSchedulingIgnoredDuringExecution: arrayOf(
    object({ weight: required(integer(1, 100)), preference: required(nodeSelectorTerm) }),
  ),
});

/** `matchLabels` and `matchExpressions`, as pod affinity and topology spread use them. */
const labelSelector: Check = object({
  matchLabels: labels,
  matchExpressions: arrayOf(
    object(
      {
        key: required(qualifiedName),
        operator: required(oneOf('selector operator', 'In', 'NotIn', 'Exists', 'DoesNotExist')),
        values,
      },
      valuesFitOperator,
    ),
  ),
});

const podAffinityTerm = object({
  topologyKey: required(qualifiedName),
  labelSelector,
  namespaceSelector: labelSelector,
});

export const podAffinity: Check = object({
  requiredDuringSchedulingIgnoredDuringExecution: arrayOf(podAffinityTerm),
  preferredDuringSchedulingIgnoredDuringExecution: arrayOf(
    object({ weight: required(integer(1, 100)), podAffinityTerm: required(podAffinityTerm) }),
  ),
});

export const topologySpreadConstraints: Check = arrayOf(
  object({
    maxSkew: required(integer(1, 2 ** 31 - 1)),
    topologyKey: required(qualifiedName),
    whenUnsatisfiable: required(oneOf('action', 'DoNotSchedule', 'ScheduleAnyway')),
    labelSelector,
  }),
);
