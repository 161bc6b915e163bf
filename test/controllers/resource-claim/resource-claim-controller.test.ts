import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { ResourceClaimController } from '../../../src/controllers/resource-claim/resource-claim-controller.ts';
import { makeDeviceClass, makeSlice } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';
import { ControlPlane } from '../control-plane.ts';

const GPU = 'example.com/gpu';

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster({ scheduler: {} });
  cluster.store.create('nodes', makeNode('a'));
  const gpus = makeDeviceClass();
  cluster.store.create('deviceclasses', { ...gpus, spec: { ...gpus.spec, extendedResourceName: GPU } });
  cluster.store.create('resourceslices', makeSlice('a', ['d0', 'd1']));
  cluster.store.create('resourceclaimtemplates', {
    metadata: { name: 't', namespace: 'default' },
    spec: {
      metadata: { labels: { from: 'template' } },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 2 } }] } },
    },
  });
  cluster.start();
});

const newPod = (name: string, spec: object = {}) =>
  cluster.store.create('pods', {
    metadata: { name, namespace: 'default' },
    spec: {
      containers: [{ name: 'c', image: 'i:1' }],
      resourceClaims: [{ name: 'gpus', resourceClaimTemplateName: 't' }],
      ...spec,
    },
  });
const pod = (name: string) => cluster.store.get('pods', 'default', name);
const claims = () => cluster.store.list('resourceclaims').items;
const removePod = (name: string) => cluster.store.delete('pods', 'default', name, { gracePeriodSeconds: 0 });

/** A control plane with nothing but the controller. */
function planeWithController(): ControlPlane {
  const plane = new ControlPlane();
  const { client, informers, loop, reportError } = plane;
  new ResourceClaimController({ client, informers, loop, reportError, recorder: { event: () => {} } }).start();
  informers.start();
  return plane;
}

