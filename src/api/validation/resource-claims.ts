import { RecentMap } from '../../lib/recent-map.ts';
import type {
  AllocationResult,
  DeviceRequestAllocationResult,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from '../resource-claims.ts';
import { type Check, isObject, type Problem, problemsOf } from './check.ts';
import { annotations, checkChangedMetadata, labels, objectMeta } from './metadata.ts';
import {
  all,
  arrayOf,
  boolean,
  exactInt64,
  int64,
  mapOf,
  object,
  present,
  required,
  string,
  timestamp,
} from './shapes.ts';
import { nodeSelector, quantity } from './structure.ts';

/**
 * Checks of what the allocation of devices reads (pkg/apis/resource/validation). Conditions in CEL are not compiled:
 * one that cannot be compiled is an error of the attempt that comes to it, as it is upstream.
 */

const count = all(int64, (value, field, problems) => {
  if (Number(value) < 0) problems.push({ field, reason: `must not be negative, not ${String(value)}` });
});
const strings = arrayOf(string);
const name = required(string);
const anything: Check = () => undefined;

const quantitiesByName = mapOf(anything, present(quantity));
const counters = mapOf(anything, present(object({ value: present(quantity) })));
const selectors = arrayOf(object({ cel: object({ expression: present(string) }) }));
const tolerations = arrayOf(
  object({ key: string, operator: string, value: string, effect: string, tolerationSeconds: int64 }),
);
const config = arrayOf(object({ opaque: object({ driver: string }), requests: strings }));

const attribute = object({
  int: exactInt64,
  bool: boolean,
  string,
  version: string,
  ints: arrayOf(exactInt64),
  bools: arrayOf(boolean),
  strings,
  versions: strings,
});

const capacity = object({
  value: present(quantity),
  requestPolicy: object({
    default: quantity,
    validValues: arrayOf(present(quantity)),
    validRange: object({ min: quantity, max: quantity, step: quantity }),
  }),
});

const reach = { nodeName: string, nodeSelector, allNodes: boolean };

const device = object({
  name,
  ...reach,
  attributes: mapOf(anything, present(attribute)),
  capacity: mapOf(anything, present(capacity)),
  allowMultipleAllocations: boolean,
  taints: arrayOf(object({ key: string, value: string, effect: string, timeAdded: timestamp })),
  consumesCounters: arrayOf(object({ counterSet: present(string), counters: present(counters) })),
  bindsToNode: boolean,
  bindingConditions: strings,
  bindingFailureConditions: strings,
});

const asked = {
  deviceClassName: present(string),
  selectors,
  allocationMode: string,
  count,
  adminAccess: boolean,
  tolerations,
  capacity: object({ requests: quantitiesByName }),
};

const request = object({
  name,
  exactly: object(asked),
  firstAvailable: arrayOf(object({ name, ...asked })),
});

const result = object({
  request: string,
  driver: present(string),
  pool: present(string),
  device: present(string),
  adminAccess: boolean,
  tolerations,
  bindingConditions: strings,
  bindingFailureConditions: strings,
  shareID: string,
  consumedCapacity: quantitiesByName,
});

const status = object({
  allocation: object({ devices: object({ results: arrayOf(result), config }), nodeSelector }),
  reservedFor: arrayOf(object({ resource: string, name: string, uid: present(string) })),
  devices: arrayOf(
    object({
      driver: string,
      pool: string,
      device: string,
      shareID: string,
      conditions: arrayOf(object({ type: present(string), status: present(string) })),
    }),
  ),
});

/** The fields of each kind besides its metadata. */
export const RESOURCE_API_FIELDS = {
  ResourceClaim: {
    spec: object({
      devices: object({
        requests: arrayOf(request),
        constraints: arrayOf(object({ requests: strings, matchAttribute: string, distinctAttribute: string })),
        config,
      }),
    }),
    status,
  },
  ResourceSlice: {
    spec: present(
      object({
        driver: name,
        pool: present(object({ name, generation: exactInt64, resourceSliceCount: int64 })),
        ...reach,
        devices: arrayOf(device),
        perDeviceNodeSelection: boolean,
        sharedCounters: arrayOf(object({ name, counters })),
      }),
    ),
  },
  DeviceClass: { spec: object({ selectors, config, extendedResourceName: string }) },
} satisfies Record<string, Readonly<Record<string, Check>>>;

/**
 * Whether those parts of a claim are valid that are not the very parts of `known`, a valid claim. Claims of one
 * template, and a claim that is written repeatedly, differ in a small part.
 */
export function isChangedClaimValid(claim: ResourceClaim, known: ResourceClaim): boolean {
  if (claim.apiVersion !== known.apiVersion || claim.kind !== known.kind || claim.metadata === undefined) return false;
  const problems: Problem[] = [];
  const fields = RESOURCE_API_FIELDS.ResourceClaim;
  checkChangedMetadata(claim.metadata, known.metadata ?? {}, problems);
  if (claim.spec !== known.spec) fields.spec(claim.spec, 'spec', problems);
  if (claim.status !== known.status) fields.status(claim.status, 'status', problems);
  return problems.length === 0;
}

/** Selectors of nodes that were found to be valid: claims of one node share one. */
const validSelectors = new RecentMap<object, true>();

/** Whether the status of a claim, which is frozen deeply, is valid. */
export function isFrozenStatusValid(value: ResourceClaimStatus): boolean {
  if (isPlainStatus(value)) return true;
  if (problemsOf(status, value, 'status').length > 0) return false;
  const selector = value.allocation?.nodeSelector;
  if (selector !== undefined) validSelectors.set(selector, true);
  return true;
}

/**
 * Whether the status obviously is valid: whole devices with a known selector, and users. Reading members by their names
 * is much faster than walking through checks.
 */
function isPlainStatus({ allocation, reservedFor, devices }: ResourceClaimStatus): boolean {
  if (devices !== undefined || (reservedFor !== undefined && !areOf(reservedFor, isPlainUser))) return false;
  if (allocation === undefined) return true;
  return isObject(allocation) && isPlainAllocation(allocation);
}

function isPlainAllocation({ devices, nodeSelector }: AllocationResult): boolean {
  if (devices === undefined || !isObject(devices)) return false;
  const { results, config: settings }: NonNullable<AllocationResult['devices']> = devices;
  if (settings !== undefined || (nodeSelector !== undefined && !validSelectors.has(nodeSelector))) return false;
  return areOf(results, isPlainResult);
}

function areOf(list: unknown, isOne: (item: object) => boolean): boolean {
  if (!Array.isArray(list)) return false;
  for (let i = 0; i < list.length; i++) if (!isObject(list[i]) || !isOne(list[i])) return false;
  return true;
}

function isPlainUser({ resource, name: user, uid }: Partial<ResourceClaimConsumerReference>): boolean {
  return typeof resource === 'string' && typeof user === 'string' && typeof uid === 'string';
}

function isPlainResult(given: Partial<DeviceRequestAllocationResult>): boolean {
  if (typeof given.request !== 'string' || typeof given.driver !== 'string') return false;
  if (typeof given.pool !== 'string' || typeof given.device !== 'string') return false;
  if (given.adminAccess !== undefined || given.tolerations !== undefined) return false;
  if (given.bindingConditions !== undefined || given.bindingFailureConditions !== undefined) return false;
  return given.shareID === undefined && given.consumedCapacity === undefined;
}

const template = object({
  metadata: objectMeta,
  spec: present(
    object({ metadata: object({ labels, annotations }), spec: present(RESOURCE_API_FIELDS.ResourceClaim.spec) }),
  ),
});

/** The problems of a ResourceClaimTemplate; empty when it can be used. */
export function validateClaimTemplate(value: unknown): Problem[] {
  return problemsOf(present(template), value, '');
}
