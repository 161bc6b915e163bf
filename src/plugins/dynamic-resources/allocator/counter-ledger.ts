import type { Device } from '../../../api/resource-claims.ts';
import { type AllocatedDevices, deviceKey } from './allocated-devices.ts';
import { type Amounts, addAmounts, amountsOf, nanoOf } from './amounts.ts';
import type { Pool, PoolDevice } from './pools.ts';

type CounterSets = Map<string, Amounts>;

/**
 * What is left of the counters that devices of a pool share, such as the memory slices of one GPU. As upstream, pools
 * are known by their names without the driver, and what is free is that of the pool which is looked at first.
 */
export class CounterLedger {
  readonly #pools: readonly Pool[];
  readonly #allocated: AllocatedDevices;
  readonly #free = new Map<string, CounterSets>();

  constructor(pools: readonly Pool[], allocated: AllocatedDevices) {
    this.#pools = pools;
    this.#allocated = allocated;
  }

  /** Whether all that the device consumes is left. */
  holds({ device, slice }: PoolDevice): boolean {
    const { consumesCounters = [] } = device;
    if (consumesNothing(device)) return true;
    const free = this.#freeOf(slice.spec.driver, slice.spec.pool.name);
    return consumesCounters.every(({ counterSet, counters }) => {
      const left = free.get(counterSet);
      return Object.entries(counters).every(([name, { value }]) => nanoOf(value) <= (left?.get(name) ?? -1n));
    });
  }

  take({ device, slice }: PoolDevice): void {
    if (consumesNothing(device)) return;
    consume(this.#freeOf(slice.spec.driver, slice.spec.pool.name), device, -1n);
  }

  giveBack({ device, slice }: PoolDevice): void {
    if (consumesNothing(device)) return;
    consume(this.#freeOf(slice.spec.driver, slice.spec.pool.name), device, 1n);
  }

  #freeOf(driver: string, poolName: string): CounterSets {
    let free = this.#free.get(poolName);
    if (free === undefined) {
      free = new Map();
      const pool = this.#pools.find((known) => known.driver === driver && known.name === poolName);
      if (pool !== undefined) fill(free, pool, this.#allocated);
      this.#free.set(poolName, free);
    }
    return free;
  }
}

/** The counters of the pool without what allocated devices consume, also those that only other nodes can use. */
function fill(free: CounterSets, { driver, name, slices }: Pool, { whole, shared }: AllocatedDevices): void {
  for (const { spec } of slices) {
    for (const set of spec.sharedCounters ?? []) free.set(set.name, amountsOf(valuesOf(set.counters)));
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

function consume(free: CounterSets, { consumesCounters = [] }: Device, sign: 1n | -1n): void {
  for (const { counterSet, counters } of consumesCounters) {
    free.set(counterSet, addAmounts(free.get(counterSet), amountsOf(valuesOf(counters)), sign));
  }
}

function valuesOf(
  counters: Readonly<Record<string, { value: string | number }>> = {},
): Record<string, string | number> {
  return Object.fromEntries(Object.entries(counters).map(([name, { value }]) => [name, value]));
}
