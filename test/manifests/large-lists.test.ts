import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { KINDS } from '../../src/api/kinds.ts';
import { Expander } from '../../src/manifests/expand.ts';
import { LeftOut } from '../../src/manifests/left-out.ts';
import { readManifests } from '../../src/manifests/read.ts';
import { StreamDecoder } from '../../src/manifests/stream-decoder.ts';
import { jsonList, yamlList } from '../dump/kubectl-text.ts';
import { liveObjects } from '../dump/live-objects.ts';
import { textSource } from './text-source.ts';

interface Cuts {
  /** The sizes of the chunks, over and over. */
  readonly chunks: readonly number[];
  readonly wholeMaxBytes: number;
}

/** The objects in a text that comes in chunks, or the message of the error. */
function objectsIn(text: string, file: string, { chunks, wholeMaxBytes }: Cuts): unknown {
  const decoder = new StreamDecoder(file, wholeMaxBytes);
  const leftOut = new LeftOut();
  const expander = new Expander(file, KINDS, leftOut);
  const found: unknown[] = [];
  const bytes = Buffer.from(text);
  const take = (documents: ReturnType<StreamDecoder['end']>) => {
    for (const document of documents)
      for (const { kind, value } of expander.expand(document)) found.push([kind, value]);
  };
  try {
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const size = chunks[i % chunks.length] as number;
      take(decoder.push(bytes.subarray(at, at + size)));
      at += size;
    }
    take(decoder.end());
  } catch (error) {
    return (error as Error).message;
  }
  return { found, leftOut: leftOut.text() };
}

const WHOLE: Cuts = { chunks: [1e9], wholeMaxBytes: 1e9 };
const cuts = fc.record({
  chunks: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }),
  wholeMaxBytes: fc.constantFrom(0, 40, 400),
});
const word = fc.constantFrom(
  'a',
  'items',
  'kind',
  'é"',
  'x: y',
  '# no',
  '- a',
  '---',
  '{',
  '}',
  ',',
  '\n',
  "it's",
  '"items":[',
  '\\',
);
const item = fc.record(
  {
    kind: fc.constantFrom('Pod', 'Node', 'Lease', 'PodList'),
    items: fc.array(fc.record({ kind: fc.constant('Pod') }), { maxLength: 2 }),
    metadata: fc.dictionary(word, word, { maxKeys: 3 }),
    list: fc.array(word, { maxLength: 3 }),
  },
  { requiredKeys: ['kind', 'items'] },
);
const list = fc
  .record({ items: fc.array(item, { maxLength: 6 }), isFirst: fc.boolean(), extra: fc.dictionary(word, word) })
  .map(({ items, isFirst, extra }) => {
    const { kind: _, items: __, ...others } = extra;
    return isFirst ? { kind: 'List', ...others, items } : { ...others, items, kind: 'List' };
  });

describe('a List that is read in parts', () => {
  it('holds the same objects as in one piece, as JSON', () => {
    fc.assert(
      fc.property(
        fc.array(list, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(0, 1, 4),
        cuts,
        (lists, indent, how) => {
          const text = lists.map((each) => JSON.stringify(each, null, indent)).join('\n');
          expect(objectsIn(text, 'a.json', how)).toEqual(objectsIn(text, 'a.json', WHOLE));
          expect(objectsIn(text, 'a.json', WHOLE)).toHaveProperty('found');
        },
      ),
    );
  });

  it('holds the same objects as in one piece, as YAML', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 3 }), fc.boolean(), cuts, (lists, indentSeq, how) => {
        const text = lists.map((each) => stringify(each, { indentSeq })).join('---\n');
        expect(objectsIn(text, 'a.yaml', how)).toEqual(objectsIn(text, 'a.yaml', WHOLE));
        expect(objectsIn(text, 'a.yaml', WHOLE)).toHaveProperty('found');
      }),
    );
  });

  it('takes its items by the kind of the List, also when that comes last', () => {
    const how: Cuts = { chunks: [7], wholeMaxBytes: 10 };
    const pods = { items: [{ metadata: { name: 'a' } }, { kind: 'Pod' }], kind: 'PodList' };
    expect(objectsIn(JSON.stringify(pods), '-', how)).toMatchObject({
      found: [
        ['Pod', { kind: 'Pod' }],
        ['Pod', {}],
      ],
    });
    expect(objectsIn(JSON.stringify({ ...pods, kind: 'NodeList' }), 'x', how)).toBe(
      'x: items[1]: kind: "Pod" does not belong in a NodeList',
    );
    expect(objectsIn(JSON.stringify({ ...pods, kind: 'Pod' }), 'x', how)).toMatch(/items: do not belong in a Pod$/);
    expect(objectsIn(JSON.stringify({ ...pods, kind: 'List' }), 'x', how)).toBe('x: items[0]: kind: is required');
    expect(objectsIn(JSON.stringify({ ...pods, kind: 'LeaseList' }), 'x', how)).toMatchObject({
      leftOut: 'left out 1 object of 1 kind: 1 Lease',
    });
  });

  it('names line and column of an error in an item', () => {
    const text = JSON.stringify({ kind: 'List', items: [{ kind: 'Pod' }, { kind: 'Pod', a: 'HERE' }] }, null, 2);
    for (const how of [WHOLE, { chunks: [5], wholeMaxBytes: 20 }]) {
      expect(objectsIn(text.replace('"HERE"', 'oops'), 'x', how)).toBe(
        'x:9:12: malformed JSON: expected a value, found "o"',
      );
      expect(objectsIn(text.replace('"a"', '"kind"'), 'x', how)).toMatch(
        /^x:9:7: malformed JSON: the key .*kind is there/,
      );
      expect(objectsIn(text.slice(0, -10), 'x', how)).toMatch(/^x:\d+(:\d+)?: malformed JSON: it ends/);
    }
    const yaml = 'kind: List\nitems:\n- kind: Pod\n- kind: [a\n';
    expect(objectsIn(yaml, 'x.yaml', { chunks: [5], wholeMaxBytes: 20 })).toMatch(/^x\.yaml:5:1: malformed YAML: /);
  });
});

