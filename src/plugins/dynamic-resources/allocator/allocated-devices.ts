import type { DeviceRequestAllocationResult, ResourceClaim } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';
import { type Amounts, addAmounts, amountsOf } from './amounts.ts';

/** The key of a device: driver/pool/device. */
export function deviceKey(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`;
}

/** The devices that claims hold. A device that was given with admin access counts as free. */
export interface AllocatedDevices {
  /** The devices that are held as a whole. */
  readonly whole: Pick<ReadonlySet<string>, 'has'>;
  /** The devices of which claims hold shares, and what the shares consume. */
  readonly shared: Pick<ReadonlyMap<string, Amounts>, 'get' | 'has'>;
}

/** Gathers the devices of all allocated claims (upstream's GatherAllocatedState). */
export function allocatedDevices(
  claims: Iterable<ResourceClaim>,
  { DRAConsumableCapacity: hasShares }: FeatureGates,
): AllocatedDevices {
  const whole = new Set<string>();
  const shared = new Map<string, Amounts>();
  for (const { status } of claims) {
    for (const result of status?.allocation?.devices?.results ?? []) {
      if (result.adminAccess === true) continue;
      const key = keyOf(result);
      if (hasShares && result.shareID !== undefined) {
        shared.set(key, addAmounts(shared.get(key), amountsOf(result.consumedCapacity)));
      } else whole.add(key);
    }
  }
  return { whole, shared };
}

function keyOf({ driver, pool, device }: DeviceRequestAllocationResult): string {
  return deviceKey(driver, pool, device);
}
