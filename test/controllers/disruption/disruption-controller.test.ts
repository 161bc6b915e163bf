import { beforeEach, describe, expect, it } from 'vitest';
import type { PodDisruptionBudget } from '../../../src/api/pod-disruption-budget.ts';
import { Cluster, type ClusterOptions } from '../../../src/cluster/cluster.ts';
import { PodRunner } from '../../../src/simulation/pod-runner/pod-runner.ts';

const LABELS = { app: 'web' };
const SPEC = { containers: [{ name: 'c', image: 'i:1' }] };

let cluster: Cluster;

function start(options?: ClusterOptions): void {
  cluster = new Cluster(options);
  new PodRunner(cluster);
  cluster.start();
}

beforeEach(() => start());

function createPods(count: number): void {
  for (let i = 0; i < count; i++) {
    const metadata = { name: `p${i}`, namespace: 'default', labels: LABELS };
    cluster.store.create('pods', { metadata, spec: SPEC });
  }
}

const createSet = (replicas: number) =>
  cluster.store.create('replicasets', {
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, selector: { matchLabels: LABELS }, template: { metadata: { labels: LABELS }, spec: SPEC } },
  });

/** What the budget says once everything runs. */
function statusWith(spec: PodDisruptionBudget['spec']): PodDisruptionBudget['status'] {
  const metadata = { name: 'b', namespace: 'default' };
  cluster.store.create('poddisruptionbudgets', { metadata, spec: { selector: { matchLabels: LABELS }, ...spec } });
  cluster.runFor(5000);
  return status();
}

const status = () => cluster.store.get('poddisruptionbudgets', 'default', 'b').status;

describe('DisruptionController', () => {
  it.each([
    [{ minAvailable: 3 }, { disruptionsAllowed: 2, desiredHealthy: 3 }],
    [{ minAvailable: 9 }, { disruptionsAllowed: 0, desiredHealthy: 9 }],
    [{ minAvailable: '50%' }, { disruptionsAllowed: 2, desiredHealthy: 3 }],
    [{ maxUnavailable: 1 }, { disruptionsAllowed: 1, desiredHealthy: 4 }],
    [{ maxUnavailable: '30%' }, { disruptionsAllowed: 2, desiredHealthy: 3 }],
    [{ maxUnavailable: 0 }, { disruptionsAllowed: 0, desiredHealthy: 5 }],
  ])('of five wanted pods with %j', (spec, expected) => {
    createSet(5);
    const found = statusWith(spec);
    expect(found).toMatchObject({ ...expected, currentHealthy: 5, expectedPods: 5, observedGeneration: 1 });
    expect(found?.conditions?.[0]).toMatchObject(
      expected.disruptionsAllowed > 0
        ? { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }
        : { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
    );
  });

  it('counts pods that nobody owns where a number is asked for', () => {
    createPods(3);
    expect(statusWith({ minAvailable: 1 })).toMatchObject({ disruptionsAllowed: 2, expectedPods: 3 });
  });

  it('counts pods that have ended, too, and allows nothing without any number', () => {
    createPods(3);
    cluster.store.updateStatus('pods', { metadata: { name: 'p0' }, status: { phase: 'Succeeded' } });
    expect(statusWith({ minAvailable: 1 })).toMatchObject({ disruptionsAllowed: 1, expectedPods: 3 });
    const budget = cluster.store.get('poddisruptionbudgets', 'default', 'b');
    cluster.store.update('poddisruptionbudgets', { ...budget, spec: { selector: { matchLabels: LABELS } } });
    cluster.runFor(5000);
    expect(status()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 2, expectedPods: 0 });
  });

  it('knows how many pods a StatefulSet wants', () => {
    cluster.store.create('statefulsets', {
      metadata: { name: 'db', namespace: 'default' },
      spec: { replicas: 3, selector: { matchLabels: LABELS }, template: { metadata: { labels: LABELS }, spec: SPEC } },
    });
    cluster.runFor(60_000);
    expect(statusWith({ maxUnavailable: 1 })).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 3 });
  });

  it('counts the pods of a Deployment once, however many sets it has', () => {
    start({ controllers: ['*', '-deployment-controller'] });
    const template = { metadata: { labels: LABELS }, spec: SPEC };
    const spec = { replicas: 3, selector: { matchLabels: LABELS }, template };
    const { metadata } = cluster.store.create('deployments', {
      metadata: { name: 'web', namespace: 'default' },
      spec: { ...spec, replicas: 4 },
    });
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'web',
      uid: metadata?.uid ?? '',
      controller: true,
    };
    for (const name of ['old', 'new']) {
      const labels = { ...LABELS, name };
      cluster.store.create('replicasets', {
        metadata: { name, namespace: 'default', ownerReferences: [owner] },
        spec: { ...spec, selector: { matchLabels: { name } }, template: { ...template, metadata: { labels } } },
      });
    }
    expect(statusWith({ maxUnavailable: 1 })).toMatchObject({
      disruptionsAllowed: 3,
      desiredHealthy: 3,
      expectedPods: 4,
    });
    cluster.store.delete('deployments', 'default', 'web', { propagationPolicy: 'Orphan' });
    cluster.runFor(60_000);
    cluster.store.delete('pods', 'default', cluster.store.list('pods').items[0]?.metadata?.name ?? '');
    cluster.runFor(60_000);
    expect(status()).toMatchObject({ disruptionsAllowed: 1, expectedPods: 6 });
  });

  it.each([
    ['does not say how many it wants', {}, 'jobs.batch does not implement the scale subresource'],
    ['is gone', { kind: 'ReplicaSet', apiVersion: 'apps/v1' }, 'found no controllers for pod "p0"'],
    ['is a node', { kind: 'Node', apiVersion: 'v1' }, 'nodes does not implement the scale subresource'],
  ])('allows nothing where an owner %s', (_, owner, message) => {
    start({ controllers: ['disruption-controller'] });
    const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true, ...owner };
    const metadata = { name: 'p0', namespace: 'default', labels: LABELS, ownerReferences: [job] };
    cluster.store.create('pods', { metadata, spec: SPEC });
    const { disruptionsAllowed, observedGeneration, conditions } = statusWith({ maxUnavailable: 1 }) ?? {};
    expect({ disruptionsAllowed, observedGeneration }).toEqual({ disruptionsAllowed: 0 });
    expect(conditions?.[0]).toMatchObject({ reason: 'SyncFailed', message });
  });

  it('lets pods go one after the other, as others take their place', () => {
    createSet(3);
    statusWith({ maxUnavailable: 1 });
    const [first = '', second = ''] = cluster.store.list('pods').items.map(({ metadata }) => metadata?.name ?? '');
    cluster.store.evict('default', first);
    expect(() => cluster.store.evict('default', second)).toThrow("would violate the pod's disruption budget");
    cluster.runFor(60_000);
    expect(status()).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 3 });
    expect(status()?.disruptedPods).toBeUndefined();
    cluster.store.evict('default', second);
  });

  it('gives up on an eviction that does not come', () => {
    createPods(2);
    statusWith({ minAvailable: 1 });
    const spent = { disruptedPods: { p0: new Date(cluster.loop.nowMillis()) }, disruptionsAllowed: 0 };
    const budget = cluster.store.get('poddisruptionbudgets', 'default', 'b');
    cluster.store.updateStatus('poddisruptionbudgets', { ...budget, status: { ...budget.status, ...spent } });
    cluster.runFor(60_000);
    expect(status()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 1 });
    cluster.runFor(65_000);
    expect(status()).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 2 });
  });
});
