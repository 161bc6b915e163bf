import { beforeEach, expect, it } from 'vitest';
import { Cluster } from '../../../src/cluster/cluster.ts';

const FINALIZER = 'scheduling.k8s.io/podgroup-protection';

let cluster: Cluster;

const place = (name: string) => ({ metadata: { name, namespace: 'default' } });

beforeEach(() => {
  cluster = new Cluster({ featureGates: { GenericWorkload: true } });
  cluster.store.create('podgroups', { ...place('g'), spec: { schedulingPolicy: { basic: {} } } });
  for (const name of ['p', 'q']) {
    const spec = { containers: [{ name: 'c', image: 'i:1' }], schedulingGroup: { podGroupName: 'g' } };
    cluster.store.create('pods', { ...place(name), spec });
  }
  cluster.start();
});

const groups = () => cluster.store.list('podgroups').items.map(({ metadata }) => metadata?.finalizers ?? []);

it('keeps a group that is being deleted until its pods have ended or are gone', () => {
  expect(groups()).toEqual([[FINALIZER]]);
  cluster.store.delete('podgroups', 'default', 'g');
  cluster.runFor(5000);
  expect(groups()).toEqual([[FINALIZER]]);
  cluster.store.updateStatus('pods', { ...cluster.store.get('pods', 'default', 'p'), status: { phase: 'Succeeded' } });
  cluster.runFor(5000);
  expect(groups()).toEqual([[FINALIZER]]);
  cluster.store.delete('pods', 'default', 'q', { gracePeriodSeconds: 0 });
  cluster.runFor(5000);
  expect(groups()).toEqual([]);
});

it('lets a group without pods go at once', () => {
  for (const name of ['p', 'q']) cluster.store.delete('pods', 'default', name, { gracePeriodSeconds: 0 });
  cluster.runFor(5000);
  cluster.store.delete('podgroups', 'default', 'g');
  cluster.runFor(5000);
  expect(groups()).toEqual([]);
});

it('protects nothing without the gate', () => {
  cluster = new Cluster();
  cluster.store.create('podgroups', { ...place('g'), spec: { schedulingPolicy: { basic: {} } } });
  expect(groups()).toEqual([[]]);
});
