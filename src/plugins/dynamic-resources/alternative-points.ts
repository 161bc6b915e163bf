import type { ResourceClaim } from '../../api/resource-claims.ts';

/** The most alternatives that a request can have (FirstAvailableDeviceRequestMaxSize). */
const MOST_ALTERNATIVES = 8;

/** The points for the alternatives of the claim that are served: 8 for the first, 7 …; `served`: by their names. */
export function pointsOf({ spec }: ResourceClaim, served: readonly string[]): number {
  let points = 0;
  for (const { name, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    const chosen = firstAvailable.findIndex((alternative) => served.includes(`${name}/${alternative.name}`));
    if (chosen >= 0) points += MOST_ALTERNATIVES - chosen;
  }
  return points;
}
