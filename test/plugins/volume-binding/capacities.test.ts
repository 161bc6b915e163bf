import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CSIStorageCapacity } from '../../../src/api/storage.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { checkProvisioning } from '../../../src/plugins/volume-binding/provisioning.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass } from '../../builders/make-storage.ts';

const node = makeNode('n', { labels: { zone: 'a', rack: '1' } });

function clusterWith(capacities: Iterable<CSIStorageCapacity>): ClusterObjects {
  const objects = new ClusterObjects();
  objects.set('CSIDriver', { metadata: { name: 'csi.example' }, spec: { storageCapacity: true } });
  for (const name of ['wait', 'other']) {
    objects.set('StorageClass', makeStorageClass(name, { provisioner: 'csi.example' }));
  }
  for (const capacity of capacities) objects.set('CSIStorageCapacity', capacity);
  return objects;
}

/** For claims of both classes, small and large. */
const outcomesIn = (objects: ClusterObjects) =>
  ['wait', 'other'].flatMap((className) =>
    ['1Gi', '2Gi'].map((size) => checkProvisioning(makeClaim('c', { className, size }), node, objects)),
  );

const capacity = fc.record({
  metadata: fc.record({ name: fc.constantFrom('a', 'b'), namespace: fc.constantFrom('x', 'y') }),
  storageClassName: fc.constantFrom('wait', 'wait', 'other'),
  capacity: fc.constantFrom('0', '1Gi', '2Gi'),
  nodeTopology: fc.constantFrom(
    {},
    { matchLabels: { zone: 'a' } },
    { matchLabels: { zone: 'b' } },
    { matchExpressions: [{ key: 'rack', operator: 'In', values: ['1', '2'] }] },
  ),
});

test('there is room where one finds it that starts now, whatever came before', () => {
  const step = fc.tuple(capacity, fc.boolean(), fc.boolean());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20, size: 'max' }), (steps) => {
      const objects = clusterWith([]);
      for (const [changed, isSet, isRead] of steps) {
        const { name, namespace } = changed.metadata;
        if (isSet) objects.set('CSIStorageCapacity', changed);
        else objects.remove('CSIStorageCapacity', name, namespace);
        if (isRead) expect(outcomesIn(objects)).toEqual(outcomesIn(clusterWith(objects.list('CSIStorageCapacity'))));
      }
    }),
    { numRuns: 300 },
  );
});

test('more changes are followed than are kept', () => {
  const objects = clusterWith([]);
  const [here, there] = [{ matchLabels: { zone: 'a' } }, { matchLabels: { zone: 'b' } }];
  const change = (nodeTopology: typeof here) => {
    for (let i = 0; i < 10_001; i++) {
      const metadata = { name: `c${i}`, namespace: 'x' };
      objects.set('CSIStorageCapacity', { metadata, storageClassName: 'wait', capacity: '1Gi', nodeTopology });
    }
    return outcomesIn(objects)[0];
  };
  expect([outcomesIn(objects)[0], change(here), change(there)]).toEqual(['no space', 'possible', 'no space']);
});
