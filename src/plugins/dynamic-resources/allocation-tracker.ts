import type { DeviceRequestAllocationResult, ResourceClaim } from '../../api/resource-claims.ts';
import type { FeatureGates } from '../../config/feature-gates.ts';
import { PairMap } from '../../lib/pair-map.ts';
import { type AllocatedDevices, deviceKey, HeldDevices } from './allocator/allocated-devices.ts';
import { type Amounts, addAmounts, amountsOf } from './allocator/amounts.ts';
import type { DeviceIndex } from './allocator/device-index.ts';
import type { ClaimCache } from './claims/claim-cache.ts';

/** The devices that a claim holds: those of its results that were not given with admin access. */
type Held = readonly DeviceRequestAllocationResult[];

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
  /** What claims were found to hold, by namespace and name. */
  readonly #byName = new PairMap<Held>();
  /** What claims hold that are in memory alone, by UID. */
  readonly #inMemory = new Map<string, Held>();
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
      this.#readAll();
      return;
    }
    const { arrived, own, inMemory } = changes;
    this.#readAllNamed(arrived);
    this.#readAllNamed(own);
    for (const uid of inMemory) this.#setInMemory(uid, heldBy(this.#claims.getInMemory(uid)));
  }

  #readAll(): void {
    for (const held of this.#byName.values()) this.#replace(held, NOTHING);
    for (const held of this.#inMemory.values()) this.#replace(held, NOTHING);
    this.#byName.clear();
    this.#inMemory.clear();
    for (const claim of this.#claims.named()) {
      const { namespace, name = '' } = claim.metadata ?? {};
      this.#setNamed(namespace || 'default', name, heldBy(claim));
    }
    for (const [uid, claim] of this.#claims.inMemory()) this.#setInMemory(uid, heldBy(claim));
  }

  /** Reads the present versions of claims, each once if its versions come in turn. */
  #readAllNamed(claims: readonly ResourceClaim[]): void {
    for (let i = 0; i < claims.length; i++) {
      const { metadata } = claims[i] as ResourceClaim;
      const next = claims[i + 1]?.metadata;
      if (next?.name === metadata?.name && next?.namespace === metadata?.namespace && next !== undefined) continue;
      this.#readNamed(claims[i] as ResourceClaim);
    }
  }

  /** Reads the present version of a claim. */
  #readNamed({ metadata }: ResourceClaim): void {
    const { namespace, name = '' } = metadata ?? {};
    this.#setNamed(namespace || 'default', name, heldBy(this.#claims.getDecided(namespace || 'default', name)));
  }

  #setNamed(namespace: string, name: string, now: Held): void {
    const before = this.#byName.get(namespace, name) ?? NOTHING;
    if (!this.#replace(before, now)) return;
    if (now.length === 0) this.#byName.delete(namespace, name);
    else this.#byName.set(namespace, name, now);
  }

  #setInMemory(uid: string, now: Held): void {
    if (!this.#replace(this.#inMemory.get(uid) ?? NOTHING, now)) return;
    if (now.length === 0) this.#inMemory.delete(uid);
    else this.#inMemory.set(uid, now);
  }

  /** Returns false if what a claim holds is the same as before. */
  #replace(before: Held, now: Held): boolean {
    if (now === before || this.#areEqual(now, before)) return false;
    for (let i = 0; i < before.length; i++) this.#count(before[i] as DeviceRequestAllocationResult, -1);
    for (let i = 0; i < now.length; i++) this.#count(now[i] as DeviceRequestAllocationResult, 1);
    return true;
  }

  #count(result: DeviceRequestAllocationResult, change: 1 | -1): void {
    const { driver, pool, device, consumedCapacity } = result;
    if (!this.#isShare(result)) this.whole.count(driver, pool, device, change);
    else this.#countShare(deviceKey(driver, pool, device), amountsOf(consumedCapacity), change);
    this.#devices.deviceChanged(driver, pool);
  }

  #countShare(key: string, share: Amounts, change: 1 | -1): void {
    const { amounts, count } = this.#shared.get(key) ?? { amounts: new Map(), count: 0 };
    if (count + change === 0) this.#shared.delete(key);
    else {
      this.#shared.set(key, { amounts: addAmounts(amounts, share, change === 1 ? 1n : -1n), count: count + change });
    }
  }

  #isShare({ shareID }: DeviceRequestAllocationResult): boolean {
    return this.#hasShares && shareID !== undefined;
  }

  #areEqual(now: Held, before: Held): boolean {
    if (now.length !== before.length) return false;
    for (let i = 0; i < now.length; i++) {
      const [result, other] = [now[i], before[i]] as [DeviceRequestAllocationResult, DeviceRequestAllocationResult];
      if (!this.#isEqual(result, other)) return false;
    }
    return true;
  }

  #isEqual(a: DeviceRequestAllocationResult, b: DeviceRequestAllocationResult): boolean {
    if (a === b) return true;
    if (a.device !== b.device || a.pool !== b.pool || a.driver !== b.driver) return false;
    if (this.#isShare(a) !== this.#isShare(b)) return false;
    return !this.#isShare(a) || textOf(a) === textOf(b);
  }
}

const NOTHING: Held = [];

function heldBy(claim: ResourceClaim | undefined): Held {
  const results = claim?.status?.allocation?.devices?.results;
  if (results === undefined) return NOTHING;
  for (let i = 0; i < results.length; i++) {
    if (results[i]?.adminAccess === true) return results.filter(({ adminAccess }) => adminAccess !== true);
  }
  return results;
}

/** What a share consumes, as text. */
function textOf({ consumedCapacity }: DeviceRequestAllocationResult): string {
  return JSON.stringify(consumedCapacity ?? {});
}
