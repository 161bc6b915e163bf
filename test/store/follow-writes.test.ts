import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import { followWrites } from '../../src/store/follow-writes.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';
import { makePod } from '../builders/make-pod.ts';

const drawnWrites = fc.array(
  fc.record({
    verb: fc.constantFrom('create', 'label', 'status', 'delete', 'stop'),
    name: fc.constantFrom('a', 'b', 'c'),
  }),
  { maxLength: 25 },
);

function write(store: Store, verb: string, name: string, count: number): void {
  if (verb === 'create') store.create('pods', makePod(name));
  if (verb === 'delete') store.delete('pods', 'default', name, { gracePeriodSeconds: 0 });
  const body = { metadata: { labels: { count: `${count}` } } };
  if (verb === 'label') store.patch('pods', 'default', name, { type: 'merge', body });
  if (verb === 'status') store.updateStatus('pods', { metadata: { name, namespace: 'default' }, status: {} });
}

test('a store shows the same writes as a watch, in the same order', () => {
  const property = fc.property(drawnWrites, (writes) => {
    const store = new Store({ clock: new VirtualEventLoop(), names: new RandomNames(new Prng(1)) });
    store.create('pods', makePod('before'));
    const { resourceVersion } = store.list('pods');
    const [byStore, byWatch]: [unknown[], unknown[]] = [[], []];
    const note = (seen: unknown[]) => (type: string, pod: Pod) => seen.push([type, pod]);
    const followed = [
      followWrites(store, 'pods', resourceVersion, note(byStore)),
      followWrites({ watch: store.watch.bind(store) }, 'pods', resourceVersion, note(byWatch)),
    ];
    for (const [count, { verb, name }] of writes.entries()) {
      if (verb === 'stop') for (const each of followed) each.stop();
      try {
        write(store, verb, name, count);
      } catch {
        // A pod that is there already, or is not there.
      }
      expect(byStore).toEqual(byWatch);
    }
  });
  fc.assert(property, { numRuns: 200 });
});
