import { beforeEach, describe, expect, it } from 'vitest';
import type { PersistentVolumeClaim, StorageClass } from '../../../src/api/storage.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { PodLife } from '../../builders/pod-life.ts';

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster({ scheduler: {} });
  for (const zone of ['a', 'b']) cluster.store.create('nodes', makeNode(`node-${zone}`, { zone }));
  cluster.start();
});

const newClass = (options: StorageClass): unknown =>
  cluster.store.create('storageclasses', { metadata: { name: 'fast' }, provisioner: 'csi.example.com', ...options });
const newClaim = (name: string, spec: PersistentVolumeClaim['spec'] = {}) =>
  cluster.store.create('persistentvolumeclaims', {
    metadata: { name, namespace: 'default' },
    spec: {
      ...{ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' },
      ...spec,
    },
  });
const newVolume = (name: string, storage: string, claimRef?: { readonly namespace: string; readonly name: string }) =>
  cluster.store.create('persistentvolumes', {
    metadata: { name },
    spec: {
      ...{ capacity: { storage }, accessModes: ['ReadWriteOnce'], storageClassName: '' },
      ...{ csi: { driver: 'd', volumeHandle: name }, ...(claimRef && { claimRef }) },
    },
  });
const newPod = (name: string, claimName: string, nodeSelector = {}) =>
  cluster.store.create('pods', {
    metadata: { name, namespace: 'default' },
    spec: {
      ...{ containers: [{ name: 'c', image: 'i:1' }], nodeSelector },
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }],
    },
  });
const claim = (name: string) => cluster.store.get('persistentvolumeclaims', 'default', name);
const volumes = () => cluster.store.list('persistentvolumes').items;
const nodeOf = (name: string) => cluster.store.get('pods', 'default', name).spec?.nodeName;

describe('VolumeController', () => {
  it('makes a volume for a claim at once, or when its pod has got a node, in the zone of that node', () => {
    newClass({ volumeBindingMode: 'Immediate' });
    newClass({ metadata: { name: 'late' }, volumeBindingMode: 'WaitForFirstConsumer' });
    newClaim('now');
    newClaim('later', { storageClassName: 'late' });
    cluster.runFor(5000);
    expect([claim('now'), claim('later')].map(({ status }) => status?.phase)).toEqual(['Bound', 'Pending']);
    expect(volumes()[0]?.spec?.nodeAffinity).toBeUndefined();
    newPod('p', 'later', { 'topology.kubernetes.io/zone': 'b' });
    cluster.runFor(5000);
    expect(nodeOf('p')).toBe('node-b');
    expect(claim('later').status?.phase).toBe('Bound');
    const made = volumes().find(({ metadata }) => metadata?.name === claim('later').spec?.volumeName);
    expect(made?.spec).toMatchObject({
      capacity: { storage: '1Gi' },
      claimRef: { name: 'later', uid: claim('later').metadata?.uid },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] }] },
          ],
        },
      },
    });
    // The volume keeps later pods in its zone.
    cluster.store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
    newPod('q', 'later');
    cluster.runFor(5000);
    expect(nodeOf('q')).toBe('node-b');
  });

  it('takes the smallest free volume that is large enough, and the one that is reserved before all others', () => {
    newVolume('large', '9Gi');
    newVolume('small', '500Mi');
    newVolume('right', '2Gi');
    newVolume('reserved', '8Gi', { namespace: 'default', name: 'b' });
    newClaim('a', { storageClassName: '' });
    newClaim('b', { storageClassName: '' });
    cluster.runFor(5000);
    expect(['a', 'b'].map((name) => claim(name).spec?.volumeName)).toEqual(['right', 'reserved']);
    expect(volumes().map(({ metadata, status }) => `${metadata?.name} ${status?.phase}`)).toEqual([
      ...['large Available', 'reserved Bound', 'right Bound', 'small Available'],
    ]);
  });

  it('gives claims that wait the volumes and the class that come, each those of its class, reserved or named', () => {
    newClaim('first', { storageClassName: '' });
    newClaim('named', { storageClassName: 'none', volumeName: 'big' });
    newClaim('second', { storageClassName: '' });
    newClaim('made');
    cluster.runFor(5000);
    newVolume('other', '2Gi', { namespace: 'other', name: 'first' });
    newVolume('big', '9Gi');
    newVolume('kept', '3Gi', { namespace: 'default', name: 'second' });
    newVolume('free', '4Gi');
    newClass({ volumeBindingMode: 'Immediate' });
    cluster.runFor(5000);
    const names = ['first', 'named', 'second', 'made'].map((name) => claim(name).spec?.volumeName);
    expect(names).toEqual(['free', 'big', 'kept', `pvc-${claim('made').metadata?.uid}`]);
  });

  it('deletes a volume that it made with its claim, and keeps one that was there, or whose class says so', () => {
    newVolume('given', '2Gi');
    newClass({ volumeBindingMode: 'Immediate' });
    newClass({ metadata: { name: 'kept' }, volumeBindingMode: 'Immediate', reclaimPolicy: 'Retain' });
    const classes = { a: '', b: 'fast', c: 'kept' };
    for (const [name, storageClassName] of Object.entries(classes)) newClaim(name, { storageClassName });
    cluster.runFor(5000);
    expect(volumes()).toHaveLength(3);
    for (const name of Object.keys(classes)) cluster.store.delete('persistentvolumeclaims', 'default', name);
    cluster.runFor(5000);
    expect(volumes().map(({ status }) => status?.phase)).toEqual(['Released', 'Released']);
  });

  it('does nothing for a class without a provisioner, or a claim without a class', () => {
    newClass({ provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'Immediate' });
    newClaim('a');
    newClaim('b', { storageClassName: 'none' });
    cluster.runFor(5000);
    expect([volumes(), claim('a').status?.phase, claim('b').status?.phase]).toEqual([[], 'Pending', 'Pending']);
  });

  it('gives every pod of a StatefulSet a volume of its own', () => {
    newClass({ volumeBindingMode: 'WaitForFirstConsumer' });
    new PodLife(cluster, { binds: false });
    const labels = { app: 'db' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
    const { spec } = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
    const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: { ...spec, storageClassName: 'fast' } }];
    cluster.store.create('statefulsets', {
      metadata: { name: 'db' },
      spec: { replicas: 3, selector: { matchLabels: labels }, template, volumeClaimTemplates },
    });
    cluster.runFor(60_000);
    expect(
      volumes()
        .map((volume) => volume.spec?.claimRef?.name)
        .sort(),
    ).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
    expect(cluster.store.list('pods').items.every((pod) => pod.status?.phase === 'Running')).toBe(true);
  });
});
