import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AllocationResult, ResourceClaim } from '../../../../src/api/resource-claims.ts';
import { ClusterObjects } from '../../../../src/framework/cluster-objects.ts';
import { runAwaiting } from '../../../../src/lib/maybe-promise.ts';
import { bindClaim, boundClaim } from '../../../../src/plugins/dynamic-resources/claims/bind-claims.ts';
import { objectsApi } from '../../../../src/plugins/dynamic-resources/claims/claim-api.ts';

const FOUND: AllocationResult = { devices: { results: [{ request: 'r', driver: 'd', pool: 'p', device: 'x' }] } };
const USER = { resource: 'pods', name: 'pod', uid: 'uid' };

const users = fc.subarray([USER, { resource: 'pods', name: 'other', uid: 'other' }]);
const finalizers = fc.subarray(['resource.kubernetes.io/delete-protection', 'example.com/own']);
const claims = fc.record({
  metadata: fc.record(
    {
      name: fc.constant('c'),
      namespace: fc.constant('default'),
      uid: fc.constant('u'),
      finalizers,
      deletionTimestamp: fc.constant('2026-01-01T00:00:00Z'),
    },
    { requiredKeys: ['name'] },
  ),
  status: fc.option(
    fc.record({ reservedFor: users, allocation: fc.constant(FOUND), devices: fc.constant([]) }, { requiredKeys: [] }),
    { nil: undefined },
  ),
});

/** What the steps of `bindClaim` leave, or why they fail. */
function bindStepByStep(claim: ResourceClaim, allocation: AllocationResult | undefined): ResourceClaim | string {
  const objects = new ClusterObjects();
  objects.set('ResourceClaim', claim);
  let answer: ResourceClaim | string = '';
  runAwaiting(bindClaim({ ...objectsApi(objects), writesAtOnce: false }, claim, allocation, USER), {
    done: (written) => {
      answer = written;
    },
    failed: (error) => {
      answer = String(error);
    },
  });
  return answer;
}

function bindAtOnce(claim: ResourceClaim, allocation: AllocationResult | undefined): ResourceClaim | string {
  try {
    return boundClaim(claim, allocation, USER);
  } catch (error) {
    return String(error);
  }
}

describe('boundClaim', () => {
  it('writes in one step what bindClaim writes in two, and leaves the claim as it was', () => {
    fc.assert(
      fc.property(claims, fc.constantFrom(undefined, FOUND), ({ metadata, status }, allocation) => {
        const claim = { metadata, ...(status && { status }) } as ResourceClaim;
        const before = structuredClone(claim);
        expect(bindAtOnce(claim, allocation)).toEqual(bindStepByStep(claim, allocation));
        expect(claim).toEqual(before);
      }),
    );
  });
});
