import { describe, expect, test } from 'vitest';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { badRequest, notFound } from '../../../src/store/objects/api-error.ts';
import { findObject } from '../../../src/store/objects/find-object.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';

const store = new Store({ clock: new VirtualEventLoop(), names: new RandomNames(new Prng(1)) });

describe('findObject', () => {
  test('is the object, or undefined, from a client with find and from one without', () => {
    const without = { get: store.get.bind(store) };
    for (const client of [store, without]) {
      expect(findObject(client, 'namespaces', '', 'default')).toBe(store.get('namespaces', '', 'default'));
      expect(findObject(client, 'namespaces', '', 'other')).toBeUndefined();
      expect(() => findObject(client, 'nothing' as 'pods', '', 'other')).toThrow('unknown resource "nothing"');
    }
    expect(() => store.get('namespaces', '', 'other')).toThrow(notFound('namespaces', 'other').message);
  });

  test('passes other refusals on', () => {
    const get = (): never => {
      throw badRequest('no');
    };
    expect(() => findObject({ get }, 'pods', 'default', 'p')).toThrow('no');
  });
});
