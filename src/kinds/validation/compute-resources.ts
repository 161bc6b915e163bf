import { labelKeyProblems } from '../../api/label-syntax.ts';
import type { PodSpec } from '../../api/pod.ts';
import { exactPodRequests } from '../../api/pod-requests.ts';
import { formatQuantity } from '../../api/quantity.ts';
import { quantityNano } from '../../api/quantity-text.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import { forbiddenField, invalidValue, requiredValue, unsupportedValue } from '../object/field-errors.ts';
import type { JsonObject, JsonValue } from '../object/json.ts';
import type { FieldError } from '../object/status-error.ts';
import {
  compareAmounts,
  dnsLabel,
  duplicate,
  isNegativeAmount,
  isWholeAmount,
  NOT_NEGATIVE,
  notFound,
  qualifiedName,
} from './checks.ts';

/** Checks of requests and limits (ValidateContainerResourceRequirements). */

/** Resources of which only whole units are counted. */
const COUNTED = new Set([
  ...['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
]);

const OF_CONTAINERS = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** The resources of quotas that have no domain. */
export const OF_QUOTAS: ReadonlySet<string> = new Set([
  ...[...OF_CONTAINERS, ...COUNTED, 'requests.cpu', 'requests.memory', 'requests.storage'],
  ...['requests.ephemeral-storage', 'limits.cpu', 'limits.memory', 'limits.ephemeral-storage'],
]);

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Whether the name has no domain, or that of Kubernetes. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** A resource with a domain of its own, of which only whole units can be had. */
export function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && labelKeyProblems(`requests.${name}`).length === 0;
}

/** The problems that the name of any resource may have (validateResourceName). */
export function resourceNameErrors(field: string, name: string): FieldError[] {
  const errors = qualifiedName(field, name);
  if (errors.length > 0 || name.includes('/') || OF_QUOTAS.has(name) || name === 'storage') return errors;
  if (isHugePages(name) || name.startsWith('requests.hugepages-')) return [];
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified')];
}

export function containerResourceNameErrors(field: string, name: string): FieldError[] {
  const errors = resourceNameErrors(field, name);
  if (!name.includes('/')) {
    if (OF_CONTAINERS.has(name) || isHugePages(name)) return errors;
    return [...errors, invalidValue(field, name, 'must be a standard resource for containers')];
  }
  if (isNative(name) || isExtended(name)) return errors;
  return [...errors, invalidValue(field, name, "doesn't follow extended resource name standard")];
}

/** The resources that a pod can ask for as a whole. */
const OF_PODS = ['cpu', 'hugepages-', 'memory'];

function podResourceNameErrors(field: string, name: string): FieldError[] {
  const errors = resourceNameErrors(field, name);
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePages(name)) return errors;
  return [unsupportedValue(field, name, OF_PODS)];
}

type NameCheck = (field: string, name: string) => FieldError[];

export function resourceErrors(
  field: string,
  resources: JsonObject | undefined,
  claimNames: ReadonlySet<string>,
  nameErrors: NameCheck = containerResourceNameErrors,
): FieldError[] {
  const limits = objectAt(resources, 'limits') ?? {};
  const requests = objectAt(resources, 'requests') ?? {};
  const errors: FieldError[] = [];
  for (const name of Object.keys(limits).sort()) {
    const at = `${field}.limits[${name}]`;
    errors.push(
      ...nameErrors(at, name),
      ...amountErrors(at, name, limits[name]),
      ...pageErrors(at, name, limits[name]),
    );
  }
  for (const name of Object.keys(requests).sort()) {
    const at = `${field}.requests[${name}]`;
    errors.push(
      ...nameErrors(at, name),
      ...amountErrors(at, name, requests[name]),
      ...limitErrors(field, requests, limits, name),
      ...pageErrors(at, name, requests[name]),
    );
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbiddenField(field, 'HugePages require cpu or memory'));
  }
  return [...errors, ...claimErrors(`${field}.claims`, objectsAt(resources, 'claims'), claimNames)];
}