describe('duplicate keys of JSON', () => {
  it('are refused with their path, whatever is in the strings', async () => {
    const text = '{"kind":"Pod","metadata":{"name":"a:b \\"x\\":","labels":{"a.b/c":1,"d":2,\n"a.b/c":3}}}';
    expect(objectsIn(text, 'x', WHOLE)).toBe('x:2:1: malformed JSON: the key metadata.labels[a.b/c] is there twice');
    expect(objectsIn('{"kind":"Pod","a":[{},{"b":1,"\\u0062":2}]}', 'x', WHOLE)).toMatch(/the key a\[1\]\.b is there/);
    expect(objectsIn('{"kind":"Pod","a":[{"b":1},{"b":2}]}', 'x', WHOLE)).toHaveProperty('found');
  });

  it('are found wherever they are', () => {
    const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => JSON.stringify(value).includes('":'));
    fc.assert(
      fc.property(json, fc.nat(), (value, where) => {
        const text = JSON.stringify({ kind: 'Pod', value });
        expect(objectsIn(text, 'x', WHOLE)).toHaveProperty('found');
        const keys = [...text.matchAll(/[{,]("(?:[^"\\]|\\.)*"):/g)];
        const at = keys[where % keys.length] as RegExpMatchArray & { readonly index: number };
        // A text in a string may look like a member, too; then nothing is there twice.
        const doubled = `${text.slice(0, at.index + 1)}${at[1]}:0,${text.slice(at.index + 1)}`;
        const isInString = (() => {
          try {
            return JSON.stringify(JSON.parse(doubled)).length === doubled.length;
          } catch {
            return true;
          }
        })();
        if (!isInString) expect(objectsIn(doubled, 'x', WHOLE)).toMatch(/is there twice$/);
      }),
    );
  });
});

describe('a dump of a live cluster', () => {
  const size = { nodes: 40, pods: 400, seed: 7 };
  const json = [...jsonList(liveObjects(size))].join('');
  const yaml = [...yamlList(liveObjects(size))].join('');

  it('is read the same as JSON, YAML, and compressed, without the bookkeeping of the API server', async () => {
    const files = { 'd.json': json, 'd.yaml': yaml, 'd.json.gz': gzipSync(json), '-': gzipSync(yaml) };
    const [first, ...others] = await Promise.all(
      Object.keys(files).map((name) => readManifests([name], textSource(files))),
    );
    for (const other of others) expect(other).toEqual(first);
    expect(first?.warnings).toEqual(['left out 400 objects of 2 kinds: 200 ConfigMap, 200 Ingress']);
    expect(first?.nodes).toHaveLength(40);
    expect(first?.pods).toHaveLength(400);
    expect(JSON.stringify(first)).not.toContain('managedFields');
  });

  it('refuses half of a compressed file in one line', async () => {
    const half = gzipSync(json).subarray(0, 5000);
    await expect(readManifests(['d.gz'], textSource({ 'd.gz': half }))).rejects.toThrow(
      /^d\.gz: damaged gzip data: unexpected end of file$/,
    );
    const damaged = gzipSync(json).fill(0xff, 3000, 3100);
    await expect(readManifests(['d.gz'], textSource({ 'd.gz': damaged }))).rejects.toThrow(
      /^d\.gz: damaged gzip data: /,
    );
  });
});

describe('hostile input', () => {
  const deep = 20_000;

  it('is refused in one line, in a List of any size', () => {
    const inAPod = `{"kind":"Pod","metadata":${'['.repeat(deep)}${']'.repeat(deep)}}`;
    for (const how of [WHOLE, { chunks: [1000], wholeMaxBytes: 10 }]) {
      const lists = `${'{"kind":"List","items":['.repeat(deep)}${']}'.repeat(deep)}`;
      expect(objectsIn(lists, 'x.json', how)).toMatch(
        /^x\.json: items\[0\].*: is nested too deeply, or contains itself$/,
      );
      expect(objectsIn(`${'- '.repeat(deep)}a`, 'x.yaml', how)).toMatch(
        /^x\.yaml:1:\d+: malformed YAML: nested too deeply/,
      );
      expect(objectsIn('kind: List\nitems: &a\n- kind: List\n  items: *a\n', 'x.yaml', how)).toMatch(
        /nested too deeply|Unresolved alias/,
      );
    }
    expect(objectsIn(inAPod, 'x.json', WHOLE)).toHaveProperty('found');
  });

  it('may have a name of five megabytes, of which the message shows the beginning', async () => {
    const text = JSON.stringify({ kind: 'Pod', metadata: { name: 'x'.repeat(5e6) }, spec: { containers: [] } });
    const error = await readManifests(['-'], textSource({ '-': text })).catch((caught: unknown) => caught as Error);
    expect((error as Error).message.length).toBeLessThan(400);
  });
});
