import type { Pod } from '../../src/api/pod.ts';
import { FakeClock } from '../../src/lib/clock.ts';
import { Prng } from '../../src/lib/prng.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import type { Watch, WatchOptions } from '../../src/store/objects/store-client.ts';
import { Store } from '../../src/store/store.ts';
import type { SuiteOptions } from '../kernels/kernel-suite.ts';
import { measureRates, type Rate } from '../rate-suite.ts';

/** Writes to a store, each run to a new one; and what one watch takes out of its history. */
export function storeSuite(options: SuiteOptions): Rate[] {
  const count = options.tiny ? 10 : 20_000;
  const alike = Array.from({ length: count }, (_, index) => podOf(index, 'app'));
  const different = Array.from({ length: count }, (_, index) => podOf(index, `app:${index}`));
  const filled = storeWith(alike);
  const start = { resourceVersion: newStore().list('pods').resourceVersion };
  const cases = {
    'create pods of one template': () => lastVersion(storeWith(alike), count),
    'create pods, no two alike': () => lastVersion(storeWith(different), count),
    'whole lives of pods, 5 writes each': () => podLives(alike),
    'watch delivery': () => deliveries(filled, start),
    'watch delivery, by label': () => deliveries(filled, { ...start, labelSelector: 'app=web' }),
    'create pods on 1000 watching nodes': () => nodeDeliveries(alike),
  };
  const perPod = Object.entries(cases).map(([name, run]) => [name, { operations: count, run }] as const);
  return measureRates('store', Object.fromEntries(perPod), options);
}

function newStore(): Store {
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  return new Store({ clock, names: new RandomNames(new Prng(1)) });
}

function storeWith(pods: readonly Pod[]): Store {
  const store = newStore();
  for (const pod of pods) store.create('pods', pod);
  return store;
}

/** The version of the pod that came last. */
function lastVersion(store: Store, count: number): string {
  return store.get('pods', 'default', `pod-${count - 1}`).metadata?.resourceVersion ?? '';
}

function podLives(pods: readonly Pod[]): string {
  const store = newStore();
  const release = { metadata: { '$deleteFromPrimitiveList/finalizers': ['batch.kubernetes.io/job-tracking'] } };
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  for (const pod of pods) {
    const { name = '' } = store.create('pods', pod).metadata ?? {};
    store.bind('default', name, { target: { name: 'node-1' } });
    store.patch('pods', 'default', name, { type: 'strategic', body: { status } }, 'status');
    store.delete('pods', 'default', name, { gracePeriodSeconds: 0 });
    store.patch('pods', 'default', name, { type: 'strategic', body: release });
  }
  return store.list('pods').resourceVersion;
}

function deliveries(store: Store, options: WatchOptions): number {
  return drain(store.watch('pods', options));
}

/** Every pod is bound to a node; each node watches its own pods. */
function nodeDeliveries(pods: readonly Pod[]): number {
  const store = newStore();
  const { resourceVersion } = store.list('pods');
  let delivered = 0;
  for (let node = 0; node < 1000; node++) {
    const watch = store.watch('pods', { resourceVersion, fieldSelector: `spec.nodeName=node-${node}` });
    watch.onReady(() => {
      delivered += drain(watch);
    });
  }
  for (const [index, pod] of pods.entries()) {
    const spec = { ...pod.spec, nodeName: `node-${(index * 7919) % 1000}` };
    store.create('pods', { ...pod, spec });
  }
  return delivered;
}

function drain(watch: Watch<Pod>): number {
  let count = 0;
  while (watch.next() !== undefined) count++;
  return count;
}

/** A pod as a controller makes it: with an owner, labels and a finalizer. */
function podOf(index: number, image: string): Pod {
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'job', uid: 'job-uid', controller: true };
  return {
    metadata: {
      name: `pod-${index}`,
      namespace: 'default',
      labels: { app: 'web', 'job-name': 'job' },
      ownerReferences: [{ ...owner, blockOwnerDeletion: true }],
      finalizers: ['batch.kubernetes.io/job-tracking'],
    },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image, resources: { requests: { cpu: '100m', memory: '128Mi' } } }],
    },
  };
}
