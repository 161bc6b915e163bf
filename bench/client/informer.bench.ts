import type { Pod } from '../../src/api/pod.ts';
import { storeSource } from '../../src/client/informer/informers.ts';
import type { ListerWatcher } from '../../src/client/informer/reflector.ts';
import { SharedInformer } from '../../src/client/informer/shared-informer.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';
import type { SuiteOptions } from '../kernels/kernel-suite.ts';
import { measureRates, type Rate } from '../rate-suite.ts';

/** Measures the way from the history of a store to handlers, through a cache with an index by owner. */
export function informerSuite(options: SuiteOptions): Rate[] {
  const podCount = options.tiny ? 5 : 5000;
  const source = podLives(podCount);
  const deliveries = podCount * EVENTS_PER_POD;
  const cases = {
    'delivery, 1 handler': { operations: deliveries, run: () => deliver(source, 1) },
    'delivery, 5 handlers': { operations: deliveries * 5, run: () => deliver(source, 5) },
  };
  return measureRates('informer', cases, options);
}

/** A pod is added, changes twice, is marked for deletion, and is removed. */
const EVENTS_PER_POD = 5;

/** Returns how many calls of handlers that took. */
function deliver(source: ListerWatcher<Pod>, handlerCount: number): number {
  const loop = new VirtualEventLoop();
  const informer = new SharedInformer(source, { loop, prng: new Prng(1), reportError: () => {} });
  informer.addIndex('owner', ({ metadata }) => metadata?.ownerReferences?.map(({ uid }) => uid) ?? []);
  let deliveries = 0;
  const count = (): void => {
    deliveries++;
  };
  for (let i = 0; i < handlerCount; i++) informer.addHandler({ onAdd: count, onUpdate: count, onDelete: count });
  informer.start();
  loop.runUntil(loop.nowMillis() + 1);
  informer.stop();
  return deliveries;
}

/** Pods that come, change twice and go, each owned by one of a hundred jobs; seen from before the first came. */
function podLives(count: number): ListerWatcher<Pod> {
  const clock = new VirtualEventLoop();
  const names = new RandomNames(new Prng(1));
  const store = new Store({ clock, names }, { historyLimit: count * EVENTS_PER_POD });
  const source = storeSource(store, 'pods');
  const start = source.list({});
  const pods = Array.from({ length: count }, (_, index) => podOf(index));
  for (const pod of pods) store.create('pods', pod);
  for (const step of ['1', '2']) {
    const patch = { type: 'merge', body: { metadata: { labels: { step } } } } as const;
    for (const { metadata } of pods) store.patch('pods', 'default', metadata?.name ?? '', patch);
  }
  for (const { metadata } of pods) store.delete('pods', 'default', metadata?.name ?? '');
  return { ...source, list: () => start };
}

function podOf(index: number): Pod {
  const job = `job-${index % 100}`;
  const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: job, uid: `uid-${job}`, controller: true }];
  const containers = [{ name: 'main', image: 'app' }];
  return { metadata: { name: `${job}-${index}`, namespace: 'default', ownerReferences }, spec: { containers } };
}
