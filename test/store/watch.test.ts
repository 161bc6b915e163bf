import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/api/meta.ts';
import type { Pod } from '../../src/api/pod.ts';
import type { Watch, WatchEvent, WatchOptions } from '../../src/store/objects/store-client.ts';
import type { Store } from '../../src/store/store.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

function drain<T>(watch: Watch<T>): WatchEvent<T>[] {
  const events: WatchEvent<T>[] = [];
  for (let event = watch.next(); event !== undefined; event = watch.next()) events.push(event);
  return events;
}

/** `ADDED a`, `BOOKMARK 7`, `ERROR Expired` */
function texts(watch: Watch<KubernetesObject>): string[] {
  return drain(watch).map((event) => {
    if (event.type === 'BOOKMARK') return `BOOKMARK ${event.resourceVersion}`;
    return `${event.type} ${event.type === 'ERROR' ? event.error.reason : event.object.metadata?.name}`;
  });
}

function watchPods(store: Store, options: Partial<WatchOptions> = {}): Watch<Pod> {
  return store.watch('pods', { resourceVersion: store.list('pods').resourceVersion, ...options });
}

function label(store: Store, name: string, value: string | null): void {
  store.patch('pods', 'default', name, { type: 'merge', body: { metadata: { labels: { app: value } } } });
}

describe('watch', () => {
  it('reports every write since its version, once and in order', () => {
    const { store } = makeStore();
    store.create('pods', makePod('before'));
    const { resourceVersion } = store.list('pods');
    store.create('pods', makePod('a'));
    const watch = watchPods(store, { resourceVersion });
    store.create('nodes', makeNode('n'));
    label(store, 'a', 'x');
    store.delete('pods', 'default', 'before');
    expect(texts(watch)).toEqual(['ADDED a', 'MODIFIED a', 'MODIFIED before', 'DELETED before']);
    expect(texts(watch)).toEqual([]);
    label(store, 'a', 'y');
    expect(drain(watch)).toEqual([{ type: 'MODIFIED', object: store.get('pods', 'default', 'a') }]);
  });

  it('reports nothing when a write changes nothing', () => {
    const { store } = makeStore();
    const pod = store.create('pods', makePod('a'));
    const watch = watchPods(store);
    expect(store.update('pods', pod)).toBe(pod);
    expect(store.updateStatus('pods', structuredClone(pod))).toBe(pod);
    expect(store.patch('pods', 'default', 'a', { type: 'merge', body: { metadata: { labels: null } } })).toBe(pod);
    expect(drain(watch)).toEqual([]);
    expect(store.list('pods').resourceVersion).toBe(pod.metadata?.resourceVersion);
  });

  it('shows a deleted object as it was last, under the version of its removal', () => {
    const { store } = makeStore();
    const created = store.create('nodes', makeNode('n'));
    const watch = store.watch('nodes', { resourceVersion: store.list('nodes').resourceVersion });
    store.delete('nodes', '', 'n');
    const { resourceVersion } = store.list('nodes');
    const object = { ...created, metadata: { ...created.metadata, resourceVersion } };
    expect(drain(watch)).toEqual([{ type: 'DELETED', object }]);
  });

  it.each(['', '0'])('from version "%s" begins with what is there', (resourceVersion) => {
    const { store } = makeStore();
    for (const name of ['b', 'a']) store.create('pods', makePod(name));
    const watch = watchPods(store, { resourceVersion, namespace: 'default' });
    store.create('pods', makePod('c'));
    expect(texts(watch)).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
  });

  it('sees objects come into a selection and leave it', () => {
    const { store } = makeStore();
    const watch = watchPods(store, { labelSelector: 'app=web', namespace: 'default' });
    store.create('pods', makePod('a'));
    store.create('pods', { ...makePod('b'), metadata: { name: 'b', labels: { app: 'web' } } });
    store.create('pods', {
      ...makePod('c'),
      metadata: { name: 'c', namespace: 'kube-system', labels: { app: 'web' } },
    });
    expect(texts(watch)).toEqual(['ADDED b']);
    label(store, 'a', 'web');
    label(store, 'b', 'db');
    label(store, 'b', null);
    expect(texts(watch)).toEqual(['ADDED a', 'DELETED b']);
    store.delete('pods', 'default', 'b');
    store.delete('pods', 'default', 'a');
    expect(texts(watch)).toEqual(['MODIFIED a', 'DELETED a']);
  });

  it('shows an object that leaves the selection as it was in it', () => {
    const { store } = makeStore();
    const pod = store.create('pods', { ...makePod('a'), metadata: { name: 'a', labels: { app: 'web' } } });
    const watch = watchPods(store, { labelSelector: 'app' });
    label(store, 'a', null);
    const { resourceVersion } = store.get('pods', 'default', 'a').metadata ?? {};
    const object = { ...pod, metadata: { ...pod.metadata, resourceVersion } };
    expect(drain(watch)).toEqual([{ type: 'DELETED', object }]);
  });

  it('wakes the watches of the node that a write concerns, and no others', () => {
    const { store } = makeStore();
    const woken: string[] = [];
    const watches = ['n1', 'n2', ''].map((nodeName) => {
      const watch = watchPods(store, { fieldSelector: `spec.nodeName=${nodeName}` });
      expect(watch.next()).toBeUndefined();
      watch.onReady(() => woken.push(nodeName));
      return watch;
    });
    store.create('pods', makePod('a'));
    expect(woken.splice(0)).toEqual(['']);
    expect(watches.map(texts)).toEqual([[], [], ['ADDED a']]);
    store.bind('default', 'a', { target: { name: 'n2' } });
    expect(woken.splice(0)).toEqual(['n2', '']);
    expect(watches.map(texts)).toEqual([[], ['ADDED a'], ['DELETED a']]);
    watches[1]?.stop();
    label(store, 'a', 'x');
    expect(woken).toEqual([]);
  });

  it('wakes once, when there is something again', () => {
    const { store } = makeStore();
    const watch = watchPods(store);
    let wakes = 0;
    watch.onReady(() => wakes++);
    expect(wakes).toBe(1);
    store.create('pods', makePod('a'));
    store.create('pods', makePod('b'));
    expect(wakes).toBe(1);
    expect(texts(watch)).toEqual(['ADDED a', 'ADDED b']);
    store.create('nodes', makeNode('n'));
    expect(wakes).toBe(1);
    store.create('pods', makePod('c'));
    store.create('pods', makePod('d'));
    expect(wakes).toBe(2);
  });

  it('is not left asleep by another whose wake-up throws; the write is done', () => {
    const { store } = makeStore();
    const [faulty, sound] = [watchPods(store), watchPods(store)];
    for (const watch of [faulty, sound]) watch.next();
    let isBroken = false;
    faulty.onReady(() => {
      if (isBroken) throw new Error('boom');
    });
    let wakes = 0;
    sound.onReady(() => wakes++);
    isBroken = true;
    wakes = 0;
    expect(() => store.create('pods', makePod('a'))).toThrow('boom');
    expect(wakes).toBe(1);
    expect([texts(sound), texts(faulty)]).toEqual([['ADDED a'], ['ADDED a']]);
  });

  it('is silent once it is stopped', () => {
    const { store } = makeStore();
    const [waiting, behind] = [watchPods(store), watchPods(store)];
    waiting.next();
    let wakes = 0;
    waiting.onReady(() => wakes++);
    store.create('pods', makePod('a'));
    for (const watch of [waiting, behind]) watch.stop();
    store.create('pods', makePod('b'));
    expect([waiting.next(), behind.next(), wakes]).toEqual([undefined, undefined, 1]);
  });

  it('refuses versions that are none, and those to come', () => {
    const { store } = makeStore();
    expect(refusal(() => watchPods(store, { resourceVersion: '-1' })).reason).toBe('BadRequest');
    expect(refusal(() => watchPods(store, { resourceVersion: '99' })).reason).toBe('Timeout');
    expect(refusal(() => watchPods(store, { labelSelector: '=' })).reason).toBe('BadRequest');
  });
});

