import { getOrMake } from '../lib/get-or-make.ts';
import type { Int64 } from '../lib/int64.ts';
import { LruMap } from '../lib/lru-map.ts';
import { RecentRecords } from '../lib/recent-records.ts';
import { labelKeyProblems } from './label-syntax.ts';
import { parseQuantity, type Quantity, type ResourceList } from './quantity.ts';

/** A resource vector as the scheduler compares it (upstream: framework.Resource). */
export interface Resources {
  readonly milliCPU: Int64;
  readonly memoryBytes: Int64;
  readonly ephemeralStorageBytes: Int64;
  /** Extended, huge-page, attachable-volume and prefixed native resources, in their own units. */
  readonly scalar: ReadonlyMap<string, Int64>;
}

const NATIVE_DOMAIN = 'kubernetes.io/';
const QUOTA_PREFIX = 'requests.';
const MOST_ANSWERS = 16_384;

/** Whether the name is an extended resource, such as `nvidia.com/gpu` (pkg/apis/core/v1/helper/helpers.go). */
export const isExtendedResourceName = remembered((name) => {
  if (!name.includes('/') || name.includes(NATIVE_DOMAIN) || name.startsWith(QUOTA_PREFIX)) return false;
  // The name must remain valid with the prefix of resource quotas.
  return labelKeyProblems(QUOTA_PREFIX + name).length === 0;
});

/** The prefix of the resource that the devices of a class back beside the one that the class names. */
export const DEVICE_CLASS_PREFIX = 'deviceclass.resource.kubernetes.io/';

/** Whether devices may back the resource (upstream's IsDRAExtendedResourceName). */
export function isDeviceResourceName(name: string): boolean {
  return name.startsWith(DEVICE_CLASS_PREFIX) || isExtendedResourceName(name);
}

export function isHugePageResourceName(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** Whether the scheduler accounts for this resource besides cpu, memory, ephemeral-storage and pods. */
export const isScalarResourceName = remembered(
  (name) =>
    isExtendedResourceName(name) ||
    isHugePageResourceName(name) ||
    name.includes(NATIVE_DOMAIN) ||
    name.startsWith('attachable-volumes-'),
);

/** The function with its answers kept, since a cluster asks about few names again and again. */
function remembered(answerOf: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    let answer = answers.get(name);
    if (answer === undefined) {
      answer = answerOf(name);
      if (answers.size >= MOST_ANSWERS) answers.clear();
      answers.set(name, answer);
    }
    return answer;
  };
}

/** The resources that `spec.resources` of a pod may set (component-helpers/resource/helpers.go). */
export function isPodLevelResourceName(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePageResourceName(name);
}

/** Rounds each amount up once, cpu to thousandths and the others to whole units; unknown names are dropped. */
export function toResources(amounts: Iterable<readonly [string, Quantity]>): Resources {
  let milliCPU: Int64 = 0;
  let memoryBytes: Int64 = 0;
  let ephemeralStorageBytes: Int64 = 0;
  let scalar: Map<string, Int64> | undefined;
  for (const [name, quantity] of amounts) {
    if (name === 'cpu') milliCPU = quantity.milliValue;
    else if (name === 'memory') memoryBytes = quantity.value;
    else if (name === 'ephemeral-storage') ephemeralStorageBytes = quantity.value;
    else if (isScalarResourceName(name)) {
      scalar ??= new Map();
      scalar.set(name, quantity.value);
    }
  }
  return { milliCPU, memoryBytes, ephemeralStorageBytes, scalar: scalar ?? NO_SCALARS };
}

const NO_SCALARS: ReadonlyMap<string, Int64> = new Map();

/**
 * The resources of a node, from `status.allocatable`; all are 0 when it is absent.
 *
 * @throws CodedError `InvalidQuantity`
 */
export function allocatable(list: ResourceList | undefined): Allocatable {
  if (list === undefined) return allocatableOf(NO_RESOURCES);
  const recent = recentAllocatable.get(list);
  if (recent !== undefined) return recent;
  const made = allocatableOf(list);
  recentAllocatable.set(list, made);
  return made;
}

function allocatableOf(list: ResourceList): Allocatable {
  // Nodes of the same shape have the same text, which is the key of the cache.
  let words = '';
  for (const name in list) words += `${name}=${list[name]};`;
  return getOrMake(allocatableByWords, words, () => {
    const amounts = parseResourceList(list);
    return { resources: toResources(amounts), podCount: Number(amounts.get('pods')?.value ?? 0) };
  });
}

/** The parsed list; equal lists share the object. */
export interface Allocatable {
  readonly resources: Resources;
  readonly podCount: number;
}

const NO_RESOURCES: ResourceList = {};
const allocatableByWords = new LruMap<string, Allocatable>(1024);
/** What the last lists said, since most clusters have few shapes of nodes, and a text of each list costs more. */
const recentAllocatable = new RecentRecords<Allocatable>(4);

/** Parses a list into a fresh map that the caller may change. */
export function parseResourceList(list: ResourceList | undefined): Map<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  for (const name in list) amounts.set(name, parseQuantity(list[name] as string | number));
  return amounts;
}
