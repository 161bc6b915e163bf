import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Labels } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Informers, storeSource } from '../../../src/client/informer/informers.ts';
import type { ListerWatcher } from '../../../src/client/informer/reflector.ts';
import { SharedInformer } from '../../../src/client/informer/shared-informer.ts';
import { objectKey } from '../../../src/client/object-key.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import type { SelectionOptions, Watch } from '../../../src/store/objects/store-client.ts';
import { Store } from '../../../src/store/store.ts';
import { makePod } from '../../builders/make-pod.ts';
import { HistoryHandler } from './history-handler.ts';

const FILTERS: readonly SelectionOptions[] = [
  {},
  { namespace: 'a' },
  { labelSelector: 'app=web' },
  { fieldSelector: 'spec.nodeName=node-1' },
  { namespace: 'b', labelSelector: 'app in (web, db),!canary' },
];

const NAMESPACES = ['a', 'b'];

function newStore(loop: VirtualEventLoop, historyLimit: number): Store {
  const store = new Store({ clock: loop, names: new RandomNames(new Prng(1)) }, { historyLimit });
  for (const name of NAMESPACES) store.create('namespaces', { metadata: { name } });
  return store;
}

/** The API as it is on a bad day: calls fail, and watches break off. */
function unreliable<T>(source: ListerWatcher<T>, luck: { fails(): boolean }): ListerWatcher<T> {
  const broken = new ApiError('InternalError', 'boom');
  return {
    name: source.name,
    list: (options) => {
      if (luck.fails()) throw broken;
      return source.list(options);
    },
    watch: (options) => {
      if (luck.fails()) throw broken;
      const watch = source.watch(options);
      const breaking: Watch<T> = {
        next: () => (luck.fails() ? { type: 'ERROR', error: broken } : watch.next()),
        onReady: (wake) => watch.onReady(wake),
        stop: () => watch.stop(),
      };
      return breaking;
    },
  };
}

function podOf(namespace: string, name: string, labels: Labels = {}): Pod {
  return { ...makePod(name), metadata: { name, namespace, labels } };
}

/** What is there, by name: the objects are the store's own, so they can be compared as they are. */
function byKey(pods: readonly Pod[]): Map<string, Pod> {
  return new Map(pods.map((pod) => [objectKey(pod), pod]));
}

const name = fc.constantFrom('p1', 'p2', 'p3');
const namespace = fc.constantFrom(...NAMESPACES);
const labels = fc.constantFrom({}, { app: 'web' }, { app: 'db' }, { app: 'web', canary: 'yes' });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('create' as const), namespace, name, labels }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('label' as const), namespace, name, labels }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bind' as const), namespace, name, labels }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), namespace, name, labels }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tasks' as const), count: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), count: fc.integer({ min: 1, max: 10_000 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function take(step: Step, store: Store, loop: VirtualEventLoop): void {
  if (step.do === 'tasks') {
    for (let i = 0; i < step.count; i++) loop.step();
  } else if (step.do === 'pass') {
    loop.runUntil(loop.nowMillis() + step.count);
  } else {
    const { namespace, name, labels } = step;
    const pod = store.list('pods', { namespace }).items.find(({ metadata }) => metadata?.name === name);
    if (step.do === 'create' && pod === undefined) {
      store.create('pods', podOf(namespace, name, labels));
    } else if (step.do === 'label' && pod !== undefined) {
      store.patch('pods', namespace, name, {
        type: 'merge',
        body: { metadata: { labels: { app: null, canary: null, ...labels } } },
      });
    } else if (step.do === 'bind' && pod?.spec?.nodeName === undefined && pod !== undefined) {
      store.bind(namespace, name, { target: { name: 'node-1' } });
    } else if (step.do === 'delete' && pod !== undefined) {
      store.delete('pods', namespace, name, { gracePeriodSeconds: 0 });
    }
  }
}

describe('informers on a store', () => {
  it('end with its state and a history for each handler, through overflows of the history and errors', () => {
    const setup = fc.record({
      historyLimit: fc.integer({ min: 1, max: 30 }),
      seed: fc.nat(),
      oneIn: fc.integer({ min: 2, max: 100 }),
    });
    const script = fc.array(step, { minLength: 20, maxLength: 100, size: 'max' });
    fc.assert(
      fc.property(script, setup, (steps, { historyLimit, seed, oneIn }) => {
        const loop = new VirtualEventLoop();
        const store = newStore(loop, historyLimit);
        const prng = new Prng(seed);
        let isBadDay = true;
        const luck = { fails: () => isBadDay && prng.below(oneIn) === 0 };
        const modules = { loop, prng, reportError: () => {} };
        const informers = FILTERS.map(
          (filter) => new SharedInformer(unreliable(storeSource(store, 'pods', filter), luck), modules),
        );
        const handlers = informers.map((informer, index) => {
          const handler = new HistoryHandler<Pod>({ fails: luck.fails, canReturn: index > 0 });
          informer.addHandler(handler);
          informer.start();
          return handler;
        });
        for (const step of steps) take(step, store, loop);
        isBadDay = false;
        loop.runUntil(loop.nowMillis() + 3600 * 1000);
        for (const [index, filter] of FILTERS.entries()) {
          const expected = byKey(store.list('pods', filter).items);
          expect(byKey(informers[index]?.lister.list() ?? [])).toEqual(expected);
          expect(byKey(handlers[index]?.objects ?? [])).toEqual(expected);
          expect(handlers[index]?.contradictions).toEqual([]);
          informers[index]?.stop();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are one for all who read a resource', () => {
    const loop = new VirtualEventLoop();
    const store = newStore(loop, 100);
    const informers = new Informers(store, { loop, prng: new Prng(1), reportError: () => expect.unreachable() });
    const pods = informers.of('pods');
    expect(informers.of('pods')).toBe(pods);
    informers.start();
    loop.runUntil(loop.nowMillis() + 1);
    expect(informers.hasSynced()).toBe(true);
    const namespaces = informers.of('namespaces');
    expect(informers.hasSynced()).toBe(false);
    informers.start();
    store.create('pods', podOf('a', 'p1'));
    loop.runUntil(loop.nowMillis() + 1);
    expect([informers.hasSynced(), pods.lister.get('a', 'p1')?.metadata?.name]).toEqual([true, 'p1']);
    expect(namespaces.lister.list().map(({ metadata }) => metadata?.name)).toEqual(expect.arrayContaining(NAMESPACES));
    informers.stop();
    store.delete('pods', 'a', 'p1');
    loop.runUntil(loop.nowMillis() + 1000);
    expect(pods.lister.list().length).toBe(1);
  });
});
