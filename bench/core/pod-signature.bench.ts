import type { Node } from '../../src/api/node.ts';
import type { Pod } from '../../src/api/pod.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import { makeClusterPod } from '../../test/builders/make-cluster-pod.ts';
import { makeNode } from '../../test/builders/make-node.ts';
import { makeStore } from '../../test/builders/make-store.ts';
import type { SuiteOptions } from '../kernels/kernel-suite.ts';
import { measureRates, type Rate } from '../rate-suite.ts';

/** Pods that were read from JSON, each with objects of its own: the token volume has one name in all, or in none. */
export function podSignatureSuite(options: SuiteOptions): Rate[] {
  const count = options.tiny ? 10 : 5_000;
  const podsOf = (unique: boolean, deployments: number): Pod[] =>
    Array.from({ length: count }, (_, index) => makeClusterPod(index, { unique, deployments }));
  const inputs = [
    ['one volume name', podsOf(false, 1)],
    ['a volume name a pod', podsOf(true, 1)],
    ['one, 50 deployments', podsOf(false, 50)],
    ['a name a pod, 50 deployments', podsOf(true, 50)],
  ] as const;
  const cases = inputs.flatMap(([name, pods]) => [
    [`schedule: ${name}`, () => scheduledOneByOne(pods)] as const,
    [`scheduleBatch: ${name}`, () => newScheduler(pods).scheduleBatch(pods).length] as const,
    [`create: ${name}`, () => created(pods)] as const,
    [`cluster: ${name}`, () => scheduledByCluster(pods)] as const,
  ]);
  const perPod = cases.map(([name, run]) => [name, { operations: count, run }] as const);
  return measureRates('pod signature', Object.fromEntries(perPod), options);
}

function newScheduler(pods: readonly Pod[]): Scheduler {
  const scheduler = new Scheduler();
  for (const node of nodesFor(pods)) scheduler.addNode(node);
  return scheduler;
}

/** Room for all pods. */
function nodesFor({ length }: readonly Pod[]): Node[] {
  const options = { cpu: 64, memory: '256Gi' };
  return Array.from({ length: Math.ceil(length / 100) }, (_, i) => makeNode(`node-${i}`, options));
}

function scheduledOneByOne(pods: readonly Pod[]): number {
  const scheduler = newScheduler(pods);
  let count = 0;
  for (const pod of pods) if (scheduler.schedule(pod).status === 'scheduled') count++;
  return count;
}

function created(pods: readonly Pod[]): number {
  const { store } = makeStore();
  for (const pod of pods) store.create('pods', pod);
  return store.list('pods').items.length;
}

/** Created, seen by the informers, scheduled and bound. Pods whose owners are not there would be collected. */
function scheduledByCluster(pods: readonly Pod[]): number {
  const cluster = new Cluster({ scheduler: {} });
  for (const node of nodesFor(pods)) cluster.store.create('nodes', node);
  cluster.start();
  for (const pod of pods) {
    cluster.store.create('pods', { ...pod, metadata: { ...pod.metadata, ownerReferences: undefined } });
  }
  cluster.runFor(60_000);
  return cluster.store.list('pods').items.filter(({ spec }) => spec?.nodeName).length;
}
