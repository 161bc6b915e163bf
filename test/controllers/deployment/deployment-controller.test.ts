import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Deployment, type DeploymentSpec, maxSurgeOf, maxUnavailableOf } from '../../../src/api/deployment.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import type { Resource } from '../../../src/store/objects/resources.ts';
import type { StoreClient } from '../../../src/store/objects/store-client.ts';
import { isGoing, isServing, NEVER_READY, PodLife } from '../../builders/pod-life.ts';

const labels = { app: 'web' };
const selector = { matchLabels: labels };
const templateOf = (image: string, annotations = {}) => ({
  metadata: { labels, annotations },
  spec: { containers: [{ name: 'c', image }] },
});

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
  new PodLife(cluster);
  cluster.start();
});

const create = (spec: DeploymentSpec = {}): Deployment =>
  cluster.store.create('deployments', {
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 4, selector, template: templateOf('a:1'), ...spec },
  });
const change = (spec: object, of = cluster): Deployment =>
  of.store.patch('deployments', 'default', 'web', { type: 'merge', body: { spec } });
const deployment = (of = cluster): Deployment => of.store.get('deployments', 'default', 'web');
const pods = (of = cluster): readonly Pod[] => of.store.list('pods').items;
const sets = (of = cluster) => of.store.list('replicasets').items;
const imagesOf = (list: readonly Pod[]) => list.map(({ spec }) => spec?.containers?.[0]?.image);
const conditions = () => deployment().status?.conditions?.map(({ type, status, reason }) => [type, status, reason]);

