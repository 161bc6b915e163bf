import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { ReplicaSet } from '../../../src/api/workloads.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { PodRunner } from '../../../src/simulation/pod-runner/pod-runner.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import type { StoreClient } from '../../../src/store/objects/store-client.ts';

const LABELS = { app: 'web' };
const TEMPLATE = { metadata: { labels: LABELS }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
  new PodRunner(cluster);
  cluster.start();
});

const newSet = (spec: ReplicaSet['spec'] = {}): ReplicaSet =>
  cluster.store.create('replicasets', {
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 3, selector: { matchLabels: LABELS }, template: TEMPLATE, ...spec },
  });
const scale = (replicas: number) =>
  cluster.store.patch('replicasets', 'default', 'web', { type: 'merge', body: { spec: { replicas } } });
const pods = (): readonly Pod[] => cluster.store.list('pods').items;
const present = () => pods().filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
const nameOf = ({ metadata }: Pod) => metadata?.name ?? '';
const set = () => cluster.store.get('replicasets', 'default', 'web');

describe('ReplicaSetController', () => {
  it('creates the wanted pods, as the template says', () => {
    const { metadata } = newSet();
    cluster.runFor(5000);
    expect(pods()).toHaveLength(3);
    for (const pod of pods()) {
      expect(pod.metadata).toMatchObject({ labels: LABELS });
      expect(pod.metadata?.name).toMatch(/^web-.{5}$/);
      expect(pod.metadata?.ownerReferences).toEqual([
        ...[{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: metadata?.uid, controller: true }].map(
          (reference) => ({ ...reference, blockOwnerDeletion: true }),
        ),
      ]);
    }
    expect(set().status).toEqual({
      ...{ replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 1 },
      terminatingReplicas: 0,
    });
  });

  it.each([
    ['of a Deployment', { kind: 'Deployment', apiVersion: 'apps/v1', name: 'd', uid: 'u', controller: true }, 'p2'],
    ['of its own', undefined, 'p1'],
  ])('deletes first what stands beside pods of other sets: a set %s', (_, owner, gone) => {
    cluster = new Cluster({ controllers: ['replicaset-controller'] });
    new PodRunner(cluster);
    cluster.start();
    const nodes = { p1: 'y', p2: 'x', p3: 'x' };
    for (const [name, nodeName] of Object.entries(nodes)) {
      const labels = { ...LABELS, set: name === 'p3' ? 'other' : 'web' };
      const metadata = { name, namespace: 'default', labels };
      cluster.store.create('pods', { metadata, spec: { ...TEMPLATE.spec, nodeName } });
    }
    for (const name of ['web', 'other']) {
      const labels = { ...LABELS, set: name };
      const ownerReferences = owner === undefined ? {} : { ownerReferences: [owner] };
      const replicas = name === 'web' ? 2 : 1;
      const spec = { replicas, selector: { matchLabels: labels }, template: { ...TEMPLATE, metadata: { labels } } };
      cluster.store.create('replicasets', { metadata: { name, namespace: 'default', ...ownerReferences }, spec });
    }
    cluster.runFor(5000);
    expect(present().map(nameOf)).toEqual(['p1', 'p2', 'p3']);
    scale(1);
    cluster.runFor(5000);
    expect(present().map(nameOf)).toEqual(['p1', 'p2', 'p3'].filter((name) => name !== gone));
  });

  it('follows the wanted number up and down', () => {
    newSet();
    cluster.runFor(5000);
    const first = pods().map(nameOf);
    scale(5);
    cluster.runFor(5000);
    expect(pods()).toHaveLength(5);
    scale(2);
    cluster.runFor(60_000);
    // The younger ones go first.
    expect(pods()).toHaveLength(2);
    expect(first).toEqual(expect.arrayContaining(pods().map(nameOf)));
    expect(set().status).toMatchObject({ replicas: 2, readyReplicas: 2, observedGeneration: 3 });
  });

  it('counts the pods that are being deleted until they are gone', () => {
    cluster = new Cluster();
    cluster.start();
    newSet();
    cluster.runFor(5000);
    const [pod] = pods();
    // Nobody removes the finalizer, so that the pod stays.
    const finalizers = ['example.com/hold'];
    cluster.store.patch('pods', 'default', nameOf(pod ?? {}), { type: 'merge', body: { metadata: { finalizers } } });
    cluster.store.delete('pods', 'default', nameOf(pod ?? {}));
    cluster.runFor(1000);
    expect(set().status).toMatchObject({ replicas: 3, terminatingReplicas: 1 });
    const body = { status: { phase: 'Failed' } };
    cluster.store.patch('pods', 'default', nameOf(pod ?? {}), { type: 'merge', body }, 'status');
    cluster.runFor(1000);
    expect(set().status).toMatchObject({ replicas: 3, terminatingReplicas: 0 });
  });

  it('replaces a pod that goes, or that has failed', () => {
    newSet();
    cluster.runFor(5000);
    const [gone = '', failed = ''] = pods().map(nameOf);
    cluster.store.delete('pods', 'default', gone);
    const body = { status: { phase: 'Failed' } };
    cluster.store.patch('pods', 'default', failed, { type: 'merge', body }, 'status');
    cluster.runFor(60_000);
    const running = pods().filter(({ status }) => status?.phase === 'Running');
    expect(running).toHaveLength(3);
    expect(running.map(nameOf)).not.toContain(gone);
    expect(running.map(nameOf)).not.toContain(failed);
  });

  it('adopts what it selects and nobody controls, and releases what it does not select any more', () => {
    const create = (name: string, labels: Record<string, string>) =>
      cluster.store.create('pods', { metadata: { name, namespace: 'default', labels }, spec: TEMPLATE.spec });
    create('own', LABELS);
    create('other', { app: 'db' });
    newSet();
    cluster.runFor(5000);
    expect(pods()).toHaveLength(4);
    const ownerOf = (name: string) => cluster.store.get('pods', 'default', name).metadata?.ownerReferences?.[0]?.name;
    expect(ownerOf('own')).toBe('web');
    expect(ownerOf('other')).toBeUndefined();
    const body = { metadata: { labels: { app: 'lost' } } };
    cluster.store.patch('pods', 'default', 'own', { type: 'merge', body });
    cluster.runFor(5000);
    expect(ownerOf('own')).toBeUndefined();
    expect(pods()).toHaveLength(5);
  });

  it('takes its pods along when it goes', () => {
    newSet();
    cluster.runFor(5000);
    cluster.store.delete('replicasets', 'default', 'web', { propagationPolicy: 'Background' });
    cluster.runFor(60_000);
    expect(pods()).toEqual([]);
  });

  it('leaves alone what is known for its selector only', () => {
    newSet({ template: undefined });
    cluster.runFor(5000);
    expect(pods()).toEqual([]);
    expect(set().status).toEqual({ replicas: 0 });
  });

  it('counts a pod as available when it has been ready for long enough', () => {
    newSet({ minReadySeconds: 30 });
    cluster.runFor(10_000);
    expect(set().status).toMatchObject({ readyReplicas: 3, availableReplicas: 0 });
    cluster.runFor(30_000);
    expect(set().status).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
  });
});

