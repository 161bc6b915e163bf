import { describe, expect, it } from 'vitest';
import type { Labels } from '../../../src/api/meta.ts';
import { VolumeZone } from '../../../src/plugins/volume-zone/plugin.ts';
import { filterCluster } from '../../builders/filter-cluster.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makeClaim, makeStorageClass, makeVolume, podWithClaims } from '../../builders/make-storage.ts';

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const BETA_REGION = 'failure-domain.beta.kubernetes.io/region';
const REJECTED = 'UnschedulableAndUnresolvable: node(s) had no available volume zone';

function verdict(volumeLabels: Labels, nodeLabels: Labels): string | null {
  const cluster = makeCluster([makeNode('n', { labels: nodeLabels })]);
  cluster.objects.set('PersistentVolume', makeVolume('v', { labels: volumeLabels }));
  cluster.objects.set('PersistentVolumeClaim', makeClaim('c', { volume: 'v' }));
  const found = filterCluster(new VolumeZone(cluster), cluster, podWithClaims('p', ['c']));
  return typeof found === 'string' ? found : (found[0] ?? null);
}

describe('VolumeZone', () => {
  it.each<[string, Labels, Labels, string | null]>([
    ['the same zone', { [ZONE]: 'a' }, { [ZONE]: 'a' }, null],
    ['another zone', { [ZONE]: 'a' }, { [ZONE]: 'b' }, REJECTED],
    ['one of several zones', { [ZONE]: 'a__b' }, { [ZONE]: 'b' }, null],
    ['none of several zones', { [ZONE]: 'a__b' }, { [ZONE]: 'a__b' }, REJECTED],
    ['zone and region', { [ZONE]: 'a', [REGION]: 'r' }, { [ZONE]: 'a', [REGION]: 'r' }, null],
    ['another region', { [ZONE]: 'a', [REGION]: 'r' }, { [ZONE]: 'a', [REGION]: 's' }, REJECTED],
    ['a node with more labels', { [ZONE]: 'a' }, { [ZONE]: 'a', [REGION]: 'r' }, null],
    ['a node with fewer labels', { [ZONE]: 'a', [REGION]: 'r' }, { [ZONE]: 'a' }, REJECTED],
    ['a node without any', { [ZONE]: 'a' }, { other: 'x' }, null],
    ['an old volume on a new node', { [BETA_ZONE]: 'a' }, { [ZONE]: 'a' }, null],
    ['an old volume elsewhere', { [BETA_REGION]: 'r' }, { [REGION]: 's' }, REJECTED],
    ['a new volume on an old node', { [ZONE]: 'a' }, { [BETA_ZONE]: 'a' }, REJECTED],
    ['the old label of the node first', { [BETA_ZONE]: 'a' }, { [BETA_ZONE]: 'b', [ZONE]: 'a' }, REJECTED],
    ['a volume without labels', { other: 'x' }, { [ZONE]: 'a' }, 'Skip'],
    ['a list with an empty zone', { [ZONE]: 'a__' }, { [ZONE]: 'b' }, 'Skip'],
    ['an empty zone', { [ZONE]: '' }, { [ZONE]: 'b' }, 'Skip'],
  ])('%s', (_, volumeLabels, nodeLabels, expected) => {
    expect(verdict(volumeLabels, nodeLabels)).toBe(expected);
  });

  it('asks the volumes of all claims', () => {
    const cluster = makeCluster([makeNode('a', { zone: 'a' }), makeNode('b', { zone: 'b' })]);
    for (const zone of ['a', 'b']) {
      cluster.objects.set('PersistentVolume', makeVolume(`v${zone}`, { labels: { [ZONE]: zone } }));
      cluster.objects.set('PersistentVolumeClaim', makeClaim(zone, { volume: `v${zone}` }));
    }
    expect(filterCluster(new VolumeZone(cluster), cluster, podWithClaims('p', ['a']))).toEqual([null, REJECTED]);
    expect(filterCluster(new VolumeZone(cluster), cluster, podWithClaims('p', ['a', 'b']))).toEqual([
      REJECTED,
      REJECTED,
    ]);
  });
});

describe('VolumeZone, before any node is looked at', () => {
  const cluster = makeCluster([makeNode('n', { zone: 'a' })]);
  cluster.objects.set('StorageClass', makeStorageClass('wait'));
  cluster.objects.set('StorageClass', makeStorageClass('now', { volumeBindingMode: 'Immediate' }));
  cluster.objects.set('StorageClass', makeStorageClass('unset', { volumeBindingMode: undefined }));
  cluster.objects.set('PersistentVolumeClaim', makeClaim('dangling', { volume: 'gone' }));
  for (const className of ['wait', 'now', 'unset', 'missing', '']) {
    cluster.objects.set('PersistentVolumeClaim', makeClaim(`of-${className}`, { className }));
  }

  it.each([
    ['nothing', 'persistentvolumeclaim "nothing" not found'],
    ['dangling', 'persistentvolume "gone" not found'],
    ['', 'PersistentVolumeClaim had no name'],
    ['of-now', 'PersistentVolume had no name'],
    ['of-unset', 'VolumeBindingMode not set for StorageClass "unset"'],
    ['of-missing', 'storageclass.storage.k8s.io "missing" not found'],
    ['of-', 'PersistentVolumeClaim had no pv name and storageClass name'],
  ])('claim %j: %s', (claimName, reason) => {
    const found = filterCluster(new VolumeZone(cluster), cluster, podWithClaims('p', [claimName]));
    expect(found).toBe(`UnschedulableAndUnresolvable: ${reason}`);
  });

  it('passes over a claim that waits for the pod', () => {
    expect(filterCluster(new VolumeZone(cluster), cluster, podWithClaims('p', ['of-wait']))).toBe('Skip');
    expect(filterCluster(new VolumeZone(cluster), cluster, podWithClaims('p', []))).toBe('Skip');
  });
});

describe('pods that share columns', () => {
  it('are concerned if they have claims at all', () => {
    const plugin = new VolumeZone(makeCluster([]));
    const [none, one, other] = [[], ['c'], ['d']].map((names) => plugin.concerns(podWithClaims('p', names)));
    expect([none === one, one === other]).toEqual([false, true]);
  });
});
