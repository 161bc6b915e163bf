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
 * watches have shown them. `done` receives an error text, or null when all are ready.
 */
export function awaitDevices(
  handle: Handle,
  current: () => readonly ResourceClaim[],
  timeoutMillis: number,
  done: (problem: string | null) => void,
): void {
  const deadlineMillis = handle.nowMillis() + timeoutMillis;
  const check = (): void => {
    const now = handle.nowMillis();
    const state = readinessOfAll(current(), now, timeoutMillis);
    if (state === 'ready') done(null);
    else if (state !== 'waiting') done(`device binding timeout: ${state.failed}`);
    else if (now >= deadlineMillis) done('device binding timeout: context deadline exceeded');
    else handle.after(Math.min(CHECK_MILLIS, deadlineMillis - now), check);
  };
  check();
}

/** The state of the first claim that cannot become ready; else whether some claim still has to. */
function readinessOfAll(claims: readonly ResourceClaim[], nowMillis: number, timeoutMillis: number): Readiness {
  let isWaiting = false;
  for (const claim of claims) {
    const readiness = readinessOf(claim);
    if (readiness === 'ready') continue;
    if (readiness !== 'waiting') return readiness;
    if (isOverdue(claim, nowMillis, timeoutMillis)) return { failed: `claim=${claim.metadata?.name}` };
    isWaiting = true;
  }
  return isWaiting ? 'waiting' : 'ready';
}
