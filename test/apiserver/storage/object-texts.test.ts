import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObjectTexts } from '../../../src/apiserver/storage/object-texts.ts';
import type { ApiResource } from '../../../src/kinds/object/api-resource.ts';
import type { ApiObject } from '../../../src/kinds/object/json.ts';

const PODS = { group: '', version: 'v1', resource: 'pods', kind: 'Pod', isCustom: false } as ApiResource;
const CUSTOM = { group: 'example.com', version: 'v1', resource: 'tests', kind: 'Test', isCustom: true } as ApiResource;

const headOrders = fc.constantFrom(
  ['kind', 'apiVersion', 'metadata', 'spec'],
  ['metadata', 'kind', 'spec', 'apiVersion'],
  [...['apiVersion', 'kind', 'metadata', 'spec']],
);

function objectOf(resource: ApiResource, order: readonly string[], spec: unknown): ApiObject {
  const { kind, group, version } = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const members: Record<string, unknown> = { kind, apiVersion, metadata: { name: 'a' }, spec };
  return Object.fromEntries(order.map((name) => [name, members[name]])) as ApiObject;
}

describe('the texts of objects', () => {
  it('property: head and tail are the text of the object, and an item of a list has no kind if it is built in', () => {
    fc.assert(
      fc.property(fc.constantFrom(PODS, CUSTOM), headOrders, fc.jsonValue(), (resource, order, spec) => {
        const texts = new ObjectTexts(resource);
        const object = objectOf(resource, order, spec);
        const tail = texts.tailOf(object, () => object);
        expect(JSON.parse(texts.head + tail)).toEqual(JSON.parse(JSON.stringify(object)));
        const { kind: _, apiVersion: __, ...rest } = object;
        const item: unknown = JSON.parse(texts.itemHead + tail);
        expect(item).toEqual(JSON.parse(JSON.stringify(resource.isCustom ? object : rest)));
      }),
    );
  });

  it('writes an object once, until too much else is kept', () => {
    const texts = new ObjectTexts(PODS, 200);
    const object = objectOf(PODS, ['kind', 'apiVersion', 'metadata', 'spec'], { nodeName: 'n' });
    let count = 0;
    const tail = (): string =>
      texts.tailOf(object, () => {
        count++;
        return object;
      });
    expect([tail(), tail()]).toEqual([tail(), '"metadata":{"name":"a"},"spec":{"nodeName":"n"}}']);
    expect(count).toBe(1);
    for (let i = 0; i < 10; i++) texts.tailOf({}, () => object);
    tail();
    expect(count).toBe(2);
  });
});
