import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObjectMeta } from '../../../src/api/meta.ts';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import type { Problem } from '../../../src/api/validation/check.ts';
import { validateObject } from '../../../src/api/validation/objects.ts';
import { storedMetadata } from '../../../src/api/validation/stored-metadata.ts';
import { frozenCopy } from '../../../src/store/objects/frozen-copy.ts';
import { ClaimStrategy } from '../../../src/store/strategies/claim-strategy.ts';
import { PlainStrategy } from '../../../src/store/strategies/plain-strategy.ts';

/** Every write is checked as a whole. */
const options = {
  newStatus: {},
  immutable: ['spec'],
  check: (claim: ResourceClaim): readonly Problem[] => {
    const problems = [...validateObject('ResourceClaim', claim)];
    storedMetadata(claim.metadata, 'metadata', problems);
    return problems;
  },
};

const METADATA: ObjectMeta = { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '1' };
const metadata = fc
  .record({
    annotations: fc.constantFrom(undefined, { 'resource.kubernetes.io/pod-claim-name': 'gpu' }, { '-': 'x' }),
    finalizers: fc.constantFrom(undefined, ['resource.kubernetes.io/delete-protection'], ['not qualified']),
  })
  .map((parts) => frozenCopy<ObjectMeta>({ ...METADATA, ...parts }));

const request = { name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 } };
const spec = fc.constantFrom<unknown>(
  ...[{ devices: { requests: [request] } }, { devices: { requests: [{ ...request, name: 'q' }] } }, {}],
  ...[{ devices: { requests: [{ name: 7 }] } }, undefined, null],
);
const result = { request: 'r', driver: 'd', pool: 'p', device: 'gpu-0' };
const status = fc.constantFrom<unknown>(
  ...[{}, undefined, null, 'text', { allocation: { devices: { results: [result] } } }],
  ...[{ allocation: { devices: { results: [{ ...result, pool: undefined }] } } }],
  ...[{ reservedFor: [{ resource: 'pods', name: 'a', uid: 'u' }] }, { reservedFor: [{ name: 'a' }] }],
);
const head = fc.constantFrom<object>(
  ...[{}, {}, { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim' }, { apiVersion: '', kind: 'ResourceClaim' }],
  ...[{ apiVersion: 'v1' }, { kind: 'Pod' }, { more: 1 }, { more: undefined }],
);
const write = fc.record({
  how: fc.constantFrom('create', 'update', 'update', 'updateStatus', 'updateStatus'),
  ...{ head, metadata, spec, status, keepsSpec: fc.boolean(), keepsMetadata: fc.boolean() },
});

type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

/** The claim that is stored after the write, or the message of the error. */
function outcome(strategy: PlainStrategy<ResourceClaim>, each: Write, stored: ResourceClaim): ResourceClaim | string {
  const given = { ...each.head, spec: each.keepsSpec ? stored.spec : each.spec, status: each.status } as ResourceClaim;
  const kept = each.keepsMetadata && stored.metadata !== undefined ? stored.metadata : each.metadata;
  try {
    if (each.how === 'create') return strategy.create(given, each.metadata);
    if (each.how === 'update') return strategy.update(given, kept, stored);
    return strategy.updateStatus(given, stored);
  } catch (error) {
    return String(error);
  }
}

const NEW: ResourceClaim = { spec: { devices: { requests: [request] } } };

describe('ClaimStrategy', () => {
  it('stores and refuses what a strategy does that copies and checks whole claims', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
        const fast = new ClaimStrategy('resourceclaims', options);
        const plain = new PlainStrategy<ResourceClaim>('resourceclaims', options);
        let stored = plain.create(NEW, frozenCopy(METADATA));
        for (const each of writes) {
          const [next, wanted] = [outcome(fast, each, stored), outcome(plain, each, stored)];
          expect(next).toEqual(wanted);
          expect(next === stored).toBe(wanted === stored);
          if (typeof next === 'string') continue;
          expect(Object.isFrozen(next)).toBe(true);
          stored = next;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('shares the spec of the claim before, and the parts that a write leaves alone', () => {
    const strategy = new ClaimStrategy('resourceclaims', options);
    const claim = strategy.create(NEW, frozenCopy(METADATA));
    expect(strategy.create(structuredClone(NEW), frozenCopy(METADATA)).spec).toBe(claim.spec);
    const written = strategy.updateStatus({ ...claim, status: { reservedFor: [] } }, claim);
    expect([written.spec === claim.spec, written.metadata === claim.metadata]).toEqual([true, true]);
  });
});
