import { describe, expect, it } from 'vitest';
import { BodySyntaxError } from '../../../src/kinds/object/kind-schema.ts';
import { readBody } from '../../../src/kinds/schema/body-reader.ts';

describe('readBody', () => {
  it('lists the paths of keys that are given twice; the last one wins', () => {
    const text = '{"spec":{"replicas":1,"replicas":2},"items":[{"a":1,"a":"x:\\"y\\":"}],"b":{"c":1}}';
    const { value, duplicateKeys } = readBody(text, 'application/json');
    expect(duplicateKeys).toEqual(['spec.replicas', 'items[0].a']);
    expect(value).toEqual({ spec: { replicas: 2 }, items: [{ a: 'x:"y":' }], b: { c: 1 } });
  });

  it.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['not json', "invalid character 'o' in literal null (expecting 'u')"],
    ['{"a":1}x', "invalid character 'x' after top-level value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ])('says of %j what Go says', (text, message) => {
    expect(() => readBody(text, 'application/json')).toThrow(new BodySyntaxError(message));
  });

  it('reads YAML as version 1.1 has it: the bare key y is true, dates are text', () => {
    const { value } = readBody('y: 1\nwhen: 2024-05-01\non: "x"\n', 'application/yaml');
    expect(value).toEqual({ true: 'x', when: '2024-05-01' });
  });

  it.each([
    [
      'a: 1\nb:\n  c: 1\n  c: 2\na:\n  - x\n',
      ['line 4: key "c" already set in map', 'line 6: key "a" already set in map'],
    ],
    ['{"a":1,\n"a":2}', ['line 2: key "a" already set in map']],
    ['1: a\n1: b\n', ['line 2: key 1 already set in map']],
  ])('names the lines of keys that YAML %j gives twice', (text, lines) => {
    expect(readBody(text, 'application/yaml').duplicateLines).toEqual(lines);
  });

  it('says of broken JSON what YAML is wrong with', () => {
    const message = 'yaml: line 1: did not find expected node content';
    expect(() => readBody('{"a":', 'application/yaml')).toThrow(new BodySyntaxError(message));
  });

  it('reads the first document of several, as Go does', () => {
    expect(readBody('a: 1\n---\nb: [\n', 'application/yaml').value).toEqual({ a: 1 });
  });

  it('reads aliases', () => {
    expect(readBody('a: &x [1, 2]\nb: *x\n', 'application/yaml').value).toEqual({ a: [1, 2], b: [1, 2] });
  });

  it.each([
    ['an unknown alias', 'a: *b\n', "yaml: unknown anchor 'b' referenced"],
    ['a list in itself', 'a: &b [*b]\n', "yaml: anchor 'b' value contains itself"],
    ['an object in itself', 'a: &b\n  c: {d: *b}\n', "yaml: anchor 'b' value contains itself"],
    ['what would be large', doubled(30), 'yaml: document contains excessive aliasing'],
    ['nested lists', '['.repeat(50_000), 'yaml: exceeded max depth'],
    ['nested items', '- '.repeat(50_000), 'yaml: exceeded max depth'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readBody(text, 'application/yaml')).toThrow(new BodySyntaxError(message));
  });
});

/** Lists of which each has the one before twice. */
function doubled(times: number): string {
  return Array.from({ length: times }, (_, i) => `a${i}: &a${i} ${i === 0 ? '[1]' : `[*a${i - 1}, *a${i - 1}]`}`).join(
    '\n',
  );
}
