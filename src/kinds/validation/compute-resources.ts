import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue } from '../object/field-errors.ts';
import type { JsonObject } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  compareAmounts,
  duplicate,
  isNegativeAmount,
  isWholeAmount,
  NOT_NEGATIVE,
  notFound,
  qualifiedName,
} from './checks.ts';

/** Checks of requests and limits (ValidateContainerResourceRequirements). */

const STANDARD = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'storage',
  'pods',
  'services',
  'secrets',
  'configmaps',
]);
const OF_CONTAINERS = new Set(['cpu', 'memory', 'ephemeral-storage']);

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** A resource that only whole units of can be had: one with a domain of its own. */
export function isExtended(name: string): boolean {
  return name.includes('/') && !name.startsWith('kubernetes.io/') && !name.startsWith('requests.');
}

export function resourceErrors(
  field: string,
  resources: JsonObject | undefined,
  claimNames: ReadonlySet<string>,
): FieldError[] {
  const limits = objectAt(resources, 'limits') ?? {};
  const requests = objectAt(resources, 'requests') ?? {};
  const errors: FieldError[] = [];
  for (const name of Object.keys(limits).sort()) {
    errors.push(
      ...nameErrors(`${field}.limits[${name}]`, name),
      ...amountErrors(`${field}.limits[${name}]`, limits, name),
    );
  }
  for (const name of Object.keys(requests).sort()) {
    const at = `${field}.requests[${name}]`;
    errors.push(
      ...nameErrors(at, name),
      ...amountErrors(at, requests, name),
      ...limitErrors(field, requests, limits, name),
    );
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbiddenField(field, 'HugePages require cpu or memory'));
  }
  return [...errors, ...claimErrors(`${field}.claims`, objectsAt(resources, 'claims'), claimNames)];
}

function nameErrors(field: string, name: string): FieldError[] {
  const errors = qualifiedName(field, name);
  if (errors.length > 0 || name.includes('/')) return errors;
  if (!STANDARD.has(name) && !isHugePages(name)) {
    errors.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'));
  }
  if (!OF_CONTAINERS.has(name) && !isHugePages(name)) {
    errors.push(invalidValue(field, name, 'must be a standard resource for containers'));
  }
  return errors;
}

function amountErrors(field: string, amounts: JsonObject, name: string): FieldError[] {
  const amount = amounts[name];
  if (isNegativeAmount(amount)) return [invalidValue(field, amount, NOT_NEGATIVE)];
  const isWhole = !isExtended(name) || isWholeAmount(amount);
  return isWhole ? [] : [invalidValue(field, amount, 'must be an integer')];
}

/** A request is at most the limit; of what cannot be overcommitted it is the limit. */
function limitErrors(field: string, requests: JsonObject, limits: JsonObject, name: string): FieldError[] {
  const [request, limit] = [requests[name], limits[name]];
  const isStrict = isExtended(name) || isHugePages(name);
  if (limit === undefined) {
    const why = 'Limit must be set for non overcommitable resources';
    return isStrict ? [requiredValue(`${field}.limits`, why)] : [];
  }
  const order = compareAmounts(request, limit);
  if (isStrict && order !== 0) {
    return [invalidValue(`${field}.requests`, request, `must be equal to ${name} limit of ${String(limit)}`)];
  }
  if (order <= 0) return [];
  return [
    invalidValue(`${field}.requests`, request, `must be less than or equal to ${name} limit of ${String(limit)}`),
  ];
}

function claimErrors(field: string, claims: readonly JsonObject[], known: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, claim] of claims.entries()) {
    const name = textAt(claim, 'name');
    if (name === '') errors.push(requiredValue(`${field}[${i}]`));
    else {
      const key = JSON.stringify([name, textAt(claim, 'request')]);
      if (seen.has(key)) errors.push(duplicate(`${field}[${i}]`, name));
      seen.add(key);
      if (!known.has(name)) errors.push(notFound(`${field}[${i}]`, name));
    }
  }
  return errors;
}
