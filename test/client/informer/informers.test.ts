import { expect, it } from 'vitest';
import { Informers } from '../../../src/client/informer/informers.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';
import { makeNode } from '../../builders/make-node.ts';

it('catches up with every write of every resource at once, and delivers each once', () => {
  const loop = new VirtualEventLoop();
  const store = new Store({ clock: loop, names: new RandomNames(new Prng(1)) });
  const informers = new Informers(store, { loop, prng: new Prng(2), reportError: () => {} });
  const seen: string[] = [];
  for (const resource of ['nodes', 'namespaces'] as const) {
    informers.of(resource).addHandler({
      onAdd: ({ metadata }) => void seen.push(`add ${metadata?.name}`),
      onUpdate: (_before, { metadata }) => void seen.push(`update ${metadata?.name}`),
      onDelete: ({ metadata }) => void seen.push(`delete ${metadata?.name}`),
    });
  }
  informers.start();
  loop.runUntil(loop.nowMillis() + 1000);
  seen.length = 0;

  store.create('nodes', makeNode('n'));
  store.create('namespaces', { metadata: { name: 'space' } });
  expect(seen).toEqual([]);
  informers.catchUp();
  expect(seen).toEqual(['add n', 'add space']);
  store.delete('nodes', '', 'n');
  informers.catchUp();
  expect(seen).toEqual(['add n', 'add space', 'delete n']);

  store.create('nodes', makeNode('m'));
  loop.runUntil(loop.nowMillis() + 1000);
  informers.catchUp();
  expect(seen.slice(3)).toEqual(['add m']);
  informers.stop();
  store.create('nodes', makeNode('unheard'));
  informers.catchUp();
  expect(seen.slice(4)).toEqual([]);
});
