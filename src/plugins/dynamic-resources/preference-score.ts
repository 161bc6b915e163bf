import type { AllocationResult, ResourceClaim } from '../../api/resource-claims.ts';
import type { AttemptState } from './attempt-state.ts';

/** The most alternatives that a request can have (FirstAvailableDeviceRequestMaxSize). */
const MOST_ALTERNATIVES = 8;

/** The points for the alternatives that the pod's claims have, or would get on the node: 8 for the first, 7 … */
export function preferenceScore({ claims, unallocated, found }: AttemptState, nodeName: string): number {
  const { results = [] } = found.get(nodeName) ?? {};
  let score = 0;
  for (const { claim } of claims) {
    const allocation = claim.status?.allocation ?? results[unallocated.indexOf(claim)];
    if (allocation !== undefined) score += pointsOf(claim, allocation);
  }
  return score;
}

/** Whether some request of the pod's claims has alternatives, so that nodes can differ in their points. */
export function hasAlternatives({ claims }: Pick<AttemptState, 'claims'>): boolean {
  return claims.some(({ claim }) =>
    claim.spec?.devices?.requests?.some(({ firstAvailable = [] }) => firstAvailable.length > 0),
  );
}

function pointsOf({ spec }: ResourceClaim, { devices }: AllocationResult): number {
  const served = new Set((devices?.results ?? []).map(({ request }) => request));
  let points = 0;
  for (const { name, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    const chosen = firstAvailable.findIndex((alternative) => served.has(`${name}/${alternative.name}`));
    if (chosen >= 0) points += MOST_ALTERNATIVES - chosen;
  }
  return points;
}