describe('ResourceClaimController', () => {
  it('makes a claim from the template, and gives its devices to the next pod when the pod is gone', () => {
    newPod('p');
    newPod('q');
    cluster.runFor(5000);
    expect(claims()).toHaveLength(2);
    expect([pod('p').spec?.nodeName, pod('q').spec?.nodeName]).toEqual(['a', undefined]);
    const [first] = pod('p').status?.resourceClaimStatuses ?? [];
    const made = claims().find(({ metadata }) => metadata?.name === first?.resourceClaimName);
    expect(made?.metadata).toMatchObject({
      generateName: 'p-gpus-',
      labels: { from: 'template' },
      annotations: { 'resource.kubernetes.io/pod-claim-name': 'gpus' },
      ownerReferences: [{ kind: 'Pod', name: 'p', controller: true }],
    });
    expect(made?.status?.allocation?.devices?.results).toHaveLength(2);
    removePod('p');
    cluster.runFor(60_000);
    expect(pod('q').spec?.nodeName).toBe('a');
    expect(claims()).toHaveLength(1);
  });

  it('takes the devices of a claim back that was not made for a pod, and keeps the claim', () => {
    const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 2 } }] } };
    cluster.store.create('resourceclaims', { metadata: { name: 'own', namespace: 'default' }, spec });
    newPod('p', { resourceClaims: [{ name: 'x', resourceClaimName: 'own' }] });
    cluster.runFor(5000);
    expect(claims()[0]?.status?.reservedFor).toHaveLength(1);
    removePod('p');
    cluster.runFor(5000);
    expect(claims().map(({ metadata, status }) => [metadata?.name, metadata?.finalizers ?? [], status])).toEqual([
      ['own', [], {}],
    ]);
  });

  it('asks the API for no pod that it has seen deleted', () => {
    const plane = planeWithController();
    const { store } = plane;
    const metadata = { name: 'p', namespace: 'default' };
    const resourceClaims = [{ name: 'x', resourceClaimName: 'own' }];
    const { uid = '' } = store.create('pods', { metadata, spec: { containers: [{ name: 'c' }], resourceClaims } })
      .metadata!;
    const claim = store.create('resourceclaims', { metadata: { name: 'own', namespace: 'default' }, spec: {} });
    store.updateStatus('resourceclaims', { ...claim, status: { reservedFor: [{ resource: 'pods', name: 'p', uid }] } });
    plane.runSeconds(5);
    const asked: string[] = [];
    plane.isRefused = ({ verb, resource }) => verb === 'get' && asked.push(resource) === 0;
    store.delete('pods', 'default', 'p', { gracePeriodSeconds: 0 });
    plane.runSeconds(5);
    expect(store.get('resourceclaims', 'default', 'own').status).toEqual({});
    expect(asked).toEqual([]);
  });

  it.each([
    ['the answer to the write that takes the devices is lost', 'updateStatus', true],
    ['the write that takes the finalizer fails', 'update', true],
    ['the answer is lost, while the claim is not being deleted yet', 'updateStatus', false],
  ] as const)('lets a claim end although %s', (_, verb, isDeletedBefore) => {
    const plane = new ControlPlane();
    const { store, client, informers, loop, reportError } = plane;
    const lossy = Object.assign(Object.create(client), {
      updateStatus: (...[resource, object]: Parameters<typeof store.updateStatus>) => {
        const written = store.updateStatus(resource, object);
        client.updateStatus(resource, object);
        return written;
      },
    }) as typeof client;
    new ResourceClaimController({ client: lossy, informers, loop, reportError, recorder: { event: () => {} } }).start();
    informers.start();
    const metadata = { name: 'own', namespace: 'default', finalizers: ['resource.kubernetes.io/delete-protection'] };
    const claim = store.create('resourceclaims', { metadata, spec: {} });
    const reservedFor = [{ resource: 'pods', name: 'p', uid: 'gone' }];
    let failures = 1;
    plane.isRefused = (call) => call.verb === verb && failures-- > 0;
    const status = { reservedFor, allocation: {}, devices: [] };
    store.updateStatus('resourceclaims', { ...claim, status });
    if (!isDeletedBefore) plane.runSeconds(60);
    expect(plane.names('resourceclaims')).toEqual(['default/own']);
    store.delete('resourceclaims', 'default', 'own');
    plane.runSeconds(60);
    expect(plane.names('resourceclaims')).toEqual([]);
  });

  it('leaves the devices of a claim that is being deleted without its protection', () => {
    const plane = planeWithController();
    const { store } = plane;
    const metadata = { name: 'own', namespace: 'default', finalizers: ['example.com/other'] };
    const claim = store.create('resourceclaims', { metadata, spec: {} });
    store.updateStatus('resourceclaims', { ...claim, status: { allocation: {} } });
    store.delete('resourceclaims', 'default', 'own');
    plane.runSeconds(60);
    expect(store.get('resourceclaims', 'default', 'own').status).toEqual({ allocation: {} });
  });

  it('makes a claim anew that somebody has deleted before it had devices', () => {
    newPod('p', { schedulingGates: [{ name: 'example.com/later' }] });
    cluster.runFor(5000);
    const [first] = claims();
    cluster.store.delete('resourceclaims', 'default', first?.metadata?.name ?? '');
    cluster.runFor(5000);
    const [second, ...more] = claims();
    expect([more, second?.metadata?.uid === first?.metadata?.uid]).toEqual([[], false]);
    expect(pod('p').status?.resourceClaimStatuses).toEqual([
      { name: 'gpus', resourceClaimName: second?.metadata?.name },
    ]);
  });

  it('makes no second claim while the first is not seen yet', () => {
    const plane = new ControlPlane();
    const { store, client, informers, loop, reportError } = plane;
    const metadata = { name: 't', namespace: 'default' };
    store.create('resourceclaimtemplates', { metadata, spec: { spec: {} } });
    new ResourceClaimController({ client, informers, loop, reportError, recorder: { event: () => {} } }).start();
    informers.start();
    plane.runSeconds(1);
    let failures = 3;
    plane.isRefused = ({ verb }) => verb === 'patch' && failures-- > 0;
    const shown = vi.spyOn(informers.of('resourceclaims').lister, 'byIndex').mockReturnValue([]);
    const resourceClaims = [{ name: 'x', resourceClaimTemplateName: 't' }];
    store.create('pods', {
      metadata: { name: 'p', namespace: 'default' },
      spec: { containers: [{ name: 'c' }], resourceClaims },
    });
    plane.runSeconds(30);
    expect([shown.mock.calls.length > 1, plane.names('resourceclaims').length]).toEqual([true, 1]);
    const [{ resourceClaimName = '' } = {}] = store.get('pods', 'default', 'p').status?.resourceClaimStatuses ?? [];
    expect(plane.names('resourceclaims')).toEqual([`default/${resourceClaimName}`]);
  });

  it('reserves claims for pods that somebody else has put on a node', () => {
    const plane = planeWithController();
    const { store } = plane;
    const metadata = { name: 'own', namespace: 'default' };
    const claim = store.create('resourceclaims', { metadata, spec: {} });
    const create = (name: string, spec: object) =>
      store.create('pods', {
        metadata: { name, namespace: 'default' },
        spec: { containers: [{ name: 'c' }], resourceClaims: [{ name: 'x', resourceClaimName: 'own' }], ...spec },
      });
    const { uid } = create('placed', { nodeName: 'a' }).metadata!;
    create('waits', {});
    plane.runSeconds(5);
    expect(store.get('resourceclaims', 'default', 'own').status?.reservedFor).toBeUndefined();
    store.updateStatus('resourceclaims', { ...claim, status: { allocation: {} } });
    plane.runSeconds(5);
    const user = { resource: 'pods', name: 'placed', uid };
    expect(store.get('resourceclaims', 'default', 'own').status).toEqual({ allocation: {}, reservedFor: [user] });
    const { status, ...placed } = store.get('pods', 'default', 'placed');
    store.updateStatus('pods', { ...placed, status: { ...status, phase: 'Succeeded' } });
    plane.runSeconds(5);
    expect(store.get('resourceclaims', 'default', 'own').status?.reservedFor).toBeUndefined();
  });

  it('keeps no claim for a pod that is deleted before it has a node', () => {
    const plane = planeWithController();
    const { store } = plane;
    const held = { name: 'p', namespace: 'default', finalizers: ['example.com/held'] };
    const resourceClaims = [{ name: 'x', resourceClaimName: 'own' }];
    const { uid = '' } = store.create('pods', { metadata: held, spec: { containers: [{ name: 'c' }], resourceClaims } })
      .metadata!;
    const claim = store.create('resourceclaims', { metadata: { name: 'own', namespace: 'default' }, spec: {} });
    const reservedFor = [{ resource: 'pods', name: 'p', uid }];
    store.updateStatus('resourceclaims', { ...claim, status: { allocation: {}, reservedFor } });
    plane.runSeconds(5);
    expect(store.get('resourceclaims', 'default', 'own').status?.reservedFor).toEqual(reservedFor);
    store.delete('pods', 'default', 'p');
    plane.runSeconds(5);
    expect(plane.names('pods')).toEqual(['default/p']);
    expect(store.get('resourceclaims', 'default', 'own').status).toEqual({});
  });

  it('waits for the template, and says so', () => {
    newPod('p', { resourceClaims: [{ name: 'x', resourceClaimTemplateName: 'late' }] });
    cluster.runFor(5000);
    expect(claims()).toHaveLength(0);
    const notes = cluster.store.list('events').items.map(({ message }) => message);
    expect(notes).toContain('PodResourceClaim x: resource claim template "late": not found');
    const spec = { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } } };
    cluster.store.create('resourceclaimtemplates', { metadata: { name: 'late', namespace: 'default' }, spec });
    cluster.runFor(5000);
    expect(pod('p').spec?.nodeName).toBe('a');
  });

  it('takes the devices of extended resources back', () => {
    const containers = [{ name: 'c', image: 'i:1', resources: { requests: { [GPU]: 2 }, limits: { [GPU]: 2 } } }];
    newPod('p', { containers, resourceClaims: undefined });
    cluster.runFor(5000);
    const [made] = claims();
    expect(made?.metadata?.name).toMatch(/^p-extended-resources-.{5}$/);
    expect(pod('p').status?.extendedResourceClaimStatus).toEqual({
      resourceClaimName: made?.metadata?.name,
      requestMappings: [{ containerName: 'c', resourceName: GPU, requestName: 'container-0-request-0' }],
    });
    newPod('q', { containers, resourceClaims: undefined });
    cluster.runFor(5000);
    expect(pod('q').spec?.nodeName).toBeUndefined();
    removePod('p');
    cluster.runFor(120_000);
    expect(pod('q').spec?.nodeName).toBe('a');
    expect(claims()).toHaveLength(1);
  });
});
