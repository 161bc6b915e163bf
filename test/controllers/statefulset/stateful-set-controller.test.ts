import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { StatefulSet, StatefulSetSpec } from '../../../src/api/stateful-set.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { isGoing, isServing, NEVER_READY, PodLife } from '../../builders/pod-life.ts';

const labels = { app: 'db' };
const selector = { matchLabels: labels };
const templateOf = (image: string, annotations: object = {}) => ({
  metadata: { labels, annotations: annotations as Record<string, string> },
  spec: { containers: [{ name: 'c', image }] },
});

let cluster: Cluster;

beforeEach(() => {
  cluster = new Cluster();
  new PodLife(cluster);
  cluster.start();
});

const create = (spec: StatefulSetSpec = {}): StatefulSet =>
  cluster.store.create('statefulsets', {
    metadata: { name: 'db', namespace: 'default' },
    spec: { replicas: 3, selector, serviceName: 'db', template: templateOf('a:1'), ...spec },
  });
const change = (spec: object, of = cluster) =>
  of.store.patch('statefulsets', 'default', 'db', { type: 'merge', body: { spec } });
const set = (of = cluster): StatefulSet => of.store.get('statefulsets', 'default', 'db');
const pods = (of = cluster): readonly Pod[] => of.store.list('pods').items;
const nameOf = ({ metadata }: Pod) => metadata?.name ?? '';
const names = (of = cluster) => pods(of).map(nameOf);
const images = (of = cluster) => pods(of).map(({ spec }) => spec?.containers?.[0]?.image);
const claims = () => cluster.store.list('persistentvolumeclaims').items;
const ordinalOf = (pod: Pod) => Number(nameOf(pod).split('-').at(-1));

