import type { Device } from '../../../api/resource-claims.ts';
import { getOrMake } from '../../../lib/get-or-make.ts';
import { type AllocatedDevices, deviceKey } from './allocated-devices.ts';
import { nanoOf } from './amounts.ts';
import type { Pool, PoolDevice } from './pools.ts';

/** Amounts in billionths by counter, by the name of the set. */
type CounterSets = Map<string, Map<string, bigint>>;

/**
 * What is left of the counters that devices of a pool share, such as the memory slices of one GPU. As upstream, pools
 * are known by their names without the driver, and what is free is that of the pool which is looked at first; counters
 * that this pool does not have are not checked.
 */
export class CounterLedger {
  readonly #pools: readonly Pool[];
  readonly #allocated: AllocatedDevices;
  readonly #free = new Map<string, CounterSets>();

  constructor(pools: readonly Pool[], allocated: AllocatedDevices) {
    this.#pools = pools;
    this.#allocated = allocated;
  }

  /**
   * Takes all that the device consumes; returns false, and takes nothing, if something is missing. As upstream, nothing
   * can be taken while allocated devices consume more of any counter than there is.
   */
  take(wanted: PoolDevice): boolean {
    if (consumesNothing(wanted.device)) return true;
    const free = this.#freeOf(wanted);
    consume(free, wanted.device, -1n);
    if (!isShort(free)) return true;
    consume(free, wanted.device, 1n);
    return false;
  }

  giveBack(taken: PoolDevice): void {
    if (!consumesNothing(taken.device)) consume(this.#freeOf(taken), taken.device, 1n);
  }

  #freeOf({ slice: { spec } }: PoolDevice): CounterSets {
    const poolName = spec.pool.name;
    let free = this.#free.get(poolName);
    if (free === undefined) {
      free = new Map();
      const pool = this.#poolsByKey().get(poolKey(spec.driver, poolName));
      if (pool !== undefined) fill(free, pool, this.#allocated);
      this.#free.set(poolName, free);
    }
    return free;
  }

  #poolsByKey(): ReadonlyMap<string, Pool> {
    return getOrMake(
      byKey,
      this.#pools,
      () => new Map(this.#pools.map((pool) => [poolKey(pool.driver, pool.name), pool])),
    );
  }
}

/** The pools of a list by their keys, for all searches among them. */
const byKey = new WeakMap<readonly Pool[], ReadonlyMap<string, Pool>>();

function poolKey(driver: string, name: string): string {
  return `${driver}/${name}`;
}

/** The counters of the pool without what allocated devices consume, also those that only other nodes can use. */
function fill(free: CounterSets, { driver, name, slices }: Pool, { whole, shared }: AllocatedDevices): void {
  for (const { spec } of slices) {
    for (const { name: set, counters = {} } of spec.sharedCounters ?? []) {
      free.set(set, new Map(Object.entries(counters).map(([counter, { value }]) => [counter, nanoOf(value)])));
    }
  }
  for (const { spec } of slices) {
    for (const device of spec.devices ?? []) {
      const isInUse = whole.has(driver, name, device.name) || shared.has(deviceKey(driver, name, device.name));
      if (isInUse) consume(free, device, -1n);
    }
  }
}

function consumesNothing({ consumesCounters }: Device): boolean {
  return consumesCounters === undefined || consumesCounters.length === 0;
}

/** Changes the counters that the pool has. */
function consume(free: CounterSets, { consumesCounters = [] }: Device, sign: 1n | -1n): void {
  for (const { counterSet, counters } of consumesCounters) {
    const left = free.get(counterSet);
    if (left === undefined) continue;
    for (const [name, { value }] of Object.entries(counters)) {
      const amount = left.get(name);
      if (amount !== undefined) left.set(name, amount + sign * nanoOf(value));
    }
  }
}

/** Whether less than nothing is left of a counter. */
function isShort(free: CounterSets): boolean {
  for (const counters of free.values()) for (const left of counters.values()) if (left < 0n) return true;
  return false;
}
