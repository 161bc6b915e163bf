import type { Resource } from '../objects/resources.ts';

/**
 * How a strategic merge patch treats a list: the member that identifies its items, `primitive` for a set of primitive
 * values, undefined for a list that is replaced. Upstream: the `patchStrategy` and `patchMergeKey` tags in k8s.io/api.
 */
export type MergeKey = string | undefined;

export const PRIMITIVE = 'primitive';

const BY_LIST: Readonly<Record<string, string>> = {
  addresses: 'type',
  conditions: 'type',
  containers: 'name',
  drivers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  finalizers: PRIMITIVE,
  hostAliases: 'ip',
  hostIPs: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  ownerReferences: 'uid',
  podCIDRs: PRIMITIVE,
  podIPs: 'ip',
  reservedFor: 'uid',
  resourceClaimStatuses: 'name',
  resourceClaims: 'name',
  schedulingGates: 'name',
  topologySpreadConstraints: 'topologyKey',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
};

export function mergeKeyOf(resource: Resource, list: string): MergeKey {
  if (list === 'ports') return resource === 'services' ? 'port' : 'containerPort';
  return Object.hasOwn(BY_LIST, list) ? BY_LIST[list] : undefined;
}

/** Whether a patch replaces the member as a whole instead of merging it. */
export function isReplacedWhole(resource: Resource, member: string): boolean {
  return resource === 'poddisruptionbudgets' && member === 'selector';
}
