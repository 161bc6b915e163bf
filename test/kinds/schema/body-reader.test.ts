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
});
