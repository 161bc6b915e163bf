import type {
  AllocatedDeviceStatus,
  DeviceRequestAllocationResult,
  ResourceClaim,
} from '../../../api/resource-claims.ts';
import { millisOfTime } from '../../../api/time.ts';

/** How far a driver has prepared the devices of an allocated claim. */
export type Readiness = 'ready' | 'waiting' | { readonly failed: string };

/**
 * Looks at the conditions that the claim's devices name (upstream's isClaimReadyForBinding). As there, the first device
 * that is not ready decides, and a claim without devices waits for them.
 */
export function readinessOf({ status, metadata }: ResourceClaim): Readiness {
  if (status?.allocation === undefined) return 'waiting';
  for (const result of status.allocation.devices?.results ?? []) {
    const { bindingConditions = [], bindingFailureConditions = [] } = result;
    if (bindingConditions.length === 0) continue;
    const { conditions = [] } = status.devices?.find((known) => isSameDevice(known, result)) ?? {};
    const trueOne = (wanted: string) => {
      const known = conditions.find(({ type }) => type === wanted);
      return known?.status === 'True' ? known : undefined;
    };
    const failure = bindingFailureConditions.map(trueOne).find((known) => known !== undefined);
    if (failure !== undefined) {
      const { reason = '', message = '' } = failure;
      const why = `reason=${reason}, message=${JSON.stringify(message)}`;
      return { failed: `device binding failed: claim=${metadata?.name}, ${why}` };
    }
    if (bindingConditions.some((wanted) => trueOne(wanted) === undefined)) return 'waiting';
  }
  return 'ready';
}

/** Whether the claim was allocated longer ago than its devices may take. */
export function isOverdue({ status }: ResourceClaim, nowMillis: number, timeoutMillis: number): boolean {
  const allocated = status?.allocation?.allocationTimestamp;
  return allocated !== undefined && nowMillis > millisOfTime(allocated) + timeoutMillis;
}

/** Whether the claim's devices failed to get ready, or take too long. */
export function isStuck(claim: ResourceClaim, nowMillis: () => number, timeoutMillis: number): boolean {
  const readiness = readinessOf(claim);
  if (readiness === 'ready') return false;
  return readiness !== 'waiting' || isOverdue(claim, nowMillis(), timeoutMillis);
}

/** As upstream, shares of a device are not told apart. */
function isSameDevice(known: AllocatedDeviceStatus, result: DeviceRequestAllocationResult): boolean {
  return known.driver === result.driver && known.pool === result.pool && known.device === result.device;
}
