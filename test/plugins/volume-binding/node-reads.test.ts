import { expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/api/storage.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { AssumeCache } from '../../../src/plugins/volume-binding/assume-cache.ts';
import { nodeReadsOf } from '../../../src/plugins/volume-binding/node-reads.ts';
import { podVolumeClaims } from '../../../src/plugins/volume-binding/pod-volume-claims.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims } from '../../builders/make-storage.ts';

/** The labels with the values that count, the names of plugins, and those of nodes, in one list. */
function readsOf(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  fill: (objects: ClusterObjects) => void = () => {},
): readonly string[] {
  const objects = new ClusterObjects();
  objects.set('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example' }));
  objects.set('PersistentVolumeClaim', claim);
  for (const volume of volumes) objects.set('PersistentVolume', volume);
  fill(objects);
  const assumed = new AssumeCache(objects);
  const claims = podVolumeClaims(makePodInfo(podWithClaims('p', ['c'])), objects, assumed);
  if ('error' in claims) throw new Error(claims.error);
  const reads = nodeReadsOf(claims, objects, assumed);
  const labels = [...reads.labels].map(([key, values]) => `${key}: ${values === null ? 'any' : [...values].join(' ')}`);
  return [...labels.sort(), ...reads.plugins, ...reads.names];
}

test('a bound claim depends on the labels that its volume names', () => {
  const claim = makeClaim('c', { volume: 'v' });
  expect(readsOf(claim, [makeVolume('v')])).toEqual([]);
  expect(readsOf(claim, [makeVolume('v', { zone: 'a' })])).toEqual(['zone: a']);
  expect(readsOf(claim, [])).toEqual([]);
});

const disk = { csi: undefined, gcePersistentDisk: { pdName: 'd' } };
const inZone = makeVolume('v', { spec: disk, labels: { 'topology.kubernetes.io/zone': 'a' } });

test('a bound in-tree volume with zones depends on whether a driver stands in on the node, and on its zones', () => {
  const claim = makeClaim('c', { volume: 'v' });
  expect(readsOf(claim, [makeVolume('v', { spec: disk })])).toEqual([]);
  expect(readsOf(claim, [inZone])).toEqual(['topology.gke.io/zone: a', 'kubernetes.io/gce-pd']);
});

test('an in-tree volume that is free is the same on all nodes', () => {
  expect(readsOf(makeClaim('c'), [inZone])).toEqual([]);
});

test('a claim that waits depends on the labels of free volumes, and on where new ones can be made', () => {
  const claim = makeClaim('c');
  expect(readsOf(claim, [makeVolume('v', { zone: 'a' }), makeVolume('w'), makeVolume('x', { zone: 'b' })])).toEqual([
    'zone: a b',
  ]);
  const allowedTopologies = [{ matchLabelExpressions: [{ key: 'rack', values: ['r'] }] }];
  expect(
    readsOf(claim, [], (objects) => {
      objects.set('StorageClass', makeStorageClass('wait', { provisioner: 'csi.example', allowedTopologies }));
      objects.set('CSIDriver', { metadata: { name: 'csi.example' }, spec: { storageCapacity: true } });
      objects.set('CSIStorageCapacity', {
        metadata: { name: 's', namespace: 'default' },
        storageClassName: 'wait',
        nodeTopology: { matchLabels: { row: '1' }, matchExpressions: [{ key: 'room', operator: 'Exists' }] },
      });
    }),
  ).toEqual(['rack: r', 'room: ', 'row: 1']);
});

test('a claim for which a node was selected tells this node apart', () => {
  const claim = makeClaim('c', { annotations: { 'volume.kubernetes.io/selected-node': 'n0' } });
  expect(readsOf(claim, [])).toEqual(['n0']);
});

test('a volume that compares numbers tells all values of the label apart', () => {
  const nodeSelectorTerms = [
    { matchExpressions: [{ key: 'rank', operator: 'Gt', values: ['3'] }] },
    { matchExpressions: [{ key: 'rank', operator: 'NotIn', values: ['7'] }] },
  ];
  const volume = makeVolume('v', { spec: { nodeAffinity: { required: { nodeSelectorTerms } } } });
  expect(readsOf(makeClaim('c', { volume: 'v' }), [volume])).toEqual(['rank: any']);
});
