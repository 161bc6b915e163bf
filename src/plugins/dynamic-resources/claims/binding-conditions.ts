import type {
  AllocatedDeviceStatus,
  DeviceRequestAllocationResult,
  ResourceClaim,
} from '../../../api/resource-claims.ts';
import { millisOfTime } from '../../../api/time.ts';

/** How far a driver has prepared the devices of an allocated claim. */
export type Readiness = 'ready' | 'waiting' | { readonly failed: string };

/** Looks at the conditions that the claim's devices name (upstream's isClaimReadyForBinding). */
export function readinessOf({ status, metadata }: ResourceClaim): Readiness {
  let readiness: Readiness = 'ready';
  for (const result of status?.allocation?.devices?.results ?? []) {
    const { bindingConditions = [], bindingFailureConditions = [] } = result;
    if (bindingConditions.length === 0) continue;
    const device = status?.devices?.find((known) => isSameDevice(known, result));
    const isTrue = (type: string): boolean =>
      (device?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
    const failure = bindingFailureConditions.find(isTrue);
    if (failure !== undefined) {
      return { failed: `claim ${metadata?.name} binding failed: condition ${failure}` };
    }
    if (!bindingConditions.every(isTrue)) readiness = 'waiting';
  }
  return readiness;
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

function isSameDevice(known: AllocatedDeviceStatus, result: DeviceRequestAllocationResult): boolean {
  return (
    known.driver === result.driver &&
    known.pool === result.pool &&
    known.device === result.device &&
    known.shareID === result.shareID
  );
}
