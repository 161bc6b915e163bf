import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceClaim } from '../../../../src/api/resource-claims.ts';
import { ClusterObjects } from '../../../../src/framework/cluster-objects.ts';
import { ClaimCache } from '../../../../src/plugins/dynamic-resources/claims/claim-cache.ts';
import { runs } from '../../../builders/runs.ts';

const STEPS = ['set', 'remove', 'reserve', 'release', 'assume', 'read'] as const;

const arbitrarySteps = fc.array(
  fc.record({
    kind: fc.constantFrom(...STEPS),
    name: fc.constantFrom('a', 'b', 'in-memory'),
    uid: fc.constantFrom('1', '2', '3'),
    mark: fc.nat(5),
  }),
  { maxLength: 40 },
);

/** `mark` tells claims apart that are otherwise equal. */
function claimOf(name: string, uid: string, mark: number): ResourceClaim {
  return { metadata: { namespace: 'default', name, uid: `${name}-${uid}`, generation: mark } };
}

describe('the changes of a claim cache', () => {
  it('lead a reader from claim to claim to what all claims are', () => {
    fc.assert(
      fc.property(arbitrarySteps, (steps) => {
        const objects = new ClusterObjects();
        const cache = new ClaimCache(objects);
        const named = new Map<string, ResourceClaim>();
        const inMemory = new Map<string, ResourceClaim>();
        const read = <V>(map: Map<string, V>, key: string, value: V | undefined): void => {
          if (value === undefined) map.delete(key);
          else map.set(key, value);
        };
        const nameOf = ({ metadata }: ResourceClaim): string => metadata?.name ?? '';
        const catchUp = (): void => {
          const changes = cache.takeChanges();
          if (changes === null) {
            named.clear();
            inMemory.clear();
            for (const claim of cache.named()) named.set(nameOf(claim), claim);
            for (const [uid, claim] of cache.inMemory()) inMemory.set(uid, claim);
          } else {
            for (const claim of [...changes.arrived, ...changes.own]) {
              read(named, nameOf(claim), cache.getDecided('default', nameOf(claim)));
            }
            for (const uid of changes.inMemory) read(inMemory, uid, cache.getInMemory(uid));
          }
          expect(named).toEqual(new Map([...cache.named()].map((claim) => [nameOf(claim), claim])));
          expect(inMemory).toEqual(new Map(cache.inMemory()));
        };
        for (const { kind, name, uid, mark } of steps) {
          const claim = claimOf(name, uid, mark);
          if (kind === 'set' && name !== 'in-memory') objects.set('ResourceClaim', claim);
          else if (kind === 'remove') objects.remove('ResourceClaim', name, 'default');
          else if (kind === 'reserve') cache.reserve(claim);
          else if (kind === 'release') cache.release(claim);
          else if (kind === 'assume') cache.assume(claim);
          else catchUp();
        }
        catchUp();
      }),
      { numRuns: runs(300) },
    );
  });
});
