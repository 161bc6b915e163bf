import { isObject, type UnknownObject } from './check.ts';
import { areLabels, isKey, isListOf, isListOfObjects, isPlainValue, isText } from './plain-values.ts';

/** Selectors of labels and of nodes that are valid at a glance. */

/** Whether the selector of labels passes all checks, thorough or not. */
export function isPlainSelector(selector: unknown): boolean {
  if (!isObject(selector)) return false;
  const { matchLabels, matchExpressions } = selector;
  return (
    (matchLabels === undefined || areLabels(matchLabels)) &&
    (matchExpressions === undefined || isListOfObjects(matchExpressions, isLabelRequirement))
  );
}

/** Whether the term is valid in required node affinity. */
export function isPlainSelectorTerm(term: unknown): boolean {
  return isObject(term) && isTermOf(term, isNodeRequirement);
}

/** Whether the term is valid in preferred node affinity, where the API accepts any value. */
export function isPlainPreferredTerm(term: unknown): boolean {
  return isObject(term) && isTermOf(term, isPreferredRequirement);
}

function isTermOf(
  { matchExpressions, matchFields }: UnknownObject,
  isRequirement: (requirement: UnknownObject) => boolean,
): boolean {
  return (
    (matchExpressions === undefined || isListOfObjects(matchExpressions, isRequirement)) &&
    (matchFields === undefined || isListOfObjects(matchFields, isNameRequirement))
  );
}

function isLabelRequirement({ key, operator, values }: UnknownObject): boolean {
  return isKey(key) && isSetOperator(operator, values) && areValues(values, isPlainValue);
}

function isNodeRequirement({ key, operator, values }: UnknownObject): boolean {
  return isKey(key) && isNodeOperator(operator, values) && areValues(values, isPlainValue);
}

function isPreferredRequirement({ key, operator, values }: UnknownObject): boolean {
  return isKey(key) && isNodeOperator(operator, values) && areValues(values, isText);
}

function isNameRequirement({ key, operator, values }: UnknownObject): boolean {
  if (key !== 'metadata.name' || (operator !== 'In' && operator !== 'NotIn')) return false;
  return lengthOf(values) === 1 && areValues(values, isText);
}

function areValues(values: unknown, isValue: (value: unknown) => boolean): boolean {
  return values === undefined || isListOf(values, isValue);
}

function lengthOf(values: unknown): number {
  return Array.isArray(values) ? values.length : 0;
}

/** Whether the operator is one of label selectors, with as many values as it takes. */
function isSetOperator(operator: unknown, values: unknown): boolean {
  if (operator === 'In' || operator === 'NotIn') return lengthOf(values) > 0;
  return (operator === 'Exists' || operator === 'DoesNotExist') && lengthOf(values) === 0;
}

function isNodeOperator(operator: unknown, values: unknown): boolean {
  return isSetOperator(operator, values) || ((operator === 'Gt' || operator === 'Lt') && lengthOf(values) === 1);
}
