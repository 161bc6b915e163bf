import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';
import { makeNode } from '../builders/make-node.ts';
import { RandomWriter } from './random-writer.ts';
import { keyOf, SimulatedWatcher, type WatcherOptions } from './simulated-watcher.ts';

interface Scenario {
  readonly seed: number;
  readonly historyLimit: number;
  readonly writers: number;
  readonly writes: number;
  readonly watchers: readonly WatcherOptions[];
}

const watcher: fc.Arbitrary<WatcherOptions> = fc.record({
  allowBookmarks: fc.boolean(),
  pageSize: fc.constantFrom(0, 1, 2, 5),
  batch: fc.constantFrom(1, 3, 100),
  restMillis: fc.constantFrom(0, 10, 300),
  namespace: fc.constantFrom('', '', 'default'),
  labelSelector: fc.constantFrom('', '', 'app=a', '!app'),
  fieldSelector: fc.constantFrom(
    '',
    '',
    'metadata.name=a',
    'spec.nodeName=n1',
    'spec.nodeName=',
    'status.phase=Running',
  ),
});

const scenario: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.nat(),
  historyLimit: fc.constantFrom(1, 2, 5, 20, 1000),
  writers: fc.integer({ min: 1, max: 4 }),
  writes: fc.integer({ min: 0, max: 60 }),
  watchers: fc.array(watcher, { minLength: 1, maxLength: 5 }),
});

/** Keeps up with everything, and so learns of every version. */
const TIRELESS: WatcherOptions = { allowBookmarks: false, pageSize: 0, batch: 1000, restMillis: 0 };

function run({ seed, historyLimit, writers, writes, watchers }: Scenario) {
  const loop = new VirtualEventLoop();
  const prng = new Prng(seed);
  const store = new Store({ clock: loop, names: new RandomNames(new Prng(seed)) }, { historyLimit });
  const firstVersion = Number(store.list('pods').resourceVersion);
  const journal: number[] = [];
  for (const resource of ['pods', 'nodes'] as const) {
    const watch = store.watch(resource, { resourceVersion: String(firstVersion) });
    watch.onReady(() => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (!('object' in event)) throw new Error(`unexpected ${event.type}`);
        journal.push(Number(event.object.metadata?.resourceVersion));
      }
    });
  }
  for (let i = 0; i < writers; i++) {
    const writer = new RandomWriter(store, loop, new Prng(seed + i + 1), i, writes);
    loop.after(prng.below(20), () => writer.step());
  }
  const simulated = [TIRELESS, ...watchers].map((options, index) => {
    const simulatedWatcher = new SimulatedWatcher(store, 'pods', loop, new Prng(seed + 100 + index), options);
    loop.after(index === 0 ? 0 : prng.below(400), () => simulatedWatcher.start());
    return simulatedWatcher;
  });
  loop.runUntilIdle();
  for (const each of simulated) each.finish();
  return { store, firstVersion, journal, simulated };
}

describe('the store under concurrent writers', () => {
  it('notifies every watcher that finishes of exactly what is true: nothing lost, doubled or out of order', () => {
    fc.assert(
      fc.property(scenario, (chosen) => {
        const { store, firstVersion, journal, simulated } = run(chosen);
        const lastVersion = Number(store.list('pods').resourceVersion);
        const all = Array.from({ length: lastVersion - firstVersion }, (_, i) => firstVersion + 1 + i);
        // Every version is one event of one resource.
        expect(journal).toEqual(all);
        for (const { state, versions, startVersion, options } of simulated) {
          const { namespace = '', labelSelector = '', fieldSelector = '' } = options;
          const { items } = store.list('pods', { namespace, labelSelector, fieldSelector });
          const known = [...state.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
          expect(known).toEqual(items);
          expect(known.every((object, i) => object === items[i])).toBe(true);
          const isComplete = namespace + labelSelector + fieldSelector === '';
          if (isComplete) {
            const podVersions = journalOf(simulated[0]!.versions, startVersion);
            expect(versions).toEqual(podVersions);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is the same again with the same seed', () => {
    const chosen: Scenario = {
      seed: 11,
      historyLimit: 5,
      writers: 3,
      writes: 50,
      watchers: [{ allowBookmarks: true, pageSize: 2, batch: 1, restMillis: 300 }],
    };
    const [one, two] = [run(chosen), run(chosen)];
    expect(one.store.list('pods')).toEqual(two.store.list('pods'));
    expect(one.simulated.map(({ versions, lists }) => [versions, lists])).toEqual(
      two.simulated.map(({ versions, lists }) => [versions, lists]),
    );
  });

  it('makes slow watchers list again, in the scenarios above', () => {
    const slow = { allowBookmarks: false, pageSize: 0, batch: 1, restMillis: 300 };
    const { simulated } = run({ seed: 3, historyLimit: 2, writers: 4, writes: 60, watchers: [slow] });
    expect(simulated[1]?.lists).toBeGreaterThan(1);
  });
});

function journalOf(versions: readonly number[], startVersion: number): number[] {
  return versions.filter((version) => version > startVersion);
}

it('a watch is alone with its events: what others do to theirs does not matter', () => {
  const loop = new VirtualEventLoop();
  const store = new Store({ clock: loop, names: new RandomNames(new Prng(1)) });
  const { resourceVersion } = store.list('nodes');
  const [one, two] = [store.watch('nodes', { resourceVersion }), store.watch('nodes', { resourceVersion })];
  store.create('nodes', makeNode('n'));
  Object.assign(one.next() ?? {}, { type: 'DELETED', object: undefined });
  expect(two.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'n' } } });
});
