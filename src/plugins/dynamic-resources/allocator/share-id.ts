import type { ResourceClaim } from '../../../api/resource-claims.ts';
import { derivedUuid } from '../../../lib/derived-uuid.ts';

/**
 * The ID of a claim's share of a device, a random UUID in form. Upstream draws it; here it follows from the claim and
 * the place in its results, so that every run, every profile and every fork gives the same, and no two shares have one.
 */
export function shareIdOf({ metadata }: ResourceClaim, place: number): string {
  return derivedUuid(`${metadata?.uid}/${metadata?.namespace}/${metadata?.name}/${place}`);
}