describe('ReplicaSetController with a bad connection', () => {
  it('ends up with the wanted pods, however many writes fail', () => {
    let calls = 0;
    const failing = (store: StoreClient): StoreClient => {
      const mayFail = <A extends readonly unknown[], R>(call: (...args: A) => R) => {
        return (...args: A): R => {
          calls++;
          if (calls % 3 === 0) throw new ApiError('Timeout', 'no answer');
          return call(...args);
        };
      };
      const client = Object.create(store) as StoreClient;
      const bound = { create: store.create.bind(store), delete: store.delete.bind(store) };
      const reading = ['get', 'list', 'watch', 'update', 'updateStatus', 'patch', 'bind', 'evict'] as const;
      for (const name of reading) Object.assign(client, { [name]: store[name].bind(store) });
      return Object.assign(client, { create: mayFail(bound.create), delete: mayFail(bound.delete) });
    };
    cluster = new Cluster({ clientOf: failing });
    new PodRunner(cluster);
    cluster.start();
    newSet({ replicas: 20 });
    cluster.runFor(120_000);
    expect(present()).toHaveLength(20);
    expect(set().status?.conditions).toBeUndefined();
    scale(4);
    cluster.runFor(120_000);
    expect(present()).toHaveLength(4);
    expect(set().status).toMatchObject({ replicas: 4 });
  });

  it('begins anew with empty memory without creating anything twice', () => {
    cluster = new Cluster({ restartableControllers: true });
    new PodRunner(cluster);
    cluster.start();
    newSet({ replicas: 10 });
    cluster.runFor(1);
    cluster.restartControllers();
    cluster.runFor(10_000);
    expect(present()).toHaveLength(10);
    scale(3);
    cluster.runFor(1);
    cluster.restartControllers();
    cluster.runFor(60_000);
    expect(pods()).toHaveLength(3);
  });
});
