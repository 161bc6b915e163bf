import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ResourceClaim, ResourceClaimStatus } from '../../src/api/resource-claims.ts';
import { deepFrozen } from '../../src/lib/deep-frozen.ts';
import type { Store } from '../../src/store/store.ts';
import { makeStore } from '../builders/make-store.ts';

const result = { request: 'r', driver: 'd', pool: 'p', device: 'gpu-0' };
const statuses: readonly object[] = [
  ...[{}, { allocation: { devices: { results: [result] } } }, { allocation: {} }],
  ...[{ reservedFor: [{ resource: 'pods', name: 'a', uid: 'u' }] }, { reservedFor: [{ name: 'a' }] }],
  ...[{ allocation: { devices: { results: [{ ...result, pool: 7 }] } } }, { reservedFor: 'nobody' }],
];
const step = fc.record({
  what: fc.constantFrom('status', 'status', 'status', 'stale status', 'finalizers', 'delete'),
  status: fc.constantFrom(...statuses),
  finalizers: fc.subarray(['example.com/hold', 'example.com/other']),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } };

/** What one write gives, or why it is refused. */
function written(store: Store, before: ResourceClaim, { what, status, finalizers }: Step, isKnown: boolean): unknown {
  try {
    const claim = what === 'stale status' ? before : store.get('resourceclaims', 'default', 'c');
    if (what === 'delete') return store.delete('resourceclaims', 'default', 'c');
    if (what === 'finalizers') {
      return store.update('resourceclaims', { ...claim, metadata: { ...claim.metadata, finalizers } });
    }
    const after = deepFrozen(structuredClone(status)) as ResourceClaimStatus;
    const outcome = isKnown ? { before: claim.status, after } : undefined;
    return store.updateStatus('resourceclaims', { ...claim, status: after }, outcome);
  } catch (error) {
    return String(error);
  }
}

it('a status that is known to be frozen is written as any other', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const stores = [makeStore().store, makeStore().store] as const;
      const claim = { metadata: { name: 'c', namespace: 'default', finalizers: ['example.com/hold'] }, spec };
      const first = stores.map((store) => store.create('resourceclaims', claim));
      const watches = stores.map((store) => store.watch('resourceclaims', { resourceVersion: '1' }));
      for (const each of steps) {
        const [known, other] = stores.map((store, i) => written(store, first[i] as ResourceClaim, each, i === 0));
        expect(known).toEqual(other);
        expect(JSON.stringify(known)).toBe(JSON.stringify(other));
      }
      const [events, others] = watches.map((watch) => {
        const seen: unknown[] = [];
        for (let event = watch.next(); event !== undefined; event = watch.next()) seen.push(event);
        return seen;
      });
      expect(events).toEqual(others);
      expect(stores[0].ledger.version).toBe(stores[1].ledger.version);
    }),
  );
});
