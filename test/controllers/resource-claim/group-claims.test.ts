import { beforeEach, describe, expect, it } from 'vitest';
import type { ResourceSlice } from '../../../src/api/resource-claims.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { makeDeviceClass, makeSlice } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';

const featureGates = { GenericWorkload: true, GangScheduling: true, DRAWorkloadResourceClaims: true };
const SHARED = { name: 'shared', resourceClaimTemplateName: 't' };

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster({ scheduler: { featureGates } });
  cluster.store.create('nodes', makeNode('a'));
  cluster.store.create('deviceclasses', makeDeviceClass());
  cluster.store.create('resourceslices', makeSlice('a', ['d0', 'd1']));
  cluster.start();
});

const place = (name: string) => ({ metadata: { name, namespace: 'default' } });
const newTemplate = (name = 't') =>
  cluster.store.create('resourceclaimtemplates', {
    ...place(name),
    spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } } },
  });
const newGroup = (name: string, minCount = 2) =>
  cluster.store.create('podgroups', {
    ...place(name),
    spec: { schedulingPolicy: { gang: { minCount } }, resourceClaims: [SHARED] },
  });
const newPod = (name: string, podGroupName: string, resourceClaims: readonly (typeof SHARED)[] = [SHARED]) =>
  cluster.store.create('pods', {
    ...place(name),
    spec: { containers: [{ name: 'c', image: 'i:1' }], schedulingGroup: { podGroupName }, resourceClaims },
  });
const pod = (name: string) => cluster.store.get('pods', 'default', name);
const group = (name: string) => cluster.store.get('podgroups', 'default', name);
const claims = () => cluster.store.list('resourceclaims').items;
const removePod = (name: string) => cluster.store.delete('pods', 'default', name, { gracePeriodSeconds: 0 });

describe('a claim of a group', () => {
  it('is made once, named in the status of the group and its pods, and reserved for the group', () => {
    newTemplate();
    newGroup('g');
    for (const name of ['p', 'q']) newPod(name, 'g');
    cluster.runFor(5000);
    const [made, ...more] = claims();
    expect(more).toEqual([]);
    expect(made?.metadata).toMatchObject({
      generateName: 'g-shared-',
      annotations: { 'resource.kubernetes.io/podgroup-claim-name': 'shared' },
      ownerReferences: [{ kind: 'PodGroup', name: 'g', controller: true, blockOwnerDeletion: true }],
    });
    const named = [{ name: 'shared', resourceClaimName: made?.metadata?.name }];
    expect([group('g'), pod('p'), pod('q')].map(({ status }) => status?.resourceClaimStatuses)).toEqual(
      Array.from({ length: 3 }, () => named),
    );
    expect([pod('p').spec?.nodeName, pod('q').spec?.nodeName]).toEqual(['a', 'a']);
    expect(made?.status?.reservedFor).toEqual([
      {
        apiGroup: 'scheduling.k8s.io',
        resource: 'podgroups',
        name: 'g',
        uid: group('g').metadata?.uid,
      },
    ]);
    expect(made?.status?.allocation?.devices?.results).toHaveLength(1);
  });

  it('outlives pods, and goes with its group, which goes after its last pod', () => {
    newTemplate();
    newGroup('g');
    for (const name of ['p', 'q']) newPod(name, 'g');
    cluster.runFor(5000);
    removePod('p');
    cluster.store.delete('podgroups', 'default', 'g');
    cluster.runFor(30_000);
    expect(claims()[0]?.status?.allocation).toBeDefined();
    expect(group('g').metadata?.deletionTimestamp).toBeDefined();
    removePod('q');
    cluster.runFor(30_000);
    expect([cluster.store.list('podgroups').items, claims()]).toEqual([[], []]);
  });

  it('is not the claim of another group, or of pods that name another template', () => {
    newTemplate();
    newTemplate('u');
    for (const name of ['g', 'h']) newGroup(name, 1);
    newPod('p', 'g');
    newPod('q', 'h');
    newPod('r', 'h', [{ ...SHARED, resourceClaimTemplateName: 'u' }]);
    cluster.runFor(5000);
    const names = claims().map(({ metadata }) => metadata?.generateName);
    expect(names.sort()).toEqual(['g-shared-', 'h-shared-', 'r-shared-']);
  });

  it('waits for its template, and its pods for the group', () => {
    newPod('p', 'g');
    cluster.runFor(2000);
    expect(claims()).toEqual([]);
    newGroup('g', 1);
    cluster.runFor(2000);
    const notes = cluster.store.list('events').items.map(({ message }) => message);
    expect(notes).toContain('PodGroupResourceClaim shared: resource claim template "t": not found');
    newTemplate();
    cluster.runFor(5000);
    expect(pod('p').spec?.nodeName).toBe('a');
  });

  it('has a name that leaves room for what the API adds', () => {
    newTemplate();
    const long = 'g'.repeat(100);
    newGroup(long, 1);
    newPod('p', long);
    cluster.runFor(2000);
    expect(claims()[0]?.metadata?.generateName).toBe(`${'g'.repeat(52)}-sha`);
  });

  it('takes all pods of the group from a device that gets a NoExecute taint', () => {
    newTemplate();
    newGroup('g');
    newGroup('other', 1);
    for (const name of ['p', 'q']) newPod(name, 'g');
    newPod('r', 'other');
    cluster.runFor(5000);
    const taken = claims().find(({ metadata }) => metadata?.generateName === 'g-shared-');
    const [result] = taken?.status?.allocation?.devices?.results ?? [];
    const slice = cluster.store.list('resourceslices').items[0] as ResourceSlice;
    const taints = [{ key: 'broken', effect: 'NoExecute' }];
    const devices = slice.spec.devices?.map((each) => (each.name === result?.device ? { ...each, taints } : each));
    cluster.store.update('resourceslices', { ...slice, spec: { ...slice.spec, devices } });
    cluster.runFor(1000);
    const leaving = cluster.store
      .list('pods')
      .items.filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
    expect(leaving.map(({ metadata }) => metadata?.name)).toEqual(['p', 'q']);
  });
});
