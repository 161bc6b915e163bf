import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/api/job.ts';
import type { ContainerState, Pod } from '../../src/api/pod.ts';
import type { Resource } from '../../src/store/objects/resources.ts';
import type { Store } from '../../src/store/store.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

function withPod(): { readonly store: Store; readonly pod: Pod } {
  const { store } = makeStore();
  const pod = store.create('pods', {
    ...makePod('p', { tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] }),
    metadata: { name: 'p', labels: { app: 'web' }, finalizers: ['example.com/hold'] },
  });
  return { store, pod };
}

function job(name: string): Job {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  return { metadata: { name }, spec: { template } };
}

describe('update', () => {
  it('replaces labels, annotations, owners and finalizers; keeps what only the API server sets', () => {
    const { store, pod } = withPod();
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true };
    const metadata = { name: 'p', labels: { tier: 'back' }, annotations: { note: 'x' }, ownerReferences: [owner] };
    const updated = store.update('pods', { ...pod, metadata });
    const { labels, finalizers, ...kept } = pod.metadata ?? {};
    expect(updated.metadata).toEqual({
      ...kept,
      resourceVersion: String(Number(kept.resourceVersion) + 1),
      labels: { tier: 'back' },
      annotations: { note: 'x' },
      ownerReferences: [owner],
    });
    expect(updated.spec).toBe(pod.spec);
    expect(store.get('pods', 'default', 'p')).toBe(updated);
  });

  it('leaves the status alone, and status updates everything else', () => {
    const { store, pod } = withPod();
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const metadata = { ...pod.metadata, labels: { app: 'other' } };
    const relabelled = store.update('pods', { ...pod, metadata, status });
    expect(relabelled.status).toBe(pod.status);
    const running = store.updateStatus('pods', { metadata: { name: 'p', labels: {} }, spec: {}, status });
    expect(running.status).toEqual({ ...status, qosClass: 'BestEffort' });
    expect(running).toMatchObject({ spec: pod.spec, metadata: { labels: { app: 'other' }, generation: 1 } });
    expect(running.spec).toBe(pod.spec);
  });

  it('shares and refuses the statuses of claims as if each was the first', () => {
    const { store } = makeStore();
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    for (const name of ['a', 'b']) store.create('persistentvolumeclaims', { metadata: { name }, spec });
    const set = (name: string, status: object) =>
      store.updateStatus('persistentvolumeclaims', { metadata: { name }, spec: { volumeName: 'v' }, status });
    const bound = { phase: 'Bound', conditions: [{ type: 'Resizing' }] };
    const [a, b] = [set('a', bound), set('b', { ...bound })];
    expect([a.status, b.status]).toEqual([bound, bound]);
    expect([a.spec, b.spec]).toEqual([spec, spec]);
    expect(Object.isFrozen(b) && Object.isFrozen(Object.values(b.status ?? {})[1])).toBe(true);
    expect(set('a', bound)).toBe(a);
    expect(store.get('persistentvolumeclaims', 'default', 'b')).toBe(b);
    expect(refusal(() => set('b', { phase: 'Odd' })).message).toContain('status.phase');
    expect(set('a', { phase: 'Lost' }).status).toEqual({ phase: 'Lost' });
    expect(set('a', bound).status).toEqual(bound);
  });

  it('shares and refuses the statuses of groups of pods as if each was the first', () => {
    const { store } = makeStore();
    const spec = { schedulingPolicy: { gang: { minCount: 2 } } };
    for (const name of ['a', 'b']) store.create('podgroups', { metadata: { name }, spec });
    const set = (name: string, status: object) => store.updateStatus('podgroups', { metadata: { name }, spec, status });
    const placed = { conditions: [{ type: 'PodGroupScheduled', status: 'True' }] };
    const [a, b] = [set('a', placed), set('b', structuredClone(placed))];
    expect([a.status, b.status]).toEqual([placed, placed]);
    expect([a.metadata?.name, b.metadata?.name, b.status]).toEqual(['a', 'b', a.status]);
    expect(set('b', structuredClone(placed))).toBe(b);
    const odd = { conditions: [{ type: 'PodGroupScheduled' }] };
    expect(refusal(() => set('b', odd)).message).toContain('status.conditions[0].status');
    expect(set('b', {}).status).toEqual({});
  });

  it('takes the metadata that comes with the status of a Job, and only that', () => {
    const { store } = makeStore();
    const created = store.create('jobs', job('j'));
    const metadata = { ...created.metadata, labels: { app: 'web' }, annotations: { note: 'x' }, generation: 9 };
    const given = { ...created, metadata, spec: { ...created.spec, suspend: true }, status: { active: 1 } };
    const updated = store.updateStatus('jobs', given);
    expect(updated).toMatchObject({ status: { active: 1 }, metadata: { labels: { app: 'web' }, generation: 1 } });
    expect(updated.metadata?.annotations).toEqual({ note: 'x' });
    expect(updated.spec).toBe(created.spec);
    const bad = { ...updated, metadata: { ...updated.metadata, labels: { a: '!' } } };
    expect(refusal(() => store.updateStatus('jobs', bad)).message).toContain('metadata.labels.a: bad label value');
    expect(store.updateStatus('jobs', updated)).toBe(updated);
  });

  it('keeps the generation that was observed, where a status does not say', () => {
    const { store } = withPod();
    const ready = { type: 'Ready', status: 'True', observedGeneration: 3 };
    const metadata = { name: 'p' };
    store.updateStatus('pods', { metadata, status: { phase: 'Running', observedGeneration: 3, conditions: [ready] } });
    const conditions = [{ type: 'Ready', status: 'False' }];
    const updated = store.updateStatus('pods', { metadata, status: { phase: 'Running', conditions } });
    expect(updated.status?.observedGeneration).toBe(3);
    expect(updated.status?.conditions).toEqual([{ type: 'Ready', status: 'False', observedGeneration: 3 }]);
  });

  it('counts changes of the spec', () => {
    const { store, pod } = withPod();
    const containers = [{ ...pod.spec?.containers?.[0], image: 'app:2' }];
    const updated = store.update('pods', { ...pod, spec: { ...pod.spec, containers } });
    expect(updated.metadata?.generation).toBe(2);
    const relabelled = store.update('pods', { ...updated, metadata: { name: 'p' } });
    expect(relabelled.metadata?.generation).toBe(2);
    const created = store.create('jobs', job('j'));
    const suspended = store.update('jobs', { ...created, spec: { ...created.spec, suspend: true } });
    expect(suspended.metadata?.generation).toBe(2);
    expect(store.updateStatus('jobs', { ...suspended, status: { active: 1 } }).metadata?.generation).toBe(2);
  });

  it('removes an object that is being deleted with its last finalizer', () => {
    const { store } = withPod();
    const watch = store.watch('pods', { resourceVersion: store.list('pods').resourceVersion });
    store.delete('pods', 'default', 'p');
    const deleting = store.get('pods', 'default', 'p');
    expect(deleting.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2 });
    store.update('pods', { ...deleting, metadata: { name: 'p' } });
    expect(refusal(() => store.get('pods', 'default', 'p')).reason).toBe('NotFound');
    expect([watch.next()?.type, watch.next()?.type, watch.next()]).toEqual(['MODIFIED', 'DELETED', undefined]);
  });

  it('takes the place of a newer version only when it does not say which it is based on', () => {
    const { store, pod } = withPod();
    store.update('pods', { ...pod, metadata: { name: 'p' } });
    expect(refusal(() => store.update('pods', pod))).toMatchObject({
      reason: 'Conflict',
      statusCode: 409,
      message:
        'Operation cannot be fulfilled on pods "p": the object has been modified; ' +
        'please apply your changes to the latest version and try again',
    });
    expect(refusal(() => store.updateStatus('pods', pod)).reason).toBe('Conflict');
    const { resourceVersion, ...metadata } = pod.metadata ?? {};
    expect(store.update('pods', { ...pod, metadata }).metadata?.labels).toEqual({ app: 'web' });
  });

  it('needs a version for leases and budgets', () => {
    const { store } = makeStore();
    const lease = store.create('leases', { metadata: { name: 'l' }, spec: { holderIdentity: 'a' } });
    const changed = { ...lease, spec: { holderIdentity: 'b' } };
    expect(refusal(() => store.update('leases', { ...changed, metadata: { name: 'l' } })).message).toBe(
      'Lease.coordination.k8s.io "l" is invalid: metadata.resourceVersion: must be specified for an update',
    );
    expect(store.update('leases', changed).spec?.holderIdentity).toBe('b');
  });

  it.each<[Resource, object]>([
    ['csinodes', { spec: { drivers: [] } }],
    ['csidrivers', { spec: { storageCapacity: true } }],
    ['csistoragecapacities', { storageClassName: 's', capacity: '1Gi' }],
    ['volumeattachments', { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } }],
  ])('needs a version for %s too', (resource, object) => {
    const { store } = makeStore();
    const created = store.create(resource, { metadata: { name: 'x' }, ...object } as never);
    const labelled = { ...(created as object), metadata: { name: 'x', labels: { a: 'b' } } };
    const error = refusal(() => store.update(resource, labelled as never));
    expect(error.reason).toBe('Invalid');
    expect(error.message).toContain('metadata.resourceVersion: must be specified for an update');
    const body = { metadata: { labels: { a: 'b' } } };
    const namespace = resource === 'csistoragecapacities' ? 'default' : '';
    expect(store.patch(resource, namespace, 'x', { type: 'merge', body }).metadata?.labels).toEqual({ a: 'b' });
  });

  it('lets a gate open, and the pod be narrowed down before', () => {
    const { store } = makeStore();
    const pod = store.create('pods', makePod('p', { gates: ['a', 'b'], nodeSelector: { zone: 'z' } }));
    const spec = { ...pod.spec, schedulingGates: [{ name: 'a' }], nodeSelector: { zone: 'z', disk: 'ssd' } };
    const updated = store.update('pods', { ...pod, spec });
    expect(updated.spec).toMatchObject({ schedulingGates: [{ name: 'a' }], nodeSelector: { disk: 'ssd' } });
    const wider = { ...updated, spec: { ...updated.spec, nodeSelector: {} } };
    expect(refusal(() => store.update('pods', wider)).message).toContain('spec.nodeSelector: Invalid value');
    const shut = { ...updated, spec: { ...updated.spec, schedulingGates: [{ name: 'a' }, { name: 'c' }] } };
    expect(refusal(() => store.update('pods', shut)).message).toContain("found new scheduling gate 'c'");
  });
});

