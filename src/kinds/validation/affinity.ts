import { labelValueProblems } from '../../api/label-syntax.ts';
import { objectAt, objectsAt, textAt, textsAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabel, dnsSubdomainProblems, duplicate, labelSelector, oneOf, qualifiedName } from './checks.ts';

/** Checks of node selectors, affinity, tolerations and spread constraints. */

const WEIGHT_TEXT = 'must be in the range 1-100';

/** Checks a node selector that must match. The values of one that is only preferred may be no labels. */
export function nodeSelectorErrors(field: string, selector: JsonObject): FieldError[] {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  if (terms.length === 0) {
    return [requiredValue(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')];
  }
  return terms.flatMap((term, i) => nodeTermErrors(`${field}.nodeSelectorTerms[${i}]`, term, true));
}

function nodeTermErrors(field: string, term: JsonObject, isRequired: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, rule] of objectsAt(term, 'matchExpressions').entries()) {
    const at = `${field}.matchExpressions[${i}]`;
    errors.push(...requirementErrors(at, rule), ...qualifiedName(`${at}.key`, textAt(rule, 'key')));
    if (isRequired) errors.push(...valueErrors(at, rule, labelValueProblems));
  }
  for (const [i, rule] of objectsAt(term, 'matchFields').entries()) {
    const at = `${field}.matchFields[${i}]`;
    const values = Array.isArray(rule['values']) ? rule['values'] : [];
    if (rule['operator'] !== 'In' && rule['operator'] !== 'NotIn') {
      errors.push(invalidValue(`${at}.operator`, rule['operator'], 'not a valid selector operator'));
    } else if (values.length !== 1) {
      const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
      errors.push(requiredValue(`${at}.values`, why));
    }
    if (rule['key'] === 'metadata.name') errors.push(...valueErrors(at, rule, dnsSubdomainProblems));
    else errors.push(invalidValue(`${at}.key`, rule['key'], 'not a valid field selector key'));
  }
  return errors;
}

function valueErrors(field: string, rule: JsonObject, problems: (value: string) => readonly string[]): FieldError[] {
  const values = Array.isArray(rule['values']) ? rule['values'].map(String) : [];
  return values.flatMap((value, i) => problems(value).map((why) => invalidValue(`${field}.values[${i}]`, value, why)));
}

function requirementErrors(field: string, rule: JsonObject): FieldError[] {
  const values = Array.isArray(rule['values']) ? rule['values'] : [];
  switch (rule['operator']) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return [];
      return [requiredValue(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(`${field}.operator`, rule['operator'], 'not a valid selector operator')];
  }
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function affinityErrors(field: string, affinity: JsonObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const node = objectAt(affinity, 'nodeAffinity');
  const required = objectAt(node, REQUIRED);
  if (required !== undefined) errors.push(...nodeSelectorErrors(`${field}.nodeAffinity.${REQUIRED}`, required));
  for (const [i, term] of objectsAt(node, PREFERRED).entries()) {
    const at = `${field}.nodeAffinity.${PREFERRED}[${i}]`;
    errors.push(...weightErrors(`${at}.weight`, term));
    errors.push(...nodeTermErrors(`${at}.preference`, objectAt(term, 'preference') ?? {}, false));
  }
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const pods = objectAt(affinity, name);
    for (const [i, term] of objectsAt(pods, REQUIRED).entries()) {
      errors.push(...podTermErrors(`${field}.${name}.${REQUIRED}[${i}]`, term));
    }
    for (const [i, weighted] of objectsAt(pods, PREFERRED).entries()) {
      const at = `${field}.${name}.${PREFERRED}[${i}]`;
      errors.push(...weightErrors(`${at}.weight`, weighted));
      errors.push(...podTermErrors(`${at}.podAffinityTerm`, objectAt(weighted, 'podAffinityTerm') ?? {}));
    }
  }
  return errors;
}

function weightErrors(field: string, term: JsonObject): FieldError[] {
  const weight = Number(term['weight'] ?? 0);
  return weight < 1 || weight > 100 ? [invalidValue(field, weight, WEIGHT_TEXT)] : [];
}

function podTermErrors(field: string, term: JsonObject): FieldError[] {
  const errors = [
    ...labelSelector(`${field}.labelSelector`, objectAt(term, 'labelSelector')),
    ...labelSelector(`${field}.namespaceSelector`, objectAt(term, 'namespaceSelector')),
  ];
  const namespaces = Array.isArray(term['namespaces']) ? term['namespaces'] : [];
  for (const name of namespaces) errors.push(...dnsLabel(`${field}.namespace`, String(name)));
  errors.push(...labelKeyErrors(field, term));
  const key = textAt(term, 'topologyKey');
  if (key === '') errors.push(requiredValue(`${field}.topologyKey`, 'can not be empty'));
  return [...errors, ...qualifiedName(`${field}.topologyKey`, key)];
}

