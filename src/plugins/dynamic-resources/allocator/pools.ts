import type { Node } from '../../../api/node.ts';
import { compileRequiredNodeAffinity } from '../../../api/node-selector.ts';
import type { Device, Reach, ResourceSlice } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import { getOrMake } from '../../../lib/get-or-make.ts';
import { deviceKey } from './allocated-devices.ts';
import { haveOwnNames } from './equal-devices.ts';

/** A device of a pool, with the slice that lists it. */
export interface PoolDevice {
  readonly device: Device;
  readonly slice: ResourceSlice;
}

/** driver/pool/device */
export function keyOfDevice({ device, slice: { spec } }: PoolDevice): string {
  return deviceKey(spec.driver, spec.pool.name, device.name);
}

/** The devices of one driver that are managed together, as far as one node can use them. */
export interface Pool {
  readonly driver: string;
  readonly name: string;
  /** The devices that the node can use, in the order of slices and of devices in them. */
  readonly devices: readonly PoolDevice[];
  /** The slices of the pool, also those of other nodes if the node's own are not all. */
  readonly slices: readonly ResourceSlice[];
  /** Whether slices are missing, since the driver is about to publish them. */
  readonly isIncomplete: boolean;
  /** Whether the slices contradict one another. */
  readonly isInvalid: boolean;
}

/**
 * The pools that the node can use, in the order in which devices are looked for: by driver, then by name, but pools
 * with devices whose binding must wait come last (upstream's GatherPools).
 */
