import { expect, it } from 'vitest';
import type { ResourceClaim } from '../../../../src/api/resource-claims.ts';
import { ClusterObjects } from '../../../../src/framework/cluster-objects.ts';
import { Prng } from '../../../../src/lib/prng.ts';
import { ClaimCache } from '../../../../src/plugins/dynamic-resources/claims/claim-cache.ts';
import { claimMadeFor, ExtendedClaim } from '../../../../src/plugins/dynamic-resources/extended/extended-claim.ts';
import { MadeClaims } from '../../../../src/plugins/dynamic-resources/extended/made-claims.ts';
import { ResourceClasses } from '../../../../src/plugins/dynamic-resources/extended/resource-classes.ts';
import { makePodInfo } from '../../../builders/make-cluster.ts';
import { makePod } from '../../../builders/make-pod.ts';

const PODS = ['a', 'b', 'c'].map((name) =>
  makePodInfo({ ...makePod(name), metadata: { name, namespace: 'default', uid: `uid-${name}` } }),
);

it('a claim that was made for a pod is found as by a look at all claims', () => {
  const random = new Prng(7);
  const objects = new ClusterObjects();
  const claims = new ClaimCache(objects);
  const made = new MadeClaims(objects, claims);
  const classes = new ResourceClasses(objects);
  const found: (string | undefined)[] = [];
  for (let step = 0; step < 300; step++) {
    const pod = PODS[random.below(PODS.length)] ?? PODS[0];
    if (pod === undefined) continue;
    const { claim } = new ExtendedClaim(pod, classes, undefined, false);
    const name = `claim-${random.below(4)}`;
    const stored: ResourceClaim = { ...claim, metadata: { ...claim.metadata, name, uid: `uid-of-${name}` } };
    const kind = random.below(5);
    if (kind === 0) objects.set('ResourceClaim', stored);
    else if (kind === 1) objects.set('ResourceClaim', { metadata: { name, uid: 'of nobody' }, spec: {} });
    else if (kind === 2 && objects.get('ResourceClaim', name, 'default'))
      objects.remove('ResourceClaim', name, 'default');
    else if (kind === 3) claims.reserve(claim);
    else claims.release(claim);
    for (const each of PODS) {
      const expected = claimMadeFor(each, claims.all());
      expect(made.of(each)).toBe(expected);
      found.push(expected?.metadata?.name);
    }
  }
  expect(new Set(found).size).toBe(6);
});

it('keys tell apart pods that request a resource by their overhead alone', () => {
  const classes = new ResourceClasses(new ClusterObjects());
  const keyOf = (amount: string): string => {
    const pod = makePod('p', { requests: { 'example.com/gpu': '0' } });
    const overhead = { 'example.com/gpu': amount };
    return new ExtendedClaim(makePodInfo({ ...pod, spec: { ...pod.spec, overhead } }), classes, undefined, false).key;
  };
  expect(keyOf('1')).not.toBe(keyOf('0'));
});
