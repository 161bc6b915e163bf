import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { PodGroup } from '../../src/api/pod-group.ts';
import type { ResourceClaimTemplate } from '../../src/api/resource-claims.ts';
import { type ClaimsForPods, claimsForPods } from '../../src/expansion/claims-for-pods.ts';

const TEMPLATE: ResourceClaimTemplate = {
  metadata: { name: 'gpu', namespace: 'ml' },
  spec: { metadata: { labels: { team: 'a' } }, spec: { devices: { requests: [] } } },
};

function pod(name: string, more: Pod = {}): Pod {
  const resourceClaims = [{ name: 'g', resourceClaimTemplateName: 'gpu' }];
  return { metadata: { name, namespace: 'ml' }, spec: { containers: [], resourceClaims }, ...more };
}

it('makes a claim that belongs to its pod, and names it in the status', () => {
  const given = pod('p');
  const { claims, claimed, withoutTemplate } = claimsForPods([given], { templates: [TEMPLATE], present: [] });
  const made = claimed.get(given);
  expect(withoutTemplate).toEqual([]);
  expect(claims).toMatchObject([
    {
      metadata: {
        name: expect.stringMatching(/^p-g-\w{5}$/),
        namespace: 'ml',
        labels: { team: 'a' },
        ownerReferences: [{ kind: 'Pod', name: 'p', uid: made?.metadata?.uid, controller: true }],
      },
      spec: { devices: { requests: [] } },
    },
  ]);
  expect(made?.status?.resourceClaimStatuses).toEqual([{ name: 'g', resourceClaimName: claims[0]?.metadata?.name }]);
});

it('keeps a claim that was made before, and asks for none of pods that have ended', () => {
  const given = pod('p', { metadata: { name: 'p', namespace: 'ml', uid: 'u' } });
  const before = claimsForPods([given], { templates: [TEMPLATE], present: [] });
  const ended = pod('q', { status: { phase: 'Succeeded' } });
  const after = claimsForPods([given, ended], { templates: [TEMPLATE], present: before.claims });
  expect(after.claims).toEqual([]);
  expect([...after.claimed]).toEqual([...before.claimed]);
});

it('names pods whose template is in another namespace, or nowhere', () => {
  const elsewhere = { ...TEMPLATE, metadata: { name: 'gpu', namespace: 'other' } };
  const given = pod('p');
  expect(claimsForPods([given], { templates: [elsewhere], present: [] })).toMatchObject({
    claims: [],
    withoutTemplate: [given],
  });
});

describe('pods of a group', () => {
  const group: PodGroup = {
    metadata: { name: 'g', namespace: 'ml' },
    spec: { resourceClaims: [{ name: 'shared', resourceClaimTemplateName: 'gpu' }] },
  };
  const resourceClaims = [
    { name: 'shared', resourceClaimTemplateName: 'gpu' },
    { name: 'own', resourceClaimTemplateName: 'gpu' },
  ];
  const members = ['a', 'b'].map((name) =>
    pod(name, { spec: { containers: [], schedulingGroup: { podGroupName: 'g' }, resourceClaims } }),
  );
  const namesIn = ({ claimed }: ClaimsForPods) =>
    members.map((member) =>
      claimed.get(member)?.status?.resourceClaimStatuses?.map(({ resourceClaimName }) => resourceClaimName),
    );

  it('share the claim that their group names as they do, and no other', () => {
    const made = claimsForPods(members, { templates: [TEMPLATE], present: [], groups: [group] });
    const [[sharedByA, ownOfA] = [], [sharedByB, ownOfB] = []] = namesIn(made);
    expect(sharedByA).toMatch(/^g-shared-\w{5}$/);
    expect(sharedByB).toBe(sharedByA);
    expect([ownOfA, ownOfB]).toEqual([expect.stringMatching(/^a-own-/), expect.stringMatching(/^b-own-/)]);
    expect(made.claims).toHaveLength(3);
    expect(made.claims[0]?.metadata).toMatchObject({
      annotations: { 'resource.kubernetes.io/podgroup-claim-name': 'shared' },
      ownerReferences: [{ apiVersion: 'scheduling.k8s.io/v1alpha2', kind: 'PodGroup', name: 'g', controller: true }],
    });
    const again = claimsForPods(members, { templates: [TEMPLATE], present: made.claims, groups: [group] });
    expect([again.claims, namesIn(again)]).toEqual([[], namesIn(made)]);
  });

  it('take the claim that the status of their group names', () => {
    const status = { resourceClaimStatuses: [{ name: 'shared', resourceClaimName: 'there' }] };
    const groups = [{ ...group, metadata: { ...group.metadata, uid: 'u' }, status }];
    const made = claimsForPods(members, { templates: [TEMPLATE], present: [], groups });
    expect(namesIn(made).map((names) => names?.[0])).toEqual(['there', 'there']);
  });

  it('have claims of their own where groups own none', () => {
    expect(claimsForPods(members, { templates: [TEMPLATE], present: [] }).claims).toHaveLength(4);
  });
});