export function poolsOf(node: Node, slices: Iterable<ResourceSlice>, features: FeatureGates): Pool[] {
  const groups = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    const { driver, pool } = slice.spec;
    const key = `${driver}/${pool.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [slice]);
    else group.push(slice);
  }
  return [...groups.values()].flatMap((group) => poolOf(node, group, features) ?? []).sort(comparePools);
}

/** Says in which order devices of the pools are looked for, as does the comparison of a sort. */
export function comparePools(a: Pool, b: Pool): number {
  return Number(waits(a)) - Number(waits(b)) || order(a.driver, b.driver) || order(a.name, b.name);
}

/**
 * Whether the pool, all of whose slices name nodes, matters to others: its counters are for all nodes, which so see
 * where it is incomplete or contradicts itself.
 */
export function mattersElsewhere(slices: readonly ResourceSlice[], features: FeatureGates): boolean {
  const pool = poolOf(NOWHERE, slices, features);
  return pool !== null && (!isUsable(pool) || pool.devices.length > 0);
}

/** A node that no slice can name. */
const NOWHERE: Node = { metadata: { name: '' } };

/** Whether the slice, or each of its devices if they are selected one by one, is for the node; as text. */
export function reachOn({ spec }: ResourceSlice, node: Node): string {
  const { perDeviceNodeSelection, devices = [] } = spec;
  if (perDeviceNodeSelection !== true) return reaches(spec, node) ? '1' : '0';
  return devices.map((device) => (reaches(device, node) ? '1' : '0')).join('');
}

/** The devices of complete and valid pools. */
export function usableDevices(pools: readonly Pool[]): readonly PoolDevice[] {
  const [first] = pools;
  if (first !== undefined && pools.length === 1 && isUsable(first)) return first.devices;
  return getOrMake(usable, pools, () => pools.filter(isUsable).flatMap(({ devices }) => devices));
}

/** What was found for lists of several pools, which are many times what an attempt looks at. */
const usable = new WeakMap<readonly Pool[], readonly PoolDevice[]>();

function isUsable({ isIncomplete, isInvalid }: Pool): boolean {
  return !isIncomplete && !isInvalid;
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function waits({ devices }: Pool): boolean {
  return devices.some(({ device }) => (device.bindingConditions ?? []).length > 0);
}

/**
 * Returns null if the node can use nothing of the pool. Slices of other nodes are looked at only if the node's own are
 * not the whole pool; then a newer generation among them makes the node's own outdated.
 */
function poolOf(node: Node, group: readonly ResourceSlice[], features: FeatureGates): Pool | null {
  const own = newestOf(group.filter((slice) => concerns(slice, node, features)));
  const [first] = own;
  if (first === undefined) return null;
  const { driver, pool } = first.spec;
  const count = pool.resourceSliceCount ?? 0;
  const slices = own.length === count ? own : newestOf(group);
  if (generationOf(first) < generationOf(slices[0] as ResourceSlice)) return null;
  const isIncomplete = slices.length !== count;
  return {
    driver,
    name: pool.name,
    devices: own.flatMap((slice) => devicesOf(slice, node, features)),
    slices,
    isIncomplete,
    isInvalid: !isIncomplete && isContradictory(slices, features),
  };
}

/** The slices of the newest generation, by name. */
function newestOf(slices: readonly ResourceSlice[]): ResourceSlice[] {
  let newest = generationOf(slices[0]);
  for (const slice of slices) if (generationOf(slice) > newest) newest = generationOf(slice);
  return slices
    .filter((slice) => !(generationOf(slice) < newest))
    .sort((a, b) => order(a.metadata?.name ?? '', b.metadata?.name ?? ''));
}

/** Generations beyond 2^53 are bigints, which are compared with numbers by their value. */
function generationOf(slice: ResourceSlice | undefined): number | bigint {
  const generation = slice?.spec.pool.generation ?? 0;
  return typeof generation === 'string' ? BigInt(generation) : generation;
}

/** Whether the slice is part of the pool for this node; shared counters are for all nodes. */
function concerns({ spec }: ResourceSlice, node: Node, { DRAPartitionableDevices }: FeatureGates): boolean {
  if ((spec.sharedCounters ?? []).length > 0) return DRAPartitionableDevices;
  if (spec.perDeviceNodeSelection !== true) return reaches(spec, node);
  return DRAPartitionableDevices && (spec.devices ?? []).some((device) => reaches(device, node));
}

function devicesOf(slice: ResourceSlice, node: Node, features: FeatureGates): PoolDevice[] {
  const { devices = [], perDeviceNodeSelection } = slice.spec;
  const found: PoolDevice[] = [];
  for (const device of devices) {
    if (perDeviceNodeSelection === true && !reaches(device, node)) continue;
    if (isSupported(device, features)) found.push({ device, slice });
  }
  return found;
}

/** Whether all that the device needs is switched on; otherwise it is as if it did not exist. */
function isSupported(device: Device, { DRAPartitionableDevices, DRADeviceBindingConditions }: FeatureGates): boolean {
  if (!DRAPartitionableDevices && (device.consumesCounters ?? []).length > 0) return false;
  return DRADeviceBindingConditions || (device.bindingConditions ?? []).length === 0;
}

/** Whether the node can use what has this reach. */
export function reaches({ nodeName, nodeSelector, allNodes }: Reach, node: Node): boolean {
  if (nodeName) return nodeName === node.metadata?.name;
  if (allNodes === true) return true;
  return nodeSelector !== undefined && matcherOf(nodeSelector)(node);
}

const matchers = new WeakMap<object, (node: Node) => boolean>();

/** The compiled selector; slices are immutable, and asked about for every node. */
function matcherOf(selector: NonNullable<Reach['nodeSelector']>): (node: Node) => boolean {
  let matcher = matchers.get(selector);
  if (matcher === undefined) {
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: selector } };
    const compiled = compileRequiredNodeAffinity({ affinity });
    matcher = (node) => compiled.match(node);
    matchers.set(selector, matcher);
  }
  return matcher;
}

/** Whether device names or counter sets are double, or devices consume counters that do not exist. */
function isContradictory(slices: readonly ResourceSlice[], { DRAPartitionableDevices }: FeatureGates): boolean {
  const [first] = slices;
  const isAlone = first !== undefined && slices.length === 1;
  const devices = isAlone ? (first.spec.devices ?? []) : slices.flatMap(({ spec }) => spec.devices ?? []);
  if (!haveOwnNames(devices)) return true;
  const counters = new Map<string, ReadonlySet<string>>();
  for (const { spec } of slices) {
    for (const set of spec.sharedCounters ?? []) {
      if (counters.has(set.name)) return true;
      counters.set(set.name, new Set(Object.keys(set.counters ?? {})));
    }
  }
  if (!DRAPartitionableDevices) return false;
  return devices.some(({ consumesCounters = [] }) =>
    consumesCounters.some((consumed) =>
      Object.keys(consumed.counters).some((name) => !(counters.get(consumed.counterSet)?.has(name) ?? false)),
    ),
  );
}
