import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceClaim } from '../../../../src/api/resource-claims.ts';
import { AssumedClaims } from '../../../../src/plugins/dynamic-resources/claims/assumed-claims.ts';

/** A state of the claim with this number; every third has no UID. */
function claimOf(number: number): ResourceClaim {
  const name = `claim-${number}`;
  return { metadata: { namespace: 'default', name, ...(number % 3 !== 0 && { uid: `uid-${number}` }) } };
}

describe('AssumedClaims', () => {
  it('is a WeakMap by the known object, for objects that are current', () => {
    const step = fc.record({ claim: fc.nat(199), does: fc.constantFrom('assume', 'assume', 'replace', 'remove') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
        const [claims, expected] = [new AssumedClaims(), new WeakMap<ResourceClaim, ResourceClaim>()];
        const current = new Map<number, ResourceClaim>();
        const isCurrent = (claim: ResourceClaim): boolean => [...current.values()].includes(claim);
        for (const { claim, does } of steps) {
          const known = current.get(claim);
          if (does === 'remove') current.delete(claim);
          else if (does === 'replace' || known === undefined) current.set(claim, claimOf(claim));
          else {
            const assumed = claimOf(claim);
            claims.assume(known, assumed, isCurrent);
            expected.set(known, assumed);
          }
        }
        for (const known of current.values()) expect(claims.current(known)).toBe(expected.get(known) ?? known);
      }),
    );
  });

  it('keeps few claims that are gone', () => {
    const claims = new AssumedClaims();
    for (let i = 0; i < 1000; i++) claims.assume(claimOf(i), claimOf(i), () => false);
    expect(claims.size).toBeLessThan(70);
  });
});
