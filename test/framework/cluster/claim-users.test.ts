import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { podWithClaims } from '../../builders/make-storage.ts';

test('a claim is in use while a pod on a known node names it', () => {
  const cluster = makeCluster([makeNode('n')], [podWithClaims('p', ['a', 'b'], 'n'), podWithClaims('q', ['b'])]);
  const used = (): string[] => ['a', 'b', 'c'].filter((name) => cluster.isClaimUsed('default', name));
  expect(used()).toEqual(['a', 'b']);
  expect(cluster.isClaimUsed('other', 'a')).toBe(false);
  cluster.pods.add(podWithClaims('r', ['a', 'c'], 'n'));
  cluster.pods.remove('default', 'p');
  expect(used()).toEqual(['a', 'c']);
  cluster.removeNode('n');
  expect(used()).toEqual([]);
  cluster.addNode(makeNode('n'));
  expect(used()).toEqual(['a', 'c']);
});

test('is what a count of all pods finds, after any changes', () => {
  const claims = fc.subarray(['a', 'b', 'c']);
  const step = fc.tuple(fc.nat(4), claims, fc.constantFrom('n0', 'n1', 'n2'), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const cluster = makeCluster(['n0', 'n1'].map((name) => makeNode(name)));
      for (const [i, names, nodeName, isRead] of steps) {
        const name = `p${i}`;
        if (cluster.pods.get('default', name) === undefined) cluster.pods.add(podWithClaims(name, names, nodeName));
        else cluster.pods.remove('default', name);
        if (!isRead) continue;
        const volumes = [...cluster.knownNodes()].flatMap(({ pods }) =>
          pods.flatMap(({ pod }) => pod.spec?.volumes ?? []),
        );
        const expected = new Set(volumes.map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName));
        for (const claim of ['a', 'b', 'c']) expect(cluster.isClaimUsed('default', claim)).toBe(expected.has(claim));
      }
    }),
  );
});
