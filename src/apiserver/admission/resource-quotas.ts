/** Resource quotas: a create is charged to every quota of its namespace that names what it uses. */
import type { Pod } from '../../api/pod.ts';
import { exactPodRequests } from '../../api/pod-requests.ts';
import { formatQuantity, parseQuantity } from '../../api/quantity.ts';
import { resourceText } from '../../kinds/object/api-resource.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { forbidden } from '../../kinds/object/refusals.ts';
import type { ResourceRequest } from '../context/context.ts';
import type { ResourceStorage } from '../storage/resource-storage.ts';

type Amounts = Record<string, string>;

/** Core resources that quotas count by their plain name. */
const COUNTED = new Set([
  ...['pods', 'services', 'replicationcontrollers', 'resourcequotas', 'secrets', 'configmaps'],
  'persistentvolumeclaims',
]);

/** Charges the quotas with a new object. @throws StatusError Forbidden, when one of them has not enough left */
export function chargeQuotas(asked: ResourceRequest, object: ApiObject, isDryRun: boolean): void {
  const { modules, served, namespace } = asked;
  const quotas = modules.registry.find('', 'v1', 'resourcequotas');
  if (!served.resource.isNamespaced || quotas === undefined) return;
  const storage = modules.storages.of(quotas);
  const usage = usageOf(asked, object);
  const charged = [...storage.from(namespace)].flatMap((quota) => {
    const next = chargedQuota(asked, quota, usage, object);
    return next === undefined ? [] : [{ quota, next }];
  });
  if (!isDryRun) for (const { quota, next } of charged) write(storage, quota, next);
}

function write(storage: ResourceStorage, quota: ApiObject, used: Amounts): void {
  const status = { ...(quota['status'] as JsonObject), used };
  storage.replace({ ...quota, status }, quota);
}

/** The quota's usage with the object; undefined if it names nothing that the object uses. */
function chargedQuota(
  { served }: ResourceRequest,
  quota: ApiObject,
  usage: Amounts,
  object: ApiObject,
): Amounts | undefined {
  const { hard = {}, used = {} } = (quota['status'] ?? {}) as { hard?: Amounts; used?: Amounts };
  const names = Object.keys(usage)
    .filter((name) => hard[name] !== undefined)
    .sort();
  if (names.length === 0) return undefined;
  const name = quota.metadata?.name ?? '';
  const refuse = (why: string): Error => forbidden(served.resource, object.metadata?.name ?? '', why);
  const unknown = names.filter((one) => used[one] === undefined);
  if (unknown.length > 0) throw refuse(`status unknown for quota: ${name}, resources: ${unknown.join(',')}`);
  const next: Amounts = { ...used };
  const exceeded: string[] = [];
  for (const one of names) {
    const sum = parseQuantity(used[one] as string).nano + parseQuantity(usage[one] as string).nano;
    if (sum > parseQuantity(hard[one] as string).nano) exceeded.push(one);
    next[one] = formatQuantity({ ...parseQuantity('0'), nano: sum });
  }
  if (exceeded.length === 0) return next;
  const text = (amounts: Amounts): string => exceeded.map((one) => `${one}=${amounts[one]}`).join(',');
  throw refuse(`exceeded quota: ${name}, requested: ${text(usage)}, used: ${text(used)}, limited: ${text(hard)}`);
}

/** What a new object uses, by the names that quotas have for it. */
function usageOf({ served }: ResourceRequest, object: ApiObject): Amounts {
  const { resource } = served;
  const usage: Amounts = { [`count/${resourceText(resource)}`]: '1' };
  if (resource.group !== '') return usage;
  if (COUNTED.has(resource.resource)) usage[resource.resource] = '1';
  if (resource.kind === 'Pod') addPod(usage, object);
  if (resource.kind === 'Service') addService(usage, object);
  if (resource.kind === 'PersistentVolumeClaim') {
    const { requests = {} } = ((object['spec'] as JsonObject | undefined)?.['resources'] ?? {}) as {
      requests?: Amounts;
    };
    if (requests['storage'] !== undefined) usage['requests.storage'] = requests['storage'];
  }
  return usage;
}

function addPod(usage: Amounts, pod: ApiObject): void {
  for (const [name, quantity] of exactPodRequests(pod as unknown as Pod)) {
    const text = formatQuantity(quantity);
    usage[`requests.${name}`] = text;
    if (['cpu', 'memory', 'ephemeral-storage'].includes(name)) usage[name] = text;
  }
  const limits = new Map<string, bigint>();
  for (const container of ((pod['spec'] as JsonObject)['containers'] ?? []) as { resources?: { limits?: Amounts } }[]) {
    for (const [name, amount] of Object.entries(container.resources?.limits ?? {})) {
      limits.set(name, (limits.get(name) ?? 0n) + parseQuantity(amount).nano);
    }
  }
  for (const [name, nano] of limits) usage[`limits.${name}`] = formatQuantity({ ...parseQuantity('0'), nano });
}

function addService(usage: Amounts, service: ApiObject): void {
  const { type, ports = [] } = (service['spec'] ?? {}) as { type?: string; ports?: { nodePort?: number }[] };
  if (type === 'LoadBalancer') usage['services.loadbalancers'] = '1';
  const nodePorts = ports.filter(({ nodePort }) => nodePort !== undefined).length;
  if (type === 'NodePort' || nodePorts > 0) usage['services.nodeports'] = String(nodePorts);
}