const KEYS_NEED_SELECTOR = 'must not be specified when labelSelector is not set';

/** Checks the keys of labels in which pods are compared (validateMatchLabelKeysAndMismatchLabelKeys). */
function labelKeyErrors(field: string, term: JsonObject): FieldError[] {
  const selector = objectAt(term, 'labelSelector');
  const [matched, mismatched] = [textsAt(term, 'matchLabelKeys'), textsAt(term, 'mismatchLabelKeys')];
  const errors: FieldError[] = [];
  for (const [name, keys] of [['matchLabelKeys', matched] as const, ['mismatchLabelKeys', mismatched] as const]) {
    const at = `${field}.${name}`;
    if (selector === undefined && keys.length > 0) errors.push(forbiddenField(at, KEYS_NEED_SELECTOR));
    else for (const [i, key] of keys.entries()) errors.push(...qualifiedName(`${at}[${i}]`, key));
  }
  // A new pod's selector has a requirement for each key by now, so that one that is met again was there before.
  const seen = new Set(Object.keys(objectAt(selector, 'matchLabels') ?? {}));
  for (const rule of objectsAt(selector, 'matchExpressions')) {
    const key = textAt(rule, 'key');
    const i = matched.lastIndexOf(key);
    if (i >= 0 && seen.has(key)) {
      errors.push(invalidValue(`${field}[${i}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
    seen.add(key);
  }
  for (const [i, key] of matched.entries()) {
    if (!mismatched.includes(key)) continue;
    const why = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(invalidValue(`${field}.matchLabelKeys[${i}]`, key, why));
  }
  return errors;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function tolerationErrors(field: string, tolerations: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, toleration] of tolerations.entries()) {
    const at = `${field}[${i}]`;
    const [key, operator, value] = ['key', 'operator', 'value'].map((name) => textAt(toleration, name));
    const effect = textAt(toleration, 'effect');
    if (key !== '') errors.push(...qualifiedName(`${at}.key`, key!));
    if (key === '' && operator !== 'Exists') {
      const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalidValue(`${at}.operator`, operator, why));
    }
    if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
      errors.push(invalidValue(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    if (operator === 'Exists') {
      if (value !== '') {
        errors.push(invalidValue(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
      }
    } else if (operator === 'Equal' || operator === '') {
      const problems = labelValueProblems(value!);
      if (problems.length > 0) errors.push(invalidValue(`${at}.operator`, value, problems.join(';')));
    } else errors.push(...oneOf(`${at}.operator`, operator, ['Equal', 'Exists']));
    errors.push(...oneOf(`${at}.effect`, effect, EFFECTS));
  }
  return errors;
}

export function spreadErrors(field: string, constraints: readonly JsonObject[]): FieldError[] {
  const pairs = constraints.map((one) => `{${textAt(one, 'topologyKey')}, ${textAt(one, 'whenUnsatisfiable')}}`);
  return constraints.flatMap((constraint, i) => {
    const at = `${field}[${i}]`;
    const errors: FieldError[] = [];
    const skew = Number(constraint['maxSkew'] ?? 0);
    if (skew <= 0) errors.push(invalidValue(`${at}.maxSkew`, skew, 'must be greater than zero'));
    if (textAt(constraint, 'topologyKey') === '') errors.push(requiredValue(`${at}.topologyKey`, 'can not be empty'));
    const when = textAt(constraint, 'whenUnsatisfiable');
    if (!ACTIONS.includes(when)) errors.push(unsupportedValue(`${at}.whenUnsatisfiable`, when, ACTIONS));
    const pair = pairs[i] as string;
    if (pairs.includes(pair, i + 1)) errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair));
    errors.push(...domainErrors(`${at}.minDomains`, constraint, when));
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      errors.push(...oneOf(`${at}.${name}`, constraint[name], ['Honor', 'Ignore']));
    }
    const selector = objectAt(constraint, 'labelSelector');
    errors.push(...labelKeyErrors(at, constraint));
    return [...errors, ...labelSelector(`${at}.labelSelector`, selector)];
  });
}

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

function domainErrors(field: string, constraint: JsonObject, when: string): FieldError[] {
  const least = constraint['minDomains'];
  if (typeof least !== 'number') return [];
  const errors = least <= 0 ? [invalidValue(field, least, 'must be greater than zero')] : [];
  if (when === 'DoNotSchedule') return errors;
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;
  return [...errors, invalidValue(field, least, why)];
}
