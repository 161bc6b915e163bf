import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import { dnsSubdomain, labelSelector, pathSegment } from './checks.ts';
import { internalJson } from './internal-json.ts';

/** Roles and their bindings (pkg/apis/rbac/validation). */

const GROUP = 'rbac.authorization.k8s.io';

function lengthOf(object: JsonObject, name: string): number {
  const value = object[name];
  return Array.isArray(value) ? value.length : 0;
}

function ruleErrors(rule: JsonObject, isNamespaced: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (lengthOf(rule, 'verbs') === 0) {
    errors.push(requiredValue(`${field}.verbs`, 'verbs must contain at least one value'));
  }
  if (lengthOf(rule, 'nonResourceURLs') > 0) {
    const refuse = (why: string): void => {
      errors.push(invalidValue(`${field}.nonResourceURLs`, rule['nonResourceURLs'], why));
    };
    if (isNamespaced) refuse('namespaced rules cannot apply to non-resource URLs');
    if (['apiGroups', 'resources', 'resourceNames'].some((name) => lengthOf(rule, name) > 0)) {
      refuse('rules cannot apply to both regular resources and non-resource URLs');
    }
    return errors;
  }
  if (lengthOf(rule, 'apiGroups') === 0) {
    errors.push(requiredValue(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (lengthOf(rule, 'resources') === 0) {
    errors.push(requiredValue(`${field}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

export function roleErrors(role: JsonObject): FieldError[] {
  return objectsAt(role, 'rules').flatMap((rule, i) => ruleErrors(rule, true, `rules[${i}]`));
}

export function clusterRoleErrors(role: JsonObject): FieldError[] {
  const errors = objectsAt(role, 'rules').flatMap((rule, i) => ruleErrors(rule, false, `rules[${i}]`));
  const aggregation = objectAt(role, 'aggregationRule');
  if (aggregation === undefined) return errors;
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = objectsAt(aggregation, 'clusterRoleSelectors');
  if (selectors.length === 0) {
    errors.push(requiredValue(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  }
  for (const [i, selector] of selectors.entries()) errors.push(...labelSelector(`${field}[${i}]`, selector));
  return errors;
}

function pathSegmentErrors(field: string, name: string): FieldError[] {
  return name === '' ? [requiredValue(field)] : pathSegment(field, name);
}

function bindingErrors(binding: JsonObject, roleKinds: readonly string[], isNamespaced: boolean): FieldError[] {
  const role = objectAt(binding, 'roleRef');
  const [group, kind] = [textAt(role, 'apiGroup'), textAt(role, 'kind')];
  const errors: FieldError[] = [];
  if (group !== GROUP) errors.push(unsupportedValue('roleRef.apiGroup', group, [GROUP]));
  if (!roleKinds.includes(kind)) errors.push(unsupportedValue('roleRef.kind', kind, roleKinds));
  errors.push(...pathSegmentErrors('roleRef.name', textAt(role, 'name')));
  for (const [i, subject] of objectsAt(binding, 'subjects').entries()) {
    errors.push(...subjectErrors(subject, isNamespaced, `subjects[${i}]`));
  }
  return errors;
}

function subjectErrors(subject: JsonObject, isNamespaced: boolean, field: string): FieldError[] {
  const [kind, name, group] = ['kind', 'name', 'apiGroup'].map((member) => textAt(subject, member));
  const errors = name === '' ? [requiredValue(`${field}.name`)] : [];
  const wanted = kind === 'ServiceAccount' ? '' : GROUP;
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') errors.push(...dnsSubdomain(`${field}.name`, name as string));
      break;
    case 'User':
    case 'Group':
      break;
    default:
      return [...errors, unsupportedValue(`${field}.kind`, kind as string, ['ServiceAccount', 'User', 'Group'])];
  }
  if (group !== wanted) errors.push(unsupportedValue(`${field}.apiGroup`, group as string, [wanted]));
  if (kind === 'ServiceAccount' && !isNamespaced && textAt(subject, 'namespace') === '') {
    errors.push(requiredValue(`${field}.namespace`));
  }
  return errors;
}

export function roleBindingErrors(binding: JsonObject): FieldError[] {
  return bindingErrors(binding, ['Role', 'ClusterRole'], true);
}

export function clusterRoleBindingErrors(binding: JsonObject): FieldError[] {
  return bindingErrors(binding, ['ClusterRole'], false);
}

/** What a binding is to may not change. */
export function roleRefIsImmutable(binding: JsonObject, old: JsonObject): FieldError[] {
  const [now, before] = [binding, old].map((one) => internalJson('rbac/v1.RoleRef', one['roleRef']));
  if (JSON.stringify(now) === JSON.stringify(before)) return [];
  return [invalidValue('roleRef', now, 'cannot change roleRef')];
}
