import type { DeviceRequestAllocationResult, DeviceTaint, ResourceSlice } from '../../api/resource-claims.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { getOrMake } from '../../lib/get-or-make.ts';

/** The NoExecute taints of the devices that have any, by device name. */
type Taints = ReadonlyMap<string, readonly DeviceTaint[]>;

interface DevicePool {
  /** The slices by name. */
  readonly slices: Map<string, ResourceSlice>;
  /** The slices that have devices with NoExecute taints: mostly none, even of a pool with thousands of slices. */
  readonly tainted: Map<string, ResourceSlice>;
  taints: Taints;
}

type PlacedDevice = Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device'>;

/** The NoExecute taints of devices, by pool; slices of an old generation of their pool do not count. */
export class DeviceTaints {
  readonly #pools = new Map<string, DevicePool>();

  of({ driver, pool, device }: PlacedDevice): readonly DeviceTaint[] {
    return this.#pools.get(poolKey(driver, pool))?.taints.get(device) ?? NO_TAINTS;
  }

  /** Replaces `before` by `after`. Returns the devices of the slice's pool whose taints have changed. */
  replace(before: ResourceSlice | undefined, after: ResourceSlice | undefined): ReadonlySet<string> {
    const slice = after ?? before;
    if (slice === undefined) return NO_DEVICES;
    const key = keyOfPool(slice);
    const pool = getOrMake(this.#pools, key, newPool);
    remove(pool, before?.metadata?.name ?? '');
    if (after !== undefined) add(pool, after);
    if (pool.slices.size === 0) this.#pools.delete(key);
    const old = pool.taints;
    pool.taints = pool.tainted.size === 0 ? UNTAINTED : executeTaints(pool);
    return changedDevices(old, pool.taints);
  }
}

export function poolKey(driver: string, pool: string): string {
  return `${driver}/${pool}`;
}

export function keyOfPool({ spec }: ResourceSlice): string {
  return poolKey(spec.driver, spec.pool.name);
}

const NO_TAINTS: readonly DeviceTaint[] = [];
const NO_DEVICES: ReadonlySet<string> = new Set();
const UNTAINTED: Taints = new Map();

function newPool(): DevicePool {
  return { slices: new Map(), tainted: new Map(), taints: UNTAINTED };
}

function remove({ slices, tainted }: DevicePool, name: string): void {
  slices.delete(name);
  tainted.delete(name);
}

function add({ slices, tainted }: DevicePool, slice: ResourceSlice): void {
  const name = slice.metadata?.name ?? '';
  slices.set(name, slice);
  if (slice.spec.devices?.some(({ taints = [] }) => taints.some(isExecuting))) tainted.set(name, slice);
}

function executeTaints({ slices, tainted }: DevicePool): Taints {
  const newest = newestGeneration(slices.values());
  const found = new Map<string, readonly DeviceTaint[]>();
  for (const slice of tainted.values()) {
    if (generationOf(slice) !== newest) continue;
    for (const { name, taints = [] } of slice.spec.devices ?? []) {
      if (taints.length === 0 || found.has(name)) continue;
      const executing = taints.filter(isExecuting);
      if (executing.length > 0) found.set(name, executing);
    }
  }
  return found.size === 0 ? UNTAINTED : found;
}

function isExecuting({ effect }: DeviceTaint): boolean {
  return effect === 'NoExecute';
}

function newestGeneration(slices: Iterable<ResourceSlice>): bigint {
  let newest = 0n;
  for (const slice of slices) {
    const generation = generationOf(slice);
    if (generation > newest) newest = generation;
  }
  return newest;
}

function generationOf({ spec }: ResourceSlice): bigint {
  return BigInt(spec.pool.generation ?? 0);
}

function changedDevices(before: Taints, after: Taints): ReadonlySet<string> {
  if (before.size === 0 && after.size === 0) return NO_DEVICES;
  const names = [...before.keys(), ...after.keys()];
  return new Set(names.filter((name) => !semanticallyEqual(before.get(name), after.get(name))));
}
