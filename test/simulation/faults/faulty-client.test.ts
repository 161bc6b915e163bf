import { describe, expect, it } from 'vitest';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { FaultyClient, MILLION } from '../../../src/simulation/faults/faulty-client.ts';
import { isApiError } from '../../../src/store/objects/api-error.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import type { Watch } from '../../../src/store/objects/store-client.ts';
import { Store } from '../../../src/store/store.ts';

function setUp() {
  const loop = new VirtualEventLoop();
  const store = new Store({ clock: loop, names: new RandomNames(new Prng(1)) });
  return { loop, store, client: new FaultyClient({ client: store, loop, prng: new Prng(3) }) };
}

const node = (name: string) => ({ metadata: { name } });

/** Counts how many of 200 calls fail for this reason. */
function countOf(reason: 'Conflict' | 'Timeout', call: (i: number) => void): number {
  let count = 0;
  for (let i = 0; i < 200; i++) {
    try {
      call(i);
    } catch (error) {
      if (!isApiError(error, reason)) throw error;
      count++;
    }
  }
  return count;
}

function followed<T>(watch: Watch<T>): { readonly types: string[] } {
  const types: string[] = [];
  watch.onReady(() => {
    for (let event = watch.next(); event !== undefined; event = watch.next()) types.push(event.type);
  });
  return { types };
}

describe('FaultyClient', () => {
  it('is the API itself while nothing is wrong', () => {
    const { store, client } = setUp();
    client.create('nodes', node('a'));
    client.updateStatus('nodes', { ...client.get('nodes', '', 'a'), status: { capacity: { cpu: 1 } } });
    expect(store.get('nodes', '', 'a').status?.capacity).toEqual({ cpu: 1 });
    expect(client.list('nodes').items).toHaveLength(1);
    client.delete('nodes', '', 'a');
    expect(store.list('nodes').items).toEqual([]);
  });

  it('refuses the configured share of changes, which are not done', () => {
    const { store, client } = setUp();
    store.create('nodes', node('a'));
    client.conflictMillionths += MILLION / 4;
    const patch = (i: number) => ({ type: 'merge', body: { metadata: { labels: { i: String(i) } } } }) as const;
    let done = -1;
    const conflicts = countOf('Conflict', (i) => {
      client.patch('nodes', '', 'a', patch(i));
      done = i;
    });
    expect(conflicts).toBeGreaterThan(25);
    expect(conflicts).toBeLessThan(75);
    expect(store.get('nodes', '', 'a').metadata?.labels).toEqual({ i: String(done) });
    client.conflictMillionths -= MILLION / 4;
    expect(countOf('Conflict', (i) => client.patch('nodes', '', 'a', patch(i)))).toBe(0);
  });

  it('gives no answer to some requests, of which half are done all the same', () => {
    const { store, client } = setUp();
    client.timeoutMillionths += MILLION / 2;
    const lost = countOf('Timeout', (i) => client.create('nodes', node(`n${i}`)));
    const made = store.list('nodes').items.length;
    expect(lost).toBeGreaterThan(70);
    expect(lost).toBeLessThan(130);
    expect(made - (200 - lost)).toBeGreaterThan(25);
    expect(made).toBeLessThan(175);
  });

  it('ends watches with the news that their version is too old, once', () => {
    const { store, client } = setUp();
    const nodes = followed(client.watch('nodes', { resourceVersion: '' }));
    const pods = followed(client.watch('pods', { resourceVersion: '' }));
    store.create('nodes', node('a'));
    expect(client.loseWatches('nodes')).toBe(1);
    store.create('nodes', node('b'));
    expect(nodes.types).toEqual(['ADDED', 'ERROR']);
    expect(pods.types).toEqual([]);
    expect(client.loseWatches()).toBe(2);
    expect(pods.types).toEqual(['ERROR']);
  });

  it('forgets watches that were stopped', () => {
    const { client } = setUp();
    client.watch('nodes', { resourceVersion: '' }).stop();
    expect(client.loseWatches()).toBe(0);
  });

  it('brings news late', () => {
    const { loop, store, client } = setUp();
    const { types } = followed(client.watch('nodes', { resourceVersion: '' }));
    client.delayMillis += 2000;
    store.create('nodes', node('a'));
    loop.runUntil(loop.nowMillis() + 1999);
    expect(types).toEqual([]);
    loop.runUntil(loop.nowMillis() + 1);
    expect(types).toEqual(['ADDED']);
  });
});
