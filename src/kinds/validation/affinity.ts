import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsLabel, duplicate, labelSelector, oneOf, qualifiedName } from './checks.ts';

/** Checks of node selectors, affinity, tolerations and spread constraints. */

const WEIGHT_TEXT = 'must be in the range 1-100';

export function nodeSelectorErrors(field: string, selector: JsonObject): FieldError[] {
  const terms = objectsAt(selector, 'nodeSelectorTerms');
  if (terms.length === 0) {
    return [requiredValue(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')];
  }
  return terms.flatMap((term, i) => nodeTermErrors(`${field}.nodeSelectorTerms[${i}]`, term));
}

function nodeTermErrors(field: string, term: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, rule] of objectsAt(term, 'matchExpressions').entries()) {
    const at = `${field}.matchExpressions[${i}]`;
    errors.push(...requirementErrors(at, rule), ...qualifiedName(`${at}.key`, textAt(rule, 'key')));
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
    if (rule['key'] !== 'metadata.name') {
      errors.push(invalidValue(`${at}.key`, rule['key'], 'not a valid field selector key'));
    }
  }
  return errors;
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
    errors.push(...nodeTermErrors(`${at}.preference`, objectAt(term, 'preference') ?? {}));
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
  const key = textAt(term, 'topologyKey');
  if (key === '') errors.push(requiredValue(`${field}.topologyKey`, 'can not be empty'));
  return [...errors, ...qualifiedName(`${field}.topologyKey`, key)];
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
    if (operator === 'Exists' && value !== '') {
      errors.push(invalidValue(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    } else errors.push(...oneOf(`${at}.operator`, operator, ['Equal', 'Exists']));
    errors.push(...oneOf(`${at}.effect`, effect, EFFECTS));
  }
  return errors;
}

export function spreadErrors(field: string, constraints: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, constraint] of constraints.entries()) {
    const at = `${field}[${i}]`;
    const skew = Number(constraint['maxSkew'] ?? 0);
    if (skew <= 0) errors.push(invalidValue(`${at}.maxSkew`, skew, 'must be greater than zero'));
    const key = textAt(constraint, 'topologyKey');
    if (key === '') errors.push(requiredValue(`${at}.topologyKey`, 'can not be empty'));
    else errors.push(...qualifiedName(`${at}.topologyKey`, key));
    const when = textAt(constraint, 'whenUnsatisfiable');
    errors.push(...whenErrors(`${at}.whenUnsatisfiable`, when), ...domainErrors(`${at}.minDomains`, constraint, when));
    const pair = `{${key}, ${when}}`;
    if (seen.has(pair)) errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair));
    seen.add(pair);
    for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      errors.push(...oneOf(`${at}.${name}`, constraint[name], ['Honor', 'Ignore']));
    }
    errors.push(...labelSelector(`${at}.labelSelector`, objectAt(constraint, 'labelSelector')));
  }
  return errors;
}

function whenErrors(field: string, when: string): FieldError[] {
  const choices = ['DoNotSchedule', 'ScheduleAnyway'];
  return choices.includes(when) ? [] : oneOf(field, when || ' ', choices);
}

function domainErrors(field: string, constraint: JsonObject, when: string): FieldError[] {
  const least = constraint['minDomains'];
  if (typeof least !== 'number') return [];
  const errors = least <= 0 ? [invalidValue(field, least, 'must be greater than zero')] : [];
  if (when === 'DoNotSchedule') return errors;
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`;
  return [...errors, invalidValue(field, least, why)];
}
