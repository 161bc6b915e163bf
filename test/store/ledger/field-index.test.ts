import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { Collection } from '../../../src/store/ledger/collection.ts';
import { FieldIndex } from '../../../src/store/ledger/field-index.ts';
import { isBelow, keyOf } from '../../../src/store/ledger/object-key.ts';

const PATH = ['spec', 'nodeName'];
const NODES = ['a', 'b', ''] as const;

function podOn(nodeName: string | undefined, namespace: string, name: string): Pod {
  return { metadata: { namespace, name }, ...(nodeName === undefined ? {} : { spec: { nodeName } as Pod['spec'] }) };
}

describe('FieldIndex', () => {
  it('finds keys by the value of the field, in order, but no empty value', () => {
    const index = new FieldIndex(PATH, [podOn('a', 'x', 'q'), podOn('a', 'x', 'p'), podOn('a', 'w', 'r')]);
    index.wrote(undefined, podOn(undefined, 'x', 'free'));
    index.wrote(undefined, podOn('', 'x', 'empty'));
    expect(index.keysOf('a').map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(['w/r', 'x/p', 'x/q']);
    expect(index.keysOf('')).toEqual([]);
    expect(index.keysOf('b')).toEqual([]);
  });

  it('forgets what is gone or elsewhere', () => {
    const [before, after] = [podOn('a', 'x', 'p'), podOn('b', 'x', 'p')];
    const index = new FieldIndex(PATH, [before]);
    index.wrote(before, after);
    expect([index.keysOf('a').length, index.keysOf('b').length]).toEqual([0, 1]);
    index.wrote(after, undefined);
    expect(index.keysOf('b')).toEqual([]);
  });
});

describe('a collection with an indexed field', () => {
  it('finds what a look at all of its objects finds, whatever is written before and after it is first asked', () => {
    const op = fc.record({
      verb: fc.constantFrom('put', 'put', 'delete', 'ask', 'clear'),
      namespace: fc.constantFrom('x', 'y'),
      name: fc.constantFrom('p', 'q', 'r'),
      node: fc.constantFrom(...NODES, undefined),
    });
    fc.assert(
      fc.property(fc.array(op, { maxLength: 30 }), (script) => {
        const collection = new Collection<Pod>(PATH);
        for (const { verb, namespace, name, node } of script) {
          const pod = podOn(node, namespace, name);
          if (verb === 'clear') collection.clear();
          else if (verb === 'delete') collection.delete(namespace, name);
          else if (verb === 'ask') expect(collection.withIndexed(node)).toEqual(expected(collection, node));
          else if (!collection.add(namespace, name, pod)) collection.replace(namespace, name, pod);
        }
        for (const node of NODES) expect(collection.withIndexed(node)).toEqual(expected(collection, node));
      }),
    );
  });

  it('says that it cannot tell without an index', () => {
    expect(new Collection<Pod>().withIndexed('a')).toBeNull();
  });
});

/** null: objects without a value are not indexed. */
function expected(collection: Collection<Pod>, node: string | undefined): readonly Pod[] | null {
  if (!node) return null;
  return [...collection.values()]
    .filter(({ spec }) => spec?.nodeName === node)
    .sort((a, b) => (isBelow(keyOf(a), keyOf(b)) ? -1 : 1));
}
