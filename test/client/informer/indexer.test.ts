import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLabelSelector, type Selector, selectorFromSet } from '../../../src/api/label-selector.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';

interface Thing {
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
  };
}

function thing(name: string, labels: Readonly<Record<string, string>> = {}, namespace = 'default'): Thing {
  return { metadata: { namespace, name, labels } };
}

const byApp = ({ metadata }: Thing): string[] => (metadata.labels['app'] === undefined ? [] : [metadata.labels['app']]);
/** Indexes every key and value of the labels: an object has many values. */
const byWord = ({ metadata }: Thing): string[] => [...new Set(Object.entries(metadata.labels).flat())];

describe('Indexer', () => {
  it('finds objects by name, in all namespaces and without one', () => {
    const indexer = new Indexer<Thing>();
    const [pod, other, node] = [thing('a'), thing('a', {}, 'kube-system'), thing('a', {}, '')];
    for (const object of [pod, other, node]) indexer.set(object);
    expect([indexer.get('default', 'a'), indexer.get('kube-system', 'a'), indexer.get('', 'a')]).toEqual([
      pod,
      other,
      node,
    ]);
    expect([indexer.getByKey('a'), indexer.getByKey('default/a'), indexer.get('default', 'b')]).toEqual([
      node,
      pod,
      undefined,
    ]);
    expect(indexer.list()).toHaveLength(3);
  });

  it('lists by labels and by namespace', () => {
    const indexer = new Indexer<Thing>();
    for (const namespace of ['default', 'other']) {
      indexer.set(thing('a', { app: 'web' }, namespace));
      indexer.set(thing('b', { app: 'db' }, namespace));
    }
    const keys = (things: readonly Thing[]): string[] =>
      things.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    const db = selectorFromSet({ app: 'db' });
    const notDb = compileLabelSelector({ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] });
    expect(keys(indexer.list())).toEqual(['default/a', 'default/b', 'other/a', 'other/b']);
    expect(keys(indexer.list(db))).toEqual(['default/b', 'other/b']);
    expect(keys(indexer.inNamespace('other').list())).toEqual(['other/a', 'other/b']);
    expect(keys(indexer.inNamespace('other').list(notDb as Selector))).toEqual(['other/a']);
    expect(indexer.inNamespace('other').get('b')).toBe(indexer.get('other', 'b'));
    expect(indexer.inNamespace('none').list()).toEqual([]);
  });

  it('hands out lists that later changes leave alone', () => {
    const indexer = new Indexer<Thing>();
    indexer.addIndex('app', byApp);
    indexer.set(thing('a', { app: 'web' }));
    const [all, web] = [indexer.list(), indexer.byIndex('app', 'web')];
    indexer.set(thing('b', { app: 'web' }));
    indexer.delete('default/a');
    expect([all.length, web.length, all[0]?.metadata.name, web[0]?.metadata.name]).toEqual([1, 1, 'a', 'a']);
    expect(indexer.list()).toBe(indexer.list());
  });

  it('fills an index that comes late, and knows no two of one name, and none that was not given', () => {
    const indexer = new Indexer<Thing>();
    indexer.set(thing('a', { app: 'web' }));
    indexer.addIndex('app', byApp);
    expect(indexer.byIndex('app', 'web').length).toBe(1);
    indexer.addIndex('app', byApp);
    expect(() => indexer.addIndex('app', byWord)).toThrow('another index app exists already');
    expect(() => indexer.byIndex('word', 'x')).toThrow('there is no index word');
  });

  it('answers as a search through all objects, after any changes', () => {
    const word = fc.constantFrom('app', 'web', 'db', 'zone');
    const object = fc
      .tuple(
        fc.constantFrom('a', 'b', 'c', 'd'),
        fc.constantFrom('n1', 'n2'),
        fc.dictionary(word, word, { maxKeys: 3 }),
      )
      .map(([name, namespace, labels]) => thing(name, labels, namespace));
    const step = fc.record({ object, isDelete: fc.boolean(), asksNamespace: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, indexAt) => {
        const indexer = new Indexer<Thing>();
        const model = new Map<string, Thing>();
        indexer.addIndex('word', byWord);
        for (const [index, { object, isDelete, asksNamespace }] of steps.entries()) {
          if (index === indexAt) indexer.addIndex('late', byWord);
          if (asksNamespace) indexer.inNamespace('n1').list();
          const key = `${object.metadata.namespace}/${object.metadata.name}`;
          expect(indexer.get(object.metadata.namespace ?? '', object.metadata.name)).toBe(model.get(key));
          if (isDelete) {
            if (asksNamespace) indexer.remove(object);
            else indexer.delete(key);
            model.delete(key);
          } else {
            indexer.set(object);
            model.set(key, object);
          }
        }
        const all = [...model.values()];
        const sorted = (things: readonly Thing[]): Thing[] =>
          things.toSorted((a, b) => all.indexOf(a) - all.indexOf(b));
        expect(indexer.list()).toEqual(all);
        for (const namespace of ['n1', 'n2']) {
          const expected = all.filter(({ metadata }) => metadata.namespace === namespace);
          expect(sorted(indexer.inNamespace(namespace).list())).toEqual(expected);
        }
        for (const name of indexAt < steps.length ? ['word', 'late'] : ['word']) {
          for (const value of ['app', 'web', 'db', 'zone']) {
            const expected = all.filter((object) => byWord(object).includes(value));
            expect(sorted(indexer.byIndex(name, value))).toEqual(expected);
          }
        }
      }),
    );
  });
});
