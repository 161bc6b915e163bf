import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AllocationResult, ResourceClaim } from '../../../../src/api/resource-claims.ts';
import { ClusterObjects } from '../../../../src/framework/cluster-objects.ts';
import { runAwaiting } from '../../../../src/lib/maybe-promise.ts';
import {
  bindClaim,
  boundClaim,
  type ClaimBinding,
} from '../../../../src/plugins/dynamic-resources/claims/bind-claims.ts';
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

const NOW = '2026-01-01T00:00:00Z';

function bindingOf(allocation?: AllocationResult, timestamp: string | undefined = NOW): ClaimBinding {
  return { allocation, user: USER, timestamp };
}

/** What the steps of `bindClaim` leave, or why they fail. */
function bindStepByStep(claim: ResourceClaim, allocation: AllocationResult | undefined): ResourceClaim | string {
  const objects = new ClusterObjects();
  objects.set('ResourceClaim', claim);
  let answer: ResourceClaim | string = '';
  runAwaiting(bindClaim(objectsApi(objects), claim, bindingOf(allocation)), {
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
    return boundClaim(claim, bindingOf(allocation));
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

describe('bindClaim', () => {
  const claim: ResourceClaim = { metadata: { name: 'c', namespace: 'default' }, spec: {} };

  it('gives a claim the time that has devices and no time, as it gives it to new devices', () => {
    const allocated = { ...claim, status: { allocation: FOUND } };
    expect(boundClaim(allocated, bindingOf()).status?.allocation?.allocationTimestamp).toBe(NOW);
    expect(boundClaim(claim, bindingOf(FOUND)).status?.allocation?.allocationTimestamp).toBe(NOW);
    const earlier = { ...FOUND, allocationTimestamp: '2025-12-31T23:00:00Z' };
    expect(boundClaim({ ...claim, status: { allocation: earlier } }, bindingOf()).status?.allocation).toEqual(earlier);
  });

  it('refuses a claim whose devices were given back, or that others were quicker with', () => {
    expect(bindAtOnce(claim, undefined)).toBe('Error: claim default/c got deallocated elsewhere in the meantime');
    const allocated = { ...claim, status: { allocation: FOUND } };
    expect(bindAtOnce(allocated, FOUND)).toBe('Error: claim default/c got allocated elsewhere in the meantime');
  });

  it('says which write was refused', () => {
    const refuse = () => {
      throw new Error('refused');
    };
    const api = { ...objectsApi(new ClusterObjects()), updateResourceClaimStatus: refuse };
    let problem: unknown;
    const failed = (error: unknown) => (problem = error);
    runAwaiting(bindClaim(api, claim, bindingOf(FOUND)), { done: () => {}, failed });
    expect(problem).toEqual(new Error('add allocation and reservation to claim default/c: refused'));
    runAwaiting(bindClaim({ ...api, updateResourceClaim: refuse }, claim, bindingOf(FOUND)), {
      done: () => {},
      failed,
    });
    expect(problem).toEqual(new Error('add finalizer to claim default/c: refused'));
  });
});