const volumeClaimTemplates = [
  {
    metadata: { name: 'data', labels: { disk: 'fast' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
];

describe('StatefulSetController', () => {
  it('makes pods with names, host names and claims of their own', () => {
    create({ volumeClaimTemplates, ordinals: { start: 5 } });
    cluster.runFor(60_000);
    expect(names()).toEqual(['db-5', 'db-6', 'db-7']);
    const [pod] = pods();
    expect(pod?.metadata?.labels).toEqual({
      ...labels,
      'statefulset.kubernetes.io/pod-name': 'db-5',
      'apps.kubernetes.io/pod-index': '5',
      'controller-revision-hash': set().status?.currentRevision,
    });
    expect(pod?.spec).toMatchObject({ hostname: 'db-5', subdomain: 'db' });
    expect(pod?.spec?.volumes).toEqual([{ name: 'data', persistentVolumeClaim: { claimName: 'data-db-5' } }]);
    expect(claims().map(({ metadata }) => metadata?.name)).toEqual(['data-db-5', 'data-db-6', 'data-db-7']);
    expect(claims()[0]?.metadata?.labels).toEqual({ disk: 'fast', ...labels });
    const { updateRevision } = set().status ?? {};
    expect(set().status).toMatchObject({
      ...{ replicas: 3, readyReplicas: 3, availableReplicas: 3, currentReplicas: 3, updatedReplicas: 3 },
      ...{ currentRevision: updateRevision, observedGeneration: 1, collisionCount: 0 },
    });
  });

  it('replaces a pod that goes or has failed by one of the same name', () => {
    create();
    cluster.runFor(60_000);
    const uids = () => pods().map(({ metadata }) => metadata?.uid);
    const before = uids();
    cluster.store.delete('pods', 'default', 'db-1');
    cluster.store.patch('pods', 'default', 'db-2', { type: 'merge', body: { status: { phase: 'Failed' } } }, 'status');
    cluster.runFor(120_000);
    expect(names()).toEqual(['db-0', 'db-1', 'db-2']);
    expect(uids()[0]).toBe(before[0]);
    expect(uids().slice(1)).not.toContain(before[1]);
    expect(uids().slice(1)).not.toContain(before[2]);
  });

  it('updates only the pods from the partition on', () => {
    create();
    cluster.runFor(60_000);
    change({ template: templateOf('a:2'), updateStrategy: { rollingUpdate: { partition: 2 } } });
    cluster.runFor(120_000);
    expect(images()).toEqual(['a:1', 'a:1', 'a:2']);
    // A pod below the partition comes back as it was.
    cluster.store.delete('pods', 'default', 'db-0');
    cluster.runFor(60_000);
    expect(images()).toEqual(['a:1', 'a:1', 'a:2']);
    expect(set().status).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
    change({ updateStrategy: { rollingUpdate: { partition: 0 } } });
    cluster.runFor(120_000);
    expect(images()).toEqual(['a:2', 'a:2', 'a:2']);
    expect(set().status?.currentRevision).toBe(set().status?.updateRevision);
  });

  it('updates with OnDelete only what is deleted', () => {
    create({ updateStrategy: { type: 'OnDelete' } });
    cluster.runFor(60_000);
    change({ template: templateOf('a:2') });
    cluster.runFor(60_000);
    expect(images()).toEqual(['a:1', 'a:1', 'a:1']);
    cluster.store.delete('pods', 'default', 'db-1');
    cluster.runFor(60_000);
    expect(images()).toEqual(['a:1', 'a:2', 'a:1']);
  });

  it('waits until a pod has been ready for minReadySeconds', () => {
    create({ minReadySeconds: 30 });
    cluster.runFor(29_000);
    expect(names()).toEqual(['db-0']);
    cluster.runFor(120_000);
    expect(names()).toEqual(['db-0', 'db-1', 'db-2']);
    expect(set().status?.availableReplicas).toBe(3);
  });

  it('keeps no more former revisions than the limit', () => {
    create({ revisionHistoryLimit: 1 });
    for (let i = 2; i < 6; i++) {
      cluster.runFor(120_000);
      change({ template: templateOf(`a:${i}`) });
    }
    cluster.runFor(120_000);
    expect(cluster.store.list('controllerrevisions').items).toHaveLength(2);
  });

  it.each([
    ['Retain', 'Retain', ['0', '1', '2'], ['0', '1', '2']],
    ['Delete', 'Retain', ['0', '1', '2'], []],
    ['Retain', 'Delete', ['0'], ['0']],
    ['Delete', 'Delete', ['0'], []],
  ])('keeps claims: %s when deleted, %s when scaled', (whenDeleted, whenScaled, afterScaling, afterDeletion) => {
    const ordinals = () => claims().map(({ metadata }) => metadata?.name?.slice('data-db-'.length));
    create({ volumeClaimTemplates, persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } });
    cluster.runFor(60_000);
    change({ replicas: 1 });
    cluster.runFor(120_000);
    expect(ordinals()).toEqual(afterScaling);
    cluster.store.delete('statefulsets', 'default', 'db', { propagationPolicy: 'Background' });
    cluster.runFor(120_000);
    expect(ordinals()).toEqual(afterDeletion);
  });

  it('keeps the order of OrderedReady, one pod at a time, and arrives at what is wanted', () => {
    const step = fc.record({
      afterMillis: fc.integer({ min: 500, max: 60_000 }),
      replicas: fc.integer({ min: 0, max: 6 }),
      image: fc.constantFrom('a:1', 'a:2', 'a:3'),
    });
    const input = fc.record({
      ...{ seed: fc.nat(), start: fc.constantFrom(0, 3), steps: fc.array(step, { minLength: 1, maxLength: 5 }) },
      minReadySeconds: fc.constantFrom(0, 2),
      podManagementPolicy: fc.constantFrom('OrderedReady', 'Parallel'),
    });
    fc.assert(
      fc.property(input, ({ seed, start, steps, minReadySeconds, podManagementPolicy }) => {
        const own = new Cluster({ seed: (seed % 1000) + 1 });
        const isOrdered = podManagementPolicy === 'OrderedReady';
        const going = new Set<string>();
        const life = new PodLife(own, {
          seed,
          onChange: (type, pod) => {
            const uid = pod.metadata?.uid ?? '';
            const isFirst = isGoing(pod) && !going.has(uid);
            if (isFirst) going.add(uid);
            if (!isOrdered) return;
            const ordinal = ordinalOf(pod);
            const others = pods(own).filter((other) => other.metadata?.uid !== uid);
            const ready = new Set(others.filter(isServing).map(ordinalOf));
            const end = start + (set(own).spec?.replicas ?? 0);
            // When a pod comes, all below are there and ready.
            if (type === 'ADDED') for (let i = start; i < ordinal; i++) expect(ready).toContain(i);
            // A pod too many goes when all above are gone; one that is updated when all others are ready.
            if (isFirst && ordinal >= end) expect(Math.max(-1, ...others.map(ordinalOf))).toBeLessThan(ordinal);
            if (isFirst && ordinal < end)
              for (let i = start; i < end; i++) if (i !== ordinal) expect(ready).toContain(i);
          },
        });
        own.start();
        const spec = { replicas: 3, selector, minReadySeconds, podManagementPolicy, ordinals: { start } };
        own.store.create('statefulsets', { metadata: { name: 'db' }, spec: { ...spec, template: templateOf('a:0') } });
        for (const { afterMillis, replicas, image } of steps) {
          own.runFor(afterMillis);
          change({ replicas, template: templateOf(image) }, own);
        }
        own.runFor(600_000);
        life.check();
        const { replicas = 0, image = '' } = steps.at(-1) ?? {};
        expect(names(own)).toEqual(Array.from({ length: replicas }, (_, i) => `db-${start + i}`));
        expect(images(own)).toEqual(Array(replicas).fill(image));
        expect(set(own).status).toMatchObject({ replicas, availableReplicas: replicas, updatedReplicas: replicas });
      }),
      { numRuns: 20 },
    );
  });

  it('takes one pod down after the other for an update, in parallel and whatever maxUnavailable says', () => {
    const input = fc.record({
      seed: fc.nat(),
      replicas: fc.integer({ min: 1, max: 8 }),
      maxUnavailable: fc.constantFrom(undefined, 2, '50%'),
    });
    fc.assert(
      fc.property(input, ({ seed, replicas, maxUnavailable }) => {
        const own = new Cluster({ seed: (seed % 1000) + 1 });
        let isFull = false;
        const life = new PodLife(own, {
          seed,
          onChange: () => {
            if (isFull) expect(pods(own).filter(isServing).length).toBeGreaterThanOrEqual(replicas - 1);
          },
        });
        own.start();
        const updateStrategy = { rollingUpdate: { maxUnavailable } };
        const spec = { replicas, selector, updateStrategy, podManagementPolicy: 'Parallel' };
        own.store.create('statefulsets', { metadata: { name: 'db' }, spec: { ...spec, template: templateOf('a:0') } });
        own.runFor(60_000);
        isFull = true;
        change({ template: templateOf('a:1') }, own);
        own.runFor(600_000);
        life.check();
        expect(images(own)).toEqual(Array(replicas).fill('a:1'));
      }),
      { numRuns: 10 },
    );
  });

  it('makes no further pod while one is not ready', () => {
    create({ template: templateOf('a:1', { [NEVER_READY]: '' }) });
    cluster.runFor(600_000);
    expect(names()).toEqual(['db-0']);
    change({ podManagementPolicy: 'OrderedReady', replicas: 2 });
    cluster.runFor(60_000);
    expect(names()).toEqual(['db-0']);
  });
});
