import { beforeEach, describe, expect, it } from 'vitest';
import type { AllocationResult, ResourceClaim } from '../../../../src/api/resource-claims.ts';
import { featureGates } from '../../../../src/config/feature-gates.ts';
import { ClusterObjects } from '../../../../src/framework/cluster-objects.ts';
import type { PodInfo } from '../../../../src/framework/pod-info.ts';
import { ClaimCache } from '../../../../src/plugins/dynamic-resources/claims/claim-cache.ts';
import { GroupClaims } from '../../../../src/plugins/dynamic-resources/claims/group-claims.ts';
import { podClaims } from '../../../../src/plugins/dynamic-resources/claims/pod-claims.ts';
import { makePodInfo } from '../../../builders/make-cluster.ts';
import { makePod } from '../../../builders/make-pod.ts';

const CLAIM: ResourceClaim = { metadata: { name: 'c', namespace: 'default', uid: 'u' } };
const FOUND: AllocationResult = { devices: { results: [] } };
const GATES = featureGates({ GenericWorkload: true, DRAWorkloadResourceClaims: true });

function member(name: string, podGroupName: string, claimName = 'common'): PodInfo {
  const { metadata, spec } = makePod(name);
  const resourceClaims = [{ name: claimName, resourceClaimName: 'c' }];
  const schedulingGroup = podGroupName === '' ? undefined : { podGroupName };
  return makePodInfo({ metadata: { ...metadata, uid: name }, spec: { ...spec, schedulingGroup, resourceClaims } });
}

let objects: ClusterObjects;
let groups: GroupClaims;

beforeEach(() => {
  objects = new ClusterObjects();
  objects.set('PodGroup', {
    metadata: { name: 'g', uid: 'group' },
    spec: { resourceClaims: [{ name: 'common', resourceClaimName: 'c' }] },
  });
  groups = new GroupClaims(objects, GATES, new ClaimCache(objects));
});

describe('a claim that is being allocated', () => {
  it('is shared by the pods of one group, and by no other pod', () => {
    const own = new Map([[CLAIM, FOUND]]);
    expect(groups.reserve(own, new Map(), member('a', 'g'))).toBe(own);
    expect(groups.split([CLAIM], member('b', 'g'))).toEqual({ unallocated: [], shared: own });
    expect(groups.isInFlight(CLAIM, member('b', 'g'))).toBe(false);
    for (const other of [member('c', ''), member('d', 'other')]) {
      expect(groups.split([CLAIM], other)).toEqual({ unallocated: [CLAIM], shared: new Map() });
      expect(groups.isInFlight(CLAIM, other)).toBe(true);
    }
    expect(groups.reserve(new Map(), own, member('b', 'g'))).toEqual(own);
  });

  it('is not shared without the gate', () => {
    const without = new GroupClaims(objects, featureGates(), new ClaimCache(objects));
    without.reserve(new Map([[CLAIM, FOUND]]), new Map(), member('a', 'g'));
    expect(without.isInFlight(CLAIM, member('b', 'g'))).toBe(true);
  });
});

describe('a claim is reserved', () => {
  it('for the group that names it as the pod does, and otherwise for the pod', () => {
    expect(groups.userOf(CLAIM, member('a', 'g'))).toMatchObject({ resource: 'podgroups', name: 'g', uid: 'group' });
    expect(groups.userOf(CLAIM, member('a', 'g', 'own'))).toEqual({ resource: 'pods', name: 'a', uid: 'a' });
    expect(groups.userOf(CLAIM, member('a', ''))).toEqual({ resource: 'pods', name: 'a', uid: 'a' });
  });

  it('for the group that names its template as the pod does', () => {
    const reference = { name: 'common', resourceClaimTemplateName: 't' };
    objects.set('PodGroup', { metadata: { name: 'g', uid: 'group' }, spec: { resourceClaims: [reference] } });
    const { pod } = member('a', 'g');
    const of = (template: string): PodInfo =>
      makePodInfo({
        ...pod,
        spec: { ...pod.spec!, resourceClaims: [{ ...reference, resourceClaimTemplateName: template }] },
        status: { resourceClaimStatuses: [{ name: 'common', resourceClaimName: 'c' }] },
      });
    expect(groups.userOf(CLAIM, of('t'))).toMatchObject({ resource: 'podgroups', uid: 'group' });
    expect(groups.userOf(CLAIM, of('other'))).toMatchObject({ resource: 'pods', uid: 'a' });
  });
});

describe('a claim that was made for a group', () => {
  const owner = { apiVersion: 'scheduling.k8s.io/v1alpha2', kind: 'PodGroup', name: 'g', uid: 'group' };
  const status = { resourceClaimStatuses: [{ name: 'x', resourceClaimName: 'c' }] };
  const claimsOf = (podGroupName: string, groupsOwnClaims: boolean, apiVersion = owner.apiVersion) => {
    const ownerReferences = [{ ...owner, apiVersion, controller: true }];
    objects.set('ResourceClaim', { metadata: { ...CLAIM.metadata, ownerReferences } });
    const { pod } = member('a', podGroupName);
    const spec = { ...pod.spec!, resourceClaims: [{ name: 'x', resourceClaimTemplateName: 't' }] };
    const claims = podClaims(makePodInfo({ ...pod, spec, status }), new ClaimCache(objects, groupsOwnClaims));
    return typeof claims === 'string' ? claims : claims.map(({ metadata }) => metadata?.name);
  };

  it('is used by the pods of the group alone', () => {
    expect(claimsOf('g', true)).toEqual(['c']);
    expect(claimsOf('g', true, 'scheduling.k8s.io/v25')).toEqual(['c']);
    const refused = 'ResourceClaim default/c was not created for Pod default/a';
    const neither = (group: string) => `${refused} (neither Pod nor PodGroup ${group} is the owner)`;
    expect(claimsOf('other', true)).toBe(neither('other'));
    expect(claimsOf('g', true, 'groups.example.com/v1')).toBe(neither('g'));
    expect([claimsOf('', true), claimsOf('g', false)]).toEqual(Array(2).fill(`${refused} (Pod is not owner)`));
  });
});
