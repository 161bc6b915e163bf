/** Limit ranges: what a namespace gives containers that ask for nothing, and what it refuses. Upstream: LimitRanger. */
import { parseQuantity } from '../../api/quantity.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { forbidden } from '../../kinds/object/refusals.ts';
import type { ResourceRequest } from '../context/context.ts';

type Amounts = Readonly<Record<string, string>>;

interface Limit {
  readonly type: string;
  readonly min?: Amounts;
  readonly max?: Amounts;
  readonly default?: Amounts;
  readonly defaultRequest?: Amounts;
  readonly maxLimitRequestRatio?: Amounts;
}

interface Resources {
  requests?: Record<string, string>;
  limits?: Record<string, string>;
}

interface Container {
  readonly name: string;
  resources?: Resources;
}

const ANNOTATION = 'kubernetes.io/limit-ranger';

function limitsIn({ modules, namespace }: ResourceRequest): Limit[] {
  const served = modules.registry.find('', 'v1', 'limitranges');
  if (served === undefined) return [];
  const ranges = [...modules.storages.of(served).from(namespace)];
  return ranges.flatMap((range) => ((range['spec'] as JsonObject | undefined)?.['limits'] ?? []) as unknown as Limit[]);
}

/** Gives containers without requests and limits those of the namespace. */
export function applyLimitDefaults(asked: ResourceRequest, pod: ApiObject): void {
  for (const limit of limitsIn(asked)) {
    if (limit.type !== 'Container') continue;
    const notes = containersOf(pod, 'containers').flatMap((one) => withDefaults(one, limit, 'container'));
    notes.push(...containersOf(pod, 'initContainers').flatMap((one) => withDefaults(one, limit, 'init container')));
    if (notes.length === 0) continue;
    const metadata = pod.metadata ?? {};
    metadata.annotations = { ...metadata.annotations, [ANNOTATION]: `LimitRanger plugin set: ${notes.join('; ')}` };
  }
}

function containersOf(pod: ApiObject, list: string): Container[] {
  return ((pod['spec'] as JsonObject | undefined)?.[list] ?? []) as unknown as Container[];
}

/** Completes a container in place, and says what was added. */
function withDefaults(container: Container, limit: Limit, what: string): string[] {
  const resources = container.resources ?? {};
  const added = { requests: limit.defaultRequest ?? {}, limits: limit.default ?? {} };
  const notes: string[] = [];
  for (const part of ['requests', 'limits'] as const) {
    const missing = Object.keys(added[part]).filter((name) => resources[part]?.[name] === undefined);
    if (missing.length === 0) continue;
    const defaults = Object.fromEntries(missing.map((name) => [name, added[part][name] as string]));
    resources[part] = { ...resources[part], ...defaults };
    const word = part === 'requests' ? 'request' : 'limit';
    notes.push(`${missing.sort().join(', ')} ${word} for ${what} ${container.name}`);
  }
  container.resources = resources;
  return notes;
}

