import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import { PairMap } from '../../../lib/pair-map.ts';
import { type Amounts, addAmounts, amountsOf } from './amounts.ts';

/** The key of a device: driver/pool/device. */
export function deviceKey(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`;
}

/** The devices that claims hold as a whole, pool by pool: most pools of a large cluster have none. */
export class HeldDevices {
  /** For each device that is held, by its name, the number of claims that hold it. */
  readonly #pools = new PairMap<Map<string, number>>();
  #poolCount = 0;

  get isEmpty(): boolean {
    return this.#poolCount === 0;
  }

  /** The devices of the pool that are held; undefined if there are none. */
  ofPool(driver: string, pool: string): Pick<ReadonlySet<string>, 'has'> | undefined {
    return this.#pools.get(driver, pool);
  }

  has(driver: string, pool: string, device: string): boolean {
    return this.ofPool(driver, pool)?.has(device) ?? false;
  }

  /** Notes that one claim more, or one less, holds the device. */
  count(driver: string, pool: string, device: string, change: 1 | -1): void {
    const held = this.#pools.get(driver, pool);
    if (held === undefined) {
      if (change < 0) return;
      this.#pools.set(driver, pool, new Map([[device, change]]));
      this.#poolCount++;
      return;
    }
    const count = (held.get(device) ?? 0) + change;
    if (count > 0) held.set(device, count);
    else held.delete(device);
    if (held.size > 0) return;
    this.#pools.delete(driver, pool);
    this.#poolCount--;
  }
}

/** The devices that claims hold. A device that was given with admin access counts as free. */
export interface AllocatedDevices {
  /** The devices that are held as a whole. */
  readonly whole: Pick<HeldDevices, 'isEmpty' | 'ofPool' | 'has'>;
  /** The keys of devices of which claims hold shares, and what the shares consume. */
  readonly shared: Pick<ReadonlyMap<string, Amounts>, 'get' | 'has'>;
}

/** The devices that claims hold, gathered claim by claim. */
export class AllocatedState implements AllocatedDevices {
  readonly whole = new HeldDevices();
  readonly shared = new Map<string, Amounts>();
  readonly #hasShares: boolean;

  constructor({ DRAConsumableCapacity }: FeatureGates) {
    this.#hasShares = DRAConsumableCapacity;
  }

  /** Adds what the claim holds, if it is allocated. */
  add({ status }: ResourceClaim): void {
    for (const result of status?.allocation?.devices?.results ?? []) {
      if (result.adminAccess === true) continue;
      const { driver, pool, device } = result;
      if (this.#hasShares && result.shareID !== undefined) {
        const key = deviceKey(driver, pool, device);
        this.shared.set(key, addAmounts(this.shared.get(key), amountsOf(result.consumedCapacity)));
      } else this.whole.count(driver, pool, device, 1);
    }
  }
}

/** Gathers the devices of all allocated claims (upstream's GatherAllocatedState). */
export function allocatedDevices(claims: Iterable<ResourceClaim>, features: FeatureGates): AllocatedState {
  const state = new AllocatedState(features);
  for (const claim of claims) state.add(claim);
  return state;
}
