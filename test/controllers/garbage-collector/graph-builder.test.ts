import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FOREGROUND_FINALIZER, type KubernetesObject, ORPHAN_FINALIZER } from '../../../src/api/meta.ts';
import { GraphBuilder } from '../../../src/controllers/garbage-collector/graph-builder.ts';
import { OwnershipGraph } from '../../../src/controllers/garbage-collector/ownership-graph.ts';

const UIDS = ['a', 'b', 'c'];

/** A graph with its builder, and what was queued. */
class World {
  readonly graph = new OwnershipGraph();
  readonly queued: string[] = [];
  readonly builder = new GraphBuilder(
    this.graph,
    { resourceOf: () => ({ resource: 'pods', isNamespaced: true }) },
    {
      attemptToDelete: (uid) => this.queued.push(`delete ${uid}`),
      attemptToOrphan: (uid) => this.queued.push(`orphan ${uid}`),
    },
  );
}

/** What a change leaves as it is, as the store does: the same parts of the metadata. */
const change = fc.record({
  uid: fc.constantFrom(...UIDS),
  isRemoval: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  owners: fc.option(fc.uniqueArray(fc.constantFrom(...UIDS)), { freq: 3 }),
  blocks: fc.boolean(),
  finalizers: fc.option(fc.subarray([FOREGROUND_FINALIZER, ORPHAN_FINALIZER, 'other']), { freq: 3 }),
  isDeletion: fc.boolean(),
});

test('updates about which the collector reads nothing new change neither the graph nor the queues', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const [skipping, plain] = [new World(), new World()];
      const objects = new Map<string, KubernetesObject>();
      for (const [version, { uid, isRemoval, owners, blocks, finalizers, isDeletion }] of changes.entries()) {
        const before = objects.get(uid);
        if (before !== undefined && isRemoval) {
          objects.delete(uid);
          for (const { builder } of [skipping, plain]) builder.remove(before);
        } else {
          const known = before?.metadata ?? { uid, name: uid, namespace: 'n' };
          const references = owners?.map((owner) => ({
            kind: 'Pod',
            name: owner,
            uid: owner,
            blockOwnerDeletion: blocks,
          }));
          const after = {
            metadata: {
              ...known,
              resourceVersion: String(version),
              ownerReferences: references ?? known.ownerReferences,
              finalizers: finalizers ?? known.finalizers,
              deletionTimestamp: known.deletionTimestamp ?? (isDeletion ? new Date(0) : undefined),
            },
          };
          objects.set(uid, after);
          plain.builder.observe('pods', after);
          if (before === undefined) skipping.builder.observe('pods', after);
          else skipping.builder.update('pods', before, after);
        }
        expect(skipping.queued).toEqual(plain.queued);
        for (const each of UIDS) {
          expect(skipping.graph.get(each)).toEqual(plain.graph.get(each));
          expect(skipping.graph.dependentsOf(each)).toEqual(plain.graph.dependentsOf(each));
        }
      }
    }),
  );
});
