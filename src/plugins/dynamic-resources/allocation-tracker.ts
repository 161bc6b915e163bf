import type { DeviceRequestAllocationResult, ResourceClaim } from '../../api/resource-claims.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import { type AllocatedDevices, deviceKey, HeldDevices } from './allocator/allocated-devices.ts';
import { type Amounts, addAmounts, amountsOf } from './allocator/amounts.ts';
import type { DeviceIndex } from './allocator/device-index.ts';
import type { ClaimCache } from './claims/claim-cache.ts';

/** A device that a claim holds. */
interface Held {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  /** What the claim's share consumes; null if the claim holds the whole device. */
  readonly share: Amounts | null;
  /** The share as text; '' for a whole device. */
  readonly text: string;
}

interface Shared {
  amounts: Amounts;
  /** The number of shares. */
  count: number;
}

/**
 * The devices that claims hold, kept up to date claim by claim: what `allocatedDevices` gathers from all claims. A
 * device that several claims hold, by mistake or by sharing, is counted.
 */
export class AllocationTracker implements AllocatedDevices {
  readonly #claims: ClaimCache;
  readonly #hasShares: boolean;
  readonly #devices: DeviceIndex;
  readonly #byClaim = new Map<string, readonly Held[]>();
  readonly #shared = new Map<string, Shared>();
  readonly whole = new HeldDevices();
  readonly shared: AllocatedDevices['shared'] = {
    get: (key) => this.#shared.get(key)?.amounts,
    has: (key) => this.#shared.has(key),
  };

  /** `devices` is notified when devices change hands. */
  constructor(
    claims: ClaimCache,
    { DRAConsumableCapacity }: Pick<FeatureGates, 'DRAConsumableCapacity'>,
    devices: DeviceIndex,
  ) {
    this.#claims = claims;
    this.#hasShares = DRAConsumableCapacity;
    this.#devices = devices;
  }

  /** Takes notice of changed claims. */
  catchUp(): void {
    const changes = this.#claims.takeChanges();
    if (changes === null) {
      for (const key of this.#byClaim.keys()) this.#set(key, NOTHING);
      for (const [key, claim] of this.#claims.byKey()) this.#set(key, this.#heldBy(claim));
    } else for (const key of changes) this.#set(key, this.#heldBy(this.#claims.byOwnKey(key)));
  }

  #set(claim: string, now: readonly Held[]): void {
    const before = this.#byClaim.get(claim) ?? NOTHING;
    if (now === before) return;
    if (areEqual(now, before)) return;
    for (const held of before) this.#count(held, -1);
    for (const held of now) this.#count(held, 1);
    if (now.length === 0) this.#byClaim.delete(claim);
    else this.#byClaim.set(claim, now);
  }

  #count({ driver, pool, device, share }: Held, change: 1 | -1): void {
    if (share === null) this.whole.count(driver, pool, device, change);
    else this.#countShare(deviceKey(driver, pool, device), share, change);
    this.#devices.deviceChanged(driver, pool);
  }

  #countShare(key: string, share: Amounts, change: 1 | -1): void {
    const { amounts, count } = this.#shared.get(key) ?? { amounts: new Map(), count: 0 };
    if (count + change === 0) this.#shared.delete(key);
    else {
      this.#shared.set(key, { amounts: addAmounts(amounts, share, change === 1 ? 1n : -1n), count: count + change });
    }
  }

  #heldBy(claim: ResourceClaim | undefined): readonly Held[] {
    const results = claim?.status?.allocation?.devices?.results;
    if (results === undefined) return NOTHING;
    const isHeld = results.some(({ adminAccess }) => adminAccess === true)
      ? results.filter(({ adminAccess }) => adminAccess !== true)
      : results;
    return isHeld.map(this.#holding);
  }

  readonly #holding = ({ driver, pool, device, shareID, consumedCapacity }: DeviceRequestAllocationResult): Held => {
    const isShare = this.#hasShares && shareID !== undefined;
    const share = isShare ? amountsOf(consumedCapacity) : null;
    const text = isShare ? JSON.stringify(consumedCapacity ?? {}) : '';
    return { driver, pool, device, share, text };
  };
}

const NOTHING: readonly Held[] = [];

function areEqual(now: readonly Held[], before: readonly Held[]): boolean {
  if (now.length !== before.length) return false;
  return now.every((held, i) => isEqual(held, before[i] as Held));
}

function isEqual(a: Held, b: Held): boolean {
  const isSameDevice = a.device === b.device && a.pool === b.pool && a.driver === b.driver;
  return isSameDevice && a.text === b.text && (a.share === null) === (b.share === null);
}