describe('update refuses', () => {
  it.each<[string, (pod: Pod) => unknown, string, string]>([
    ['what is not there', () => makePod('other'), 'NotFound', 'pods "other" not found'],
    ['an object without name', () => ({}), 'BadRequest', 'name must be provided'],
    ['another uid', (p) => ({ ...p, metadata: { ...p.metadata, uid: 'x' } }), 'Conflict', 'UID in precondition: x'],
    [
      'another birth',
      (p) => withMeta(p, { creationTimestamp: '2025-01-01T00:00:00Z' }),
      'Invalid',
      'field is immutable',
    ],
    ['a deletion', (p) => withMeta(p, { deletionTimestamp: '2025-01-01T00:00:00Z' }), 'Invalid', 'deletionTimestamp'],
    ['bad labels', (p) => withMeta(p, { labels: { a: '!' } }), 'Invalid', 'metadata.labels.a: bad label value'],
    ['labels that are a text', (p) => withMeta(p, { labels: 'a' }), 'Invalid', 'metadata.labels: must be a map'],
    ['another node', (p) => withSpec(p, { nodeName: 'n' }), 'Invalid', 'spec: Forbidden: pod updates may not change'],
    ['more containers', (p) => withSpec(p, twoContainers), 'Invalid', 'spec.containers: Forbidden'],
    [
      'fewer tolerations',
      (p) => withSpec(p, { tolerations: [] }),
      'Invalid',
      'existing toleration can not be modified',
    ],
    ['no spec', (p) => ({ metadata: p.metadata }), 'Invalid', 'spec: is required'],
    ['a spec of nonsense', (p) => withSpec(p, { containers: 'x' }), 'Invalid', 'spec.containers: must be a list'],
  ])('%s', (_, change, reason, message) => {
    const { store, pod } = withPod();
    const error = refusal(() => store.update('pods', change(pod) as Pod));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
    expect(store.list('pods').resourceVersion).toBe(pod.metadata?.resourceVersion);
    expect(store.get('pods', 'default', 'p')).toBe(pod);
  });

  it('new finalizers once the object is being deleted', () => {
    const { store } = withPod();
    store.delete('pods', 'default', 'p');
    const pod = store.get('pods', 'default', 'p');
    const finalizers = ['example.com/hold', 'example.com/more'];
    expect(refusal(() => store.update('pods', withMeta(pod, { finalizers }) as Pod)).message).toContain(
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted',
    );
  });

  it('a status of nonsense, and a status where there is none', () => {
    const { store } = withPod();
    const status = { phase: 'Sleeping' };
    expect(refusal(() => store.updateStatus('pods', { metadata: { name: 'p' }, status })).message).toContain(
      'status.phase: unknown phase "Sleeping"',
    );
    expect(
      refusal(() => store.updateStatus('pods', { metadata: { name: 'p' }, status: 5 as never })).message,
    ).toContain('status: must be an object');
    store.create('priorityclasses', { metadata: { name: 'c' }, value: 1 });
    expect(refusal(() => store.updateStatus('priorityclasses', { metadata: { name: 'c' }, value: 1 })).reason).toBe(
      'BadRequest',
    );
  });

  it('that a container runs again which has ended for good', () => {
    const { store } = makeStore();
    const { spec } = makePod('p');
    store.create('pods', { metadata: { name: 'p' }, spec: { ...spec, restartPolicy: 'Never' } });
    const write = (state: ContainerState): unknown => {
      const containerStatuses = [{ name: spec?.containers?.[0]?.name ?? '', state }];
      return store.updateStatus('pods', { metadata: { name: 'p' }, status: { containerStatuses } });
    };
    write({ terminated: { exitCode: 0 } });
    const error = refusal(() => write({ running: {} }));
    expect(error.reason).toBe('Invalid');
    expect(error.message).toBe(
      'Pod "p" is invalid: status.containerStatuses[0].state: Forbidden: may not be transitioned to ' +
        'non-terminated state',
    );
    write({ terminated: { exitCode: 1 } });
  });

  it('fields that never change', () => {
    const { store } = makeStore();
    const priority = store.create('priorityclasses', { metadata: { name: 'c' }, value: 1 });
    expect(refusal(() => store.update('priorityclasses', { ...priority, value: 2 })).message).toBe(
      'PriorityClass.scheduling.k8s.io "c" is invalid: value: Invalid value: 2: field is immutable',
    );
    const created = store.create('jobs', job('j'));
    const changed = { ...created, spec: { ...created.spec, completionMode: 'Indexed' } };
    expect(refusal(() => store.update('jobs', changed)).message).toContain('spec.completionMode: Invalid value');
    const tooReady = { ...created, status: { active: 1, ready: 2 } };
    expect(refusal(() => store.updateStatus('jobs', tooReady)).message).toContain(
      'cannot set more ready pods than active',
    );
  });

  it('nothing of a node that its kubelet reports', () => {
    const { store } = makeStore();
    const node = store.create('nodes', makeNode('n'));
    const ready = [{ type: 'Ready', status: 'True' }];
    const reported = store.updateStatus('nodes', { ...node, status: { ...node.status, conditions: ready } });
    expect(reported.status?.conditions).toEqual(ready);
    const tainted = store.update('nodes', { ...reported, spec: { unschedulable: true }, status: {} });
    expect(tainted).toMatchObject({ spec: { unschedulable: true }, status: { conditions: ready } });
  });
});

function withMeta(pod: Pod, metadata: object): unknown {
  return { ...pod, metadata: { ...pod.metadata, ...metadata } };
}

function withSpec(pod: Pod, spec: object): unknown {
  return { ...pod, spec: { ...pod.spec, ...spec } };
}

const twoContainers = { containers: ['a', 'b'].map((name) => ({ name, image: 'i' })) };
