import type { ResourceClaim } from '../../../api/resource-claims.ts';
import type { Handle } from '../../../framework/handle.ts';
import { isOverdue, type Readiness, readinessOf } from './binding-conditions.ts';

const CHECK_MILLIS = 5000;

/** Whether some device of the claims must get ready before the pod is bound. */
export function mustWait(claims: readonly ResourceClaim[]): boolean {
  return claims.some(({ status }) =>
    (status?.allocation?.devices?.results ?? []).some(({ bindingConditions = [] }) => bindingConditions.length > 0),
  );
}

/**
 * Waits until the drivers have made the devices ready, for `timeoutMillis` at most. `current` gives the claims as
 * watches have shown them, or why one is not to be had. `done` receives an error text, or null when all are ready.
 */
export function awaitDevices(
  handle: Handle,
  current: () => readonly (ResourceClaim | string)[],
  timeoutMillis: number,
  done: (problem: string | null) => void,
): void {
  const deadlineMillis = handle.nowMillis() + timeoutMillis;
  const check = (): void => {
    const now = handle.nowMillis();
    const state = readinessOfAll(current(), now, timeoutMillis);
    if (state === 'ready') done(null);
    else if (state !== 'waiting') done(state.failed);
    else if (now >= deadlineMillis) done('device binding timeout: context deadline exceeded');
    else handle.after(Math.min(CHECK_MILLIS, deadlineMillis - now), check);
  };
  check();
}

/** The state of the first claim that is not ready. */
function readinessOfAll(
  claims: readonly (ResourceClaim | string)[],
  nowMillis: number,
  timeoutMillis: number,
): Readiness {
  for (const claim of claims) {
    if (typeof claim === 'string') return { failed: claim };
    const readiness = readinessOf(claim);
    if (readiness === 'ready') continue;
    if (readiness !== 'waiting' || !isOverdue(claim, nowMillis, timeoutMillis)) return readiness;
    return { failed: `device binding timeout: claim=${claim.metadata?.name}` };
  }
  return 'ready';
}
