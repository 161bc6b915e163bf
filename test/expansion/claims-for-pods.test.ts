import { expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { ResourceClaimTemplate } from '../../src/api/resource-claims.ts';
import { claimsForPods } from '../../src/expansion/claims-for-pods.ts';

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
  const { claims, claimed, withoutTemplate } = claimsForPods([given], [TEMPLATE], []);
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
  const before = claimsForPods([given], [TEMPLATE], []);
  const ended = pod('q', { status: { phase: 'Succeeded' } });
  const after = claimsForPods([given, ended], [TEMPLATE], before.claims);
  expect(after.claims).toEqual([]);
  expect([...after.claimed]).toEqual([...before.claimed]);
});

it('names pods whose template is in another namespace, or nowhere', () => {
  const elsewhere = { ...TEMPLATE, metadata: { name: 'gpu', namespace: 'other' } };
  const given = pod('p');
  expect(claimsForPods([given], [elsewhere], [])).toMatchObject({ claims: [], withoutTemplate: [given] });
});
