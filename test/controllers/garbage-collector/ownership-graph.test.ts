import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  blocksDeletionOf,
  type GraphNode,
  OwnershipGraph,
  ownersOf,
} from '../../../src/controllers/garbage-collector/ownership-graph.ts';

const UIDS = ['a', 'b', 'c', 'd'];

function node(uid: string, owners: readonly string[]): GraphNode {
  const ownerReferences = owners.map((owner) => ({ kind: 'ReplicaSet', name: owner, uid: owner }));
  return { uid, resource: 'pods', metadata: { uid, ownerReferences } };
}

test('dependents are those that refer to the owner, whether the owner was seen or not', () => {
  const change = fc.record({
    uid: fc.constantFrom(...UIDS),
    owners: fc.option(fc.uniqueArray(fc.constantFrom(...UIDS))),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const graph = new OwnershipGraph();
      const model = new Map<string, GraphNode>();
      for (const { uid, owners } of changes) {
        if (owners === null) {
          graph.delete(uid);
          model.delete(uid);
        } else {
          graph.set(node(uid, owners), graph.get(uid));
          model.set(uid, node(uid, owners));
        }
        for (const owner of UIDS) {
          const dependents = [...model.values()].filter((other) => ownersOf(other).some((ref) => ref.uid === owner));
          const uids = (nodes: readonly GraphNode[]): string[] => nodes.map((each) => each.uid).toSorted();
          expect(uids(graph.dependentsOf(owner))).toEqual(uids(dependents));
          expect(graph.findDependent(owner, () => true)).toBe(graph.dependentsOf(owner)[0]);
          expect(graph.findDependent(owner, (dependent) => dependent.uid === 'c')?.uid).toBe(
            dependents.some((dependent) => dependent.uid === 'c') ? 'c' : undefined,
          );
          expect(graph.get(owner)).toEqual(model.get(owner));
        }
      }
    }),
  );
});

test('a dependent blocks the owners that it says, and only them', () => {
  const ownerReferences = [
    { kind: 'Job', name: 'j', uid: 'j', blockOwnerDeletion: true },
    { kind: 'Job', name: 'k', uid: 'k' },
  ];
  const pod: GraphNode = { uid: 'p', resource: 'pods', metadata: { uid: 'p', ownerReferences } };
  expect(['j', 'k', 'p'].map((uid) => blocksDeletionOf(uid, pod))).toEqual([true, false, false]);
});
