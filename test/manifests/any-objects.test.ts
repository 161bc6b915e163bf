import { describe, expect, it } from 'vitest';
import { readAnyObjects } from '../../src/manifests/any-objects.ts';
import { FieldWarnings } from '../../src/manifests/field-warnings.ts';
import { textSource } from './text-source.ts';

async function read(text: string, mode: 'warn' | 'strict' = 'warn') {
  const fields = new FieldWarnings(mode);
  const objects = await readAnyObjects(['f'], textSource({ f: text }), {}, fields);
  return { objects, warnings: fields.texts() };
}

const map = (i: number, more = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `m${i}` }, ...more });

describe('readAnyObjects', () => {
  it('reads objects of any kind, those of lists one by one', async () => {
    const custom = { apiVersion: 'example.com/v1', kind: 'Website', metadata: { name: 'w' }, spec: { any: 1 } };
    const list = { apiVersion: 'v1', kind: 'List', items: [map(1), custom] };
    const typed = { apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'm2' } }] };
    const { objects } = await read([map(0), list, typed].map((each) => JSON.stringify(each)).join('\n'));
    expect(objects).toEqual([map(0), map(1), custom, map(2)]);
  });

  it('reads lists of any size, also when only their rest says what the items are', async () => {
    const items = Array.from({ length: 2000 }, (_, i) => map(i, { data: { x: 'x'.repeat(1000) } }));
    const nameless = items.map(({ kind: _, apiVersion: __, ...item }) => item);
    const { objects } = await read(JSON.stringify({ items: nameless, kind: 'ConfigMapList', apiVersion: 'v1' }));
    expect(objects).toEqual(items);
  });

  it('names unknown fields of the kinds that are known', async () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { nodeSelektor: {} } };
    expect((await read(JSON.stringify(pod))).warnings).toEqual(['unknown field "spec.nodeSelektor" (Pod p)']);
    await expect(read(JSON.stringify(pod), 'strict')).rejects.toThrow('f: Pod p: unknown field "spec.nodeSelektor"');
  });

  it.each([
    ['kind: ConfigMap\nmetadata: {name: a}\n', 'f: line 1: apiVersion: is required'],
    ['[1]', 'f: line 1: must be an object with apiVersion and kind, not a list'],
    ['{"kind":"List","items":[{"apiVersion":"v1"}]}', 'f: items[0]: kind: is required'],
    ['', 'f: holds no Kubernetes object'],
    ['{"kind":"List","items":[{"kind":"List","items":[{}]}]}', 'f: items[0].items[0]: kind: is required'],
    ['kind: List\nitems: &a\n- kind: List\n  items: *a\n', 'f: is nested too deeply'],
  ])('refuses %j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});
