import { isObject, type UnknownObject } from './check.ts';
import { isPlainPreferredTerm, isPlainSelector, isPlainSelectorTerm } from './plain-selectors.ts';
import {
  isFilled,
  isKey,
  isListOf,
  isListOfObjects,
  isOneOrNone,
  isPlainName,
  isTextOrNone,
  isWhole,
} from './plain-values.ts';
import { INT32_MAX, SAFE_MAX } from './shapes.ts';

/** What says where a pod may run, valid at a glance: tolerations, affinity, spread constraints and gates. */

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute', ''] as const;
const TOLERATION_OPERATORS = ['Exists', 'Equal', ''] as const;
const POLICIES = ['Honor', 'Ignore'] as const;

/** Whether the tolerations pass all checks, thorough or not. */
export function arePlainTolerations(tolerations: unknown): boolean {
  return isListOfObjects(tolerations, isPlainToleration);
}

function isPlainToleration({ key, operator, value, effect, tolerationSeconds }: UnknownObject): boolean {
  if (!isOneOrNone(operator, TOLERATION_OPERATORS) || !isOneOrNone(effect, EFFECTS) || !isTextOrNone(value)) {
    return false;
  }
  if (operator === 'Exists' ? value !== undefined && value !== '' : !isKey(key)) return false;
  if (key !== undefined && key !== '' && !isKey(key)) return false;
  return tolerationSeconds === undefined || (effect === 'NoExecute' && isWhole(tolerationSeconds, -SAFE_MAX, SAFE_MAX));
}

export function isPlainAffinity(affinity: unknown): boolean {
  if (!isObject(affinity)) return false;
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  return (
    (nodeAffinity === undefined || isPlainNodeAffinity(nodeAffinity)) &&
    (podAffinity === undefined || isPlainPodAffinity(podAffinity)) &&
    (podAntiAffinity === undefined || isPlainPodAffinity(podAntiAffinity))
  );
}

function isPlainNodeAffinity(affinity: unknown): boolean {
  return areTerms(affinity, isPlainNodeSelector, ({ preference }) => isPlainPreferredTerm(preference));
}

function isPlainNodeSelector(selector: unknown): boolean {
  if (!isObject(selector)) return false;
  const { nodeSelectorTerms: terms } = selector;
  return isListOf(terms, isPlainSelectorTerm) && (terms as readonly unknown[]).length > 0;
}

function isPlainPodAffinity(affinity: unknown): boolean {
  const areRequired = (required: unknown): boolean => isListOf(required, isPlainTerm);
  return areTerms(affinity, areRequired, ({ podAffinityTerm }) => isPlainTerm(podAffinityTerm));
}

/** Whether affinity of one kind has valid terms: what is required, and preferences, each with a weight. */
function areTerms(
  affinity: unknown,
  areRequired: (required: unknown) => boolean,
  isPreferred: (preferred: UnknownObject) => boolean,
): boolean {
  if (!isObject(affinity)) return false;
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity;
  if (required !== undefined && !areRequired(required)) return false;
  return (
    preferred === undefined ||
    isListOfObjects(preferred, (item) => isWhole(item['weight'], 1, 100) && isPreferred(item))
  );
}

function isPlainTerm(term: unknown): boolean {
  if (!isObject(term)) return false;
  const { topologyKey, labelSelector, namespaces, namespaceSelector, matchLabelKeys, mismatchLabelKeys } = term;
  return (
    isKey(topologyKey) &&
    (labelSelector === undefined || isPlainSelector(labelSelector)) &&
    (namespaces === undefined || isListOf(namespaces, isPlainName)) &&
    (namespaceSelector === undefined || isPlainSelector(namespaceSelector)) &&
    areRefinements(matchLabelKeys, labelSelector) &&
    areRefinements(mismatchLabelKeys, labelSelector) &&
    (matchLabelKeys === undefined || mismatchLabelKeys === undefined || areDisjoint(matchLabelKeys, mismatchLabelKeys))
  );
}

/** Whether there are no keys that refine the selector, or valid ones. */
function areRefinements(keys: unknown, selector: unknown): boolean {
  return keys === undefined || (selector !== undefined && isListOf(keys, isKey));
}

function areDisjoint(keys: unknown, others: unknown): boolean {
  return !(keys as readonly unknown[]).some((key) => (others as readonly unknown[]).includes(key));
}

export function arePlainConstraints(constraints: unknown): boolean {
  return isListOfObjects(constraints, isPlainConstraint) && areDistinct(constraints as readonly UnknownObject[]);
}

function isPlainConstraint(constraint: UnknownObject): boolean {
  const { maxSkew, topologyKey, whenUnsatisfiable, labelSelector, minDomains } = constraint;
  const isHard = whenUnsatisfiable === 'DoNotSchedule';
  return (
    isWhole(maxSkew, 1, INT32_MAX) &&
    isKey(topologyKey) &&
    (isHard || whenUnsatisfiable === 'ScheduleAnyway') &&
    (labelSelector === undefined || isPlainSelector(labelSelector)) &&
    (minDomains === undefined || (isHard && isWhole(minDomains, 1, INT32_MAX))) &&
    isOneOrNone(constraint['nodeAffinityPolicy'], POLICIES) &&
    isOneOrNone(constraint['nodeTaintsPolicy'], POLICIES) &&
    areRefinements(constraint['matchLabelKeys'], labelSelector)
  );
}

/** Whether constraints with one key differ in what happens when they are not met. */
function areDistinct(constraints: readonly UnknownObject[]): boolean {
  for (let i = 1; i < constraints.length; i++) {
    const { topologyKey, whenUnsatisfiable } = constraints[i] as UnknownObject;
    for (let j = 0; j < i; j++) {
      const other = constraints[j] as UnknownObject;
      if (other['topologyKey'] === topologyKey && other['whenUnsatisfiable'] === whenUnsatisfiable) return false;
    }
  }
  return true;
}

/** Whether the gates pass all checks; several are left to the checks, which compare them. */
export function arePlainGates(gates: unknown): boolean {
  return isListOfObjects(gates, ({ name }) => isFilled(name) && isKey(name)) && (gates as unknown[]).length < 2;
}