/** Refuses what is outside of the namespace's limits. @throws StatusError Forbidden */
export function checkLimits(asked: ResourceRequest, object: ApiObject): void {
  const { resource } = asked.served;
  const limits = limitsIn(asked);
  if (limits.length === 0) return;
  const problems =
    resource.kind === 'Pod'
      ? limits.flatMap((one) => podProblems(object, one))
      : limits.flatMap((one) => claimProblems(object, one));
  if (problems.length === 0) return;
  const distinct = [...new Set(problems)];
  const why = distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`;
  throw forbidden(resource, object.metadata?.name ?? '', why);
}

function podProblems(pod: ApiObject, limit: Limit): string[] {
  const containers = [...containersOf(pod, 'containers'), ...containersOf(pod, 'initContainers')];
  if (limit.type === 'Container') return containers.flatMap((one) => problemsOf(limit, one.resources ?? {}));
  if (limit.type !== 'Pod') return [];
  const sums: Resources = {};
  for (const { resources } of containersOf(pod, 'containers')) {
    for (const part of ['requests', 'limits'] as const) sums[part] = summed(sums[part] ?? {}, resources?.[part] ?? {});
  }
  return problemsOf(limit, sums);
}

function summed(a: Amounts, b: Amounts): Record<string, string> {
  const sums: Record<string, string> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const before = sums[name];
    sums[name] = before === undefined ? amount : sumText(before, amount);
  }
  return sums;
}

/** The sum of two amounts, in the unit of the first where that is exact. */
function sumText(a: string, b: string): string {
  const nano = parseQuantity(a).nano + parseQuantity(b).nano;
  for (const suffix of ['Gi', 'Mi', 'Ki', '', 'm']) {
    const unit = parseQuantity(`1${suffix}`).nano;
    if ((suffix.endsWith('i') ? /i$/.test(a) : true) && nano % unit === 0n) return `${nano / unit}${suffix}`;
  }
  return `${nano}n`;
}

function problemsOf({ type, min = {}, max = {}, maxLimitRequestRatio = {} }: Limit, resources: Resources): string[] {
  const { requests = {}, limits = {} } = resources;
  const names = (amounts: Amounts): string[] => Object.keys(amounts).sort();
  return [
    ...names(min).flatMap((name) => minProblem(type, name, min[name] as string, requests[name], limits[name])),
    ...names(max).flatMap((name) => maxProblem(type, name, max[name] as string, requests[name], limits[name])),
    ...names(maxLimitRequestRatio).flatMap((name) =>
      ratioProblem(type, name, maxLimitRequestRatio[name] as string, requests[name], limits[name]),
    ),
  ];
}

function isLess(a: string, b: string): boolean {
  return parseQuantity(a).nano < parseQuantity(b).nano;
}

function minProblem(type: string, name: string, min: string, request?: string, limit?: string): string[] {
  const rule = `minimum ${name} usage per ${type} is ${min}`;
  if (request === undefined) return [`${rule}.  No request is specified`];
  if (isLess(request, min)) return [`${rule}, but request is ${request}`];
  return limit !== undefined && isLess(limit, min) ? [`${rule}, but limit is ${limit}`] : [];
}

function maxProblem(type: string, name: string, max: string, request?: string, limit?: string): string[] {
  const rule = `maximum ${name} usage per ${type} is ${max}`;
  if (limit === undefined) return [`${rule}.  No limit is specified`];
  if (isLess(max, limit)) return [`${rule}, but limit is ${limit}`];
  return request !== undefined && isLess(max, request) ? [`${rule}, but request is ${request}`] : [];
}

function ratioProblem(type: string, name: string, most: string, request?: string, limit?: string): string[] {
  const rule = `${name} max limit to request ratio per ${type} is ${most}`;
  if (request === undefined || parseQuantity(request).nano === 0n) {
    return [`${rule}, but no request is specified or request is 0`];
  }
  if (limit === undefined || parseQuantity(limit).nano === 0n) {
    return [`${rule}, but no limit is specified or limit is 0`];
  }
  const ratio = Number(parseQuantity(limit).nano) / Number(parseQuantity(request).nano);
  const isAbove = ratio > Number(parseQuantity(most).nano) / 1e9;
  return isAbove ? [`${rule}, but provided ratio is ${ratio.toFixed(6)}`] : [];
}

function claimProblems(claim: ApiObject, { type, min = {}, max = {} }: Limit): string[] {
  if (type !== 'PersistentVolumeClaim') return [];
  const { requests = {} } = ((claim['spec'] as JsonObject | undefined)?.['resources'] ?? {}) as Resources;
  const check = (bounds: Amounts, word: string, isOutside: (amount: string, bound: string) => boolean): string[] =>
    Object.keys(bounds)
      .sort()
      .flatMap((name) => {
        const rule = `${word} ${name} usage per ${type} is ${bounds[name]}`;
        const request = requests[name];
        if (request === undefined) return [`${rule}.  No request is specified`];
        return isOutside(request, bounds[name] as string) ? [`${rule}, but request is ${request}`] : [];
      });
  return [...check(min, 'minimum', isLess), ...check(max, 'maximum', (amount, bound) => isLess(bound, amount))];
}