describe('DeploymentController', () => {
  it('keeps a ReplicaSet of the template, named and labelled by its hash', () => {
    create();
    cluster.runFor(60_000);
    const [set, ...others] = sets();
    expect(others).toEqual([]);
    const hash = set?.metadata?.labels?.['pod-template-hash'] ?? '';
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]+$/);
    expect(set?.metadata).toMatchObject({
      name: `web-${hash}`,
      annotations: {
        'deployment.kubernetes.io/revision': '1',
        'deployment.kubernetes.io/desired-replicas': '4',
        'deployment.kubernetes.io/max-replicas': '5',
      },
    });
    expect(set?.spec?.selector?.matchLabels).toEqual({ ...labels, 'pod-template-hash': hash });
    expect(pods()).toHaveLength(4);
    expect(pods()[0]?.metadata?.name).toMatch(new RegExp(`^web-${hash}-.{5}$`));
    expect(deployment().metadata?.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(deployment().status).toMatchObject({
      ...{ observedGeneration: 1, replicas: 4, updatedReplicas: 4, readyReplicas: 4, availableReplicas: 4 },
      unavailableReplicas: 0,
    });
    expect(conditions()).toEqual([
      ['Available', 'True', 'MinimumReplicasAvailable'],
      ['Progressing', 'True', 'NewReplicaSetAvailable'],
    ]);
  });

  it('replaces the pods of a changed template, goes back to a former one, and keeps a history', () => {
    create({ revisionHistoryLimit: 1 });
    cluster.runFor(60_000);
    for (const image of ['a:2', 'a:3', 'a:4']) {
      change({ template: templateOf(image) });
      cluster.runFor(120_000);
      expect(imagesOf(pods())).toEqual(Array(4).fill(image));
    }
    expect(sets()).toHaveLength(2);
    change({ template: templateOf('a:3') });
    cluster.runFor(120_000);
    expect(imagesOf(pods())).toEqual(Array(4).fill('a:3'));
    expect(sets()).toHaveLength(2);
    expect(deployment().metadata?.annotations?.['deployment.kubernetes.io/revision']).toBe('5');
    for (const image of ['a:4', 'a:3']) {
      change({ template: templateOf(image) });
      cluster.runFor(120_000);
    }
    const history = 'deployment.kubernetes.io/revision-history';
    expect(
      sets()
        .map(({ metadata }) => metadata?.annotations?.[history])
        .sort(),
    ).toEqual(['3,5', '4']);
  });

  it('waits with Recreate until the last old pod is gone', () => {
    create({ strategy: { type: 'Recreate' } });
    cluster.runFor(60_000);
    const seen = new Set<string>();
    new PodLife(cluster, {
      onChange: () => seen.add([...new Set(imagesOf(pods()))].sort().join()),
    });
    change({ template: templateOf('a:2') });
    cluster.runFor(120_000);
    expect(imagesOf(pods())).toEqual(Array(4).fill('a:2'));
    expect([...seen]).not.toContain('a:1,a:2');
  });

  it('notes that an update does not get on', () => {
    create({ progressDeadlineSeconds: 60 });
    cluster.runFor(50_000);
    change({ template: templateOf('bad:1', { [NEVER_READY]: '' }) });
    cluster.runFor(50_000);
    expect(conditions()).toContainEqual(['Progressing', 'True', 'ReplicaSetUpdated']);
    cluster.runFor(60_000);
    expect(conditions()).toEqual([
      ['Available', 'True', 'MinimumReplicasAvailable'],
      ['Progressing', 'False', 'ProgressDeadlineExceeded'],
    ]);
    expect(pods().filter(isServing)).toHaveLength(3);
  });

  it('does not update while it is paused, but scales', () => {
    create();
    cluster.runFor(60_000);
    change({ paused: true, template: templateOf('a:2'), replicas: 6 });
    cluster.runFor(60_000);
    expect(imagesOf(pods())).toEqual(Array(6).fill('a:1'));
    expect(conditions()).toContainEqual(['Progressing', 'Unknown', 'DeploymentPaused']);
    change({ paused: false });
    cluster.runFor(120_000);
    expect(imagesOf(pods())).toEqual(Array(6).fill('a:2'));
  });

  it('scales all ReplicaSets in proportion in the middle of an update', () => {
    create({ replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } });
    cluster.runFor(60_000);
    change({ template: templateOf('bad:1', { [NEVER_READY]: '' }) });
    cluster.runFor(60_000);
    const sizes = () =>
      sets()
        .map(({ spec }) => spec?.replicas ?? 0)
        .sort((a, b) => b - a);
    // The example of the documentation: 8 old and 5 new of 10 with 3 more become 11 and 7 of 15.
    expect(sizes()).toEqual([8, 5]);
    change({ replicas: 15 });
    cluster.runFor(60_000);
    expect(sizes()).toEqual([11, 7]);
  });

  it('takes over a ReplicaSet and pods that were there before, and takes them along when it goes', () => {
    const hash = { 'pod-template-hash': 'abc' };
    const template = templateOf('a:1');
    const labelled = { ...template, metadata: { labels: { ...labels, ...hash } } };
    cluster.store.create('replicasets', {
      metadata: { name: 'web-abc', namespace: 'default', labels: { ...labels, ...hash } },
      spec: { replicas: 4, selector: { matchLabels: { ...labels, ...hash } }, template: labelled },
    });
    cluster.runFor(30_000);
    const names = pods().map(({ metadata }) => metadata?.name);
    create();
    cluster.runFor(60_000);
    expect(sets().map(({ metadata }) => metadata?.name)).toEqual(['web-abc']);
    expect(pods().map(({ metadata }) => metadata?.name)).toEqual(names);
    cluster.store.delete('deployments', 'default', 'web', { propagationPolicy: 'Background' });
    cluster.runFor(60_000);
    expect([...sets(), ...pods()]).toEqual([]);
  });

  it('writes nothing twice while its cache does not show the new ReplicaSet yet', () => {
    const writes = { count: 0 };
    const loop = new VirtualEventLoop();
    // Watches of ReplicaSets show nothing for a while.
    const blind = new Cluster({
      loop,
      clientOf: (store) =>
        new Proxy<StoreClient>(store, {
          get:
            (_, verb: keyof StoreClient) =>
            (resource: Resource, ...rest: unknown[]) => {
              if (verb === 'updateStatus' && resource === 'deployments') writes.count++;
              if (verb === 'watch' && resource === 'replicasets')
                return { next: () => undefined, onReady() {}, stop() {} };
              return (store[verb] as (...args: unknown[]) => unknown).call(store, resource, ...rest);
            },
        }),
    });
    blind.start();
    blind.store.create('deployments', {
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 0, selector, template: templateOf('a:1') },
    });
    // Not until a time, which might never come.
    for (let i = 0; i < 2000; i++) loop.step();
    expect(sets(blind)).toHaveLength(1);
    expect(writes.count).toBeLessThan(10);
  });

  it('shows that its pods cannot be created, until they can', () => {
    let isForbidden = true;
    const full = new Cluster({
      clientOf: (store) =>
        new Proxy<StoreClient>(store, {
          get:
            (_, verb: keyof StoreClient) =>
            (resource: Resource, ...rest: unknown[]) => {
              const isRefused = isForbidden && verb === 'create' && resource === 'pods';
              if (isRefused) throw new ApiError('Forbidden', 'exceeded quota: small');
              return (store[verb] as (...args: unknown[]) => unknown).call(store, resource, ...rest);
            },
        }),
    });
    new PodLife(full);
    full.start();
    full.store.create('deployments', {
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 2, selector, template: templateOf('a:1') },
    });
    full.runFor(10_000);
    const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' };
    expect(sets(full)[0]?.status?.conditions).toMatchObject([{ ...failure, message: 'exceeded quota: small' }]);
    expect(deployment(full).status?.conditions).toContainEqual(
      expect.objectContaining({ ...failure, message: 'exceeded quota: small' }),
    );
    isForbidden = false;
    full.runFor(600_000);
    expect(sets(full)[0]?.status).toMatchObject({ availableReplicas: 2, terminatingReplicas: 0 });
    expect(sets(full)[0]?.status?.conditions).toBeUndefined();
    expect(deployment(full).status).toMatchObject({ availableReplicas: 2, terminatingReplicas: 0 });
    expect(deployment(full).status?.conditions?.map(({ type }) => type)).toEqual(['Available', 'Progressing']);
  });

  it('never exceeds maxSurge, never falls below maxUnavailable, and arrives at the last template', () => {
    const limit = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('0%', '25%', '50%', '100%'));
    const limits = fc
      .record({ maxSurge: limit, maxUnavailable: limit })
      .filter(({ maxSurge, maxUnavailable }) => Number.parseInt(`${maxSurge}${maxUnavailable}`, 10) > 0);
    const updates = fc.array(fc.record({ afterMillis: fc.integer({ min: 500, max: 40_000 }), isBad: fc.boolean() }), {
      maxLength: 4,
    });
    const input = fc.record({
      ...{ seed: fc.nat(), replicas: fc.integer({ min: 1, max: 9 }), limits, updates },
      minReadySeconds: fc.constantFrom(0, 0, 3),
    });
    fc.assert(
      fc.property(input, ({ seed, replicas, limits: rollingUpdate, updates: list, minReadySeconds }) => {
        const own = new Cluster({ seed: (seed % 1000) + 1 });
        let isFull = false;
        const life = new PodLife(own, {
          ...{ seed, maxMillis: 8000 },
          onChange: () => {
            const present = pods(own).filter((pod) => !isGoing(pod));
            const target = deployment(own);
            expect(present.length).toBeLessThanOrEqual(replicas + maxSurgeOf(target));
            const serving = present.filter(isServing).length;
            if (isFull) expect(serving).toBeGreaterThanOrEqual(replicas - maxUnavailableOf(target));
          },
        });
        own.start();
        const spec = { replicas, selector, minReadySeconds, strategy: { rollingUpdate } };
        own.store.create('deployments', { metadata: { name: 'web' }, spec: { ...spec, template: templateOf('a:0') } });
        own.runFor(60_000);
        isFull = true;
        for (const [i, { afterMillis, isBad }] of [...list, { afterMillis: 0, isBad: false }].entries()) {
          own.runFor(afterMillis);
          change({ template: templateOf(`a:${i + 1}`, isBad ? { [NEVER_READY]: '' } : { [NEVER_READY]: null }) }, own);
        }
        own.runFor(600_000);
        life.check();
        expect(imagesOf(pods(own))).toEqual(Array(replicas).fill(`a:${list.length + 1}`));
        expect(deployment(own).status).toMatchObject({ updatedReplicas: replicas, availableReplicas: replicas });
      }),
      { numRuns: 20 },
    );
  });
});
