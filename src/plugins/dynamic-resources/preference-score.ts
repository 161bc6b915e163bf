import type { AllocationResult } from '../../api/resource-claims.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { pointsOf } from './alternative-points.ts';
import type { AttemptState } from './attempt-state.ts';

/**
 * The points for the alternatives that the pod's claims have, or would get on the node: 8 for the first, 7 … As
 * upstream, there are none if all claims have their devices.
 */
export function preferenceScore(attempt: AttemptState, { name, slot }: NodeInfo): number {
  const { unallocated, found, shape } = attempt;
  if (!needsDevices(attempt)) return 0;
  const isKnown = shape !== null && !shape.unknown.has(slot);
  if (isKnown) return allocatedPoints(attempt) + Math.max(0, shape.points.at(slot));
  const { results = [] } = found.get(name) ?? {};
  let points = allocatedPoints(attempt);
  for (const [i, claim] of unallocated.entries()) {
    const result = results[i];
    if (result !== undefined) points += pointsOf(claim, requestsOf(result));
  }
  return points;
}

/** The points that all nodes get which accept the claims; null if that is not known, or if they differ. */
export function commonPreference(attempt: AttemptState): number | null {
  const { unallocated, shape } = attempt;
  if (!needsDevices(attempt)) return 0;
  if (unallocated.length === 0) return allocatedPoints(attempt);
  if (shape === null || shape.unknown.size > 0) return null;
  const { common } = shape.points;
  return common === null ? null : allocatedPoints(attempt) + common;
}

function needsDevices({ unallocated, shared, extended }: AttemptState): boolean {
  return unallocated.length + shared.size > 0 || extended !== null;
}

/** The points of claims that have devices already, which are the same on every node. */
function allocatedPoints({ claims, shared }: AttemptState): number {
  let points = 0;
  for (const { claim } of claims) {
    const allocation = claim.status?.allocation ?? shared.get(claim);
    if (allocation !== undefined) points += pointsOf(claim, requestsOf(allocation));
  }
  return points;
}

/** Whether some request of the pod's claims has alternatives, so that nodes can differ in their points. */
export function hasAlternatives({ claims }: Pick<AttemptState, 'claims'>): boolean {
  return claims.some(({ claim }) =>
    claim.spec?.devices?.requests?.some(({ firstAvailable = [] }) => firstAvailable.length > 0),
  );
}

function requestsOf({ devices }: AllocationResult): readonly string[] {
  return (devices?.results ?? []).map(({ request }) => request);
}
