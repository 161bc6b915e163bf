import type { ResourceClaim } from '../../../api/resource-claims.ts';
import { keyedPrng } from '../../../lib/keyed-prng.ts';

const SEED = 1;
/** The numbers of hexadecimal digits of a UUID, group by group. */
const GROUPS = [8, 4, 4, 4, 12];

/**
 * The ID of a claim's share of a device, a random UUID in form. Upstream draws it; here it follows from the claim and
 * the place in its results, so that every run, every profile and every fork gives the same, and no two shares have one.
 */
export function shareIdOf({ metadata }: ResourceClaim, place: number): string {
  const prng = keyedPrng(SEED, `${metadata?.uid}/${metadata?.namespace}/${metadata?.name}/${place}`);
  const digits = Array.from({ length: 32 }, () => prng.below(16).toString(16));
  // The version says that the UUID is random, the variant how it is written (RFC 9562).
  digits[12] = '4';
  digits[16] = '8';
  return GROUPS.map((length) => digits.splice(0, length).join('')).join('-');
}
