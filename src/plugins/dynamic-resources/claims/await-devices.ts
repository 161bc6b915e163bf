import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { Handle } from '../../../framework/handle.ts';
import type { Eventually } from '../../../framework/plugin.ts';
import { isOverdue, readinessOf } from './binding-conditions.ts';

const CHECK_MILLIS = 5000;

/** Whether some device of the claims must get ready before the pod is bound. */
export function mustWait(claims: readonly ResourceClaim[]): boolean {
  return claims.some(({ status }) =>
    (status?.allocation?.devices?.results ?? []).some(({ bindingConditions = [] }) => bindingConditions.length > 0),
  );
}

/**
 * Waits until the drivers have made the devices ready, for `timeoutMillis` at most. `current` gives the claims as
 * watches have shown them. Returns an error text, or null when all are ready.
 */
export function awaitDevices(
  handle: Handle,
  current: () => readonly ResourceClaim[],
  timeoutMillis: number,
): Eventually<string | null> {
  const deadlineMillis = handle.nowMillis() + timeoutMillis;
  const check = (): string | null | undefined => {
    const now = handle.nowMillis();
    let isWaiting = false;
    for (const claim of current()) {
      const readiness = readinessOf(claim);
      if (readiness === 'ready') continue;
      if (readiness !== 'waiting') return `device binding timeout: ${readiness.failed}`;
      if (isOverdue(claim, now, timeoutMillis)) return `device binding timeout: claim=${claim.metadata?.name}`;
      isWaiting = true;
    }
    if (!isWaiting) return null;
    return now < deadlineMillis ? undefined : 'device binding timeout: context deadline exceeded';
  };
  const first = check();
  if (first !== undefined) return first;
  return (done) => {
    const again = (): void => {
      const result = check();
      if (result !== undefined) done(result);
      else handle.after(Math.min(CHECK_MILLIS, deadlineMillis - handle.nowMillis()), again);
    };
    handle.after(CHECK_MILLIS, again);
  };
}