/** Checks an amount of any resource (ValidateResourceQuantityValue). */
export function amountErrors(field: string, name: string, amount: JsonValue | undefined): FieldError[] {
  const errors = isNegativeAmount(amount) ? [invalidValue(field, amount, NOT_NEGATIVE)] : [];
  const isWhole = !(COUNTED.has(name) || isExtended(name)) || isWholeAmount(amount);
  return isWhole ? errors : [...errors, invalidValue(field, amount, 'must be an integer')];
}

/** Huge pages come whole. */
function pageErrors(field: string, name: string, amount: JsonValue | undefined): FieldError[] {
  if (!isHugePages(name)) return [];
  const size = name.slice('hugepages-'.length);
  const pages = { size: isQuantity(size) ? quantityNano(size) : 0n, amount: quantityNano(String(amount ?? '0')) };
  if (pages.size > 0n && pages.amount % pages.size === 0n) return [];
  return [invalidValue(field, amount, `${String(amount)} is not positive integer multiple of ${name}`)];
}

function isQuantity(text: string): boolean {
  return /^\d+(?:\.\d+)?(?:[kMGTPE]i?|Ki)?$/.test(text);
}

/** Checks what a pod asks for as a whole, and that its containers ask for no more (validatePodResources). */
export function podResourceErrors(field: string, spec: JsonObject, claimNames: ReadonlySet<string>): FieldError[] {
  const resources = objectAt(spec, 'resources');
  if (resources === undefined) return [];
  const errors: FieldError[] = [];
  if (resources['claims'] !== undefined) {
    errors.push(forbiddenField(`${field}.claims`, 'claims cannot be set for Resources at pod-level'));
  }
  errors.push(...resourceErrors(field, resources, claimNames, podResourceNameErrors));
  const requests = objectAt(resources, 'requests') ?? {};
  for (const [name, amount] of Object.entries(containerRequests(spec)).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const given = requests[name] ?? '0';
    if (compareAmounts(amount, given) <= 0) continue;
    const why = `must be greater than or equal to aggregate container requests of ${amount}`;
    errors.push(invalidValue(`${field}.requests[${name}]`, given, why));
  }
  const limits = objectAt(resources, 'limits') ?? {};
  for (const [i, container] of objectsAt(spec, 'containers').entries()) {
    const own = objectAt(objectAt(container, 'resources'), 'limits') ?? {};
    for (const name of Object.keys(own).sort()) {
      if (limits[name] === undefined || compareAmounts(own[name], limits[name]) <= 0) continue;
      const why = `must be less than or equal to pod limits of ${String(limits[name])}`;
      errors.push(invalidValue(`${field}.containers[${i}][${name}].limits`, own[name], why));
    }
  }
  return errors;
}

/** What the containers ask for together: those that run side by side, or the greatest that runs before them. */
function containerRequests(spec: JsonObject): Record<string, string> {
  const { resources: _, overhead: __, ...withoutOwn } = spec;
  const total = exactPodRequests({ spec: withoutOwn as unknown as PodSpec });
  return Object.fromEntries([...total].map(([name, amount]) => [name, formatQuantity(amount)]));
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

/** Checks the claims of a container. One that names no request of a claim stands for all of them. */
function claimErrors(field: string, claims: readonly JsonObject[], known: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const isPartSeen = (name: string): boolean => [...seen].some((key) => key.startsWith(`${name}/`));
  for (const [i, claim] of claims.entries()) {
    const [name, request] = [textAt(claim, 'name'), textAt(claim, 'request')];
    const at = `${field}[${i}]`;
    if (name === '') {
      errors.push(requiredValue(at));
      continue;
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      const key = request === '' ? name : `${name}/${request}`;
      if (request !== '') errors.push(...dnsLabel(`${at}.request`, request));
      if (seen.has(key) || (request === '' && isPartSeen(name))) errors.push(duplicate(at, key));
      seen.add(key);
    }
    if (!known.has(name)) errors.push(unknownClaim(at, name, known));
  }
  return errors;
}

function unknownClaim(field: string, name: string, known: ReadonlySet<string>): FieldError {
  const error = notFound(field, name);
  const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
  return { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${names}` };
}