describe('a history that is too short', () => {
  it('ends a watch that is too slow with one error', () => {
    const { store } = makeStore(2);
    const watch = watchPods(store);
    for (const name of ['a', 'b', 'c']) store.create('pods', makePod(name));
    const [event, ...rest] = drain(watch);
    expect(rest).toEqual([]);
    if (event?.type !== 'ERROR') throw new Error('not an error');
    expect(event.error).toMatchObject({ reason: 'Expired', statusCode: 410 });
    expect(event.error.message).toBe('too old resource version: 5 (6)');
    store.create('pods', makePod('d'));
    expect(watch.next()).toBeUndefined();
  });

  it('ends a watch that begins too late', () => {
    const { store } = makeStore(2);
    const versions = ['a', 'b', 'c', 'd'].map((name) => store.create('pods', makePod(name)).metadata?.resourceVersion);
    const results = versions.map((resourceVersion) =>
      texts(watchPods(store, { resourceVersion: resourceVersion ?? '' })),
    );
    expect(results).toEqual([['ERROR Expired'], ['ADDED c', 'ADDED d'], ['ADDED d'], []]);
  });

  it('is none for a watch that has seen everything that concerns it', () => {
    const { store } = makeStore(2);
    const watch = watchPods(store, { labelSelector: 'app' });
    expect(watch.next()).toBeUndefined();
    for (const name of ['a', 'b', 'c', 'd', 'e']) store.create('pods', makePod(name));
    label(store, 'a', 'web');
    expect(texts(watch)).toEqual(['ADDED a']);
  });
});

describe('bookmarks', () => {
  it('come once a minute, when others have written meanwhile', () => {
    const { store, clock } = makeStore();
    const watch = watchPods(store, { allowBookmarks: true });
    const plain = watchPods(store);
    store.create('nodes', makeNode('n'));
    expect(texts(watch)).toEqual([]);
    clock.advance(60_000);
    expect([texts(watch), texts(plain)]).toEqual([['BOOKMARK 6'], []]);
    clock.advance(60_000);
    expect(texts(watch)).toEqual([]);
    store.create('nodes', makeNode('n2'));
    expect(texts(watch)).toEqual(['BOOKMARK 7']);
    store.create('pods', makePod('a'));
    clock.advance(60_000);
    expect(texts(watch)).toEqual(['ADDED a']);
  });

  it('keep the version of a quiet watch so new that it can be taken up again', () => {
    const { store } = makeStore(16);
    for (const fieldSelector of ['metadata.name=other', 'spec.nodeName=other']) {
      const watch = watchPods(store, { fieldSelector, allowBookmarks: true });
      let lastVersion = store.list('pods').resourceVersion;
      const pull = (): void => {
        for (const event of drain(watch)) if (event.type === 'BOOKMARK') lastVersion = event.resourceVersion;
      };
      watch.onReady(pull);
      for (let i = 0; i < 100; i++) {
        store.create('nodes', makeNode(`${fieldSelector.slice(0, 4)}-${i}`));
        store.create('pods', makePod(`p-${fieldSelector.slice(0, 4)}-${i}`));
        const again = watchPods(store, { resourceVersion: lastVersion });
        expect(texts(again)).not.toContain('ERROR Expired');
      }
    }
  });
});
