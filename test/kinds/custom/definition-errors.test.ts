import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const definitions = new KindSchemas().builtIn('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')!;

function problems(root: JsonObject, version: JsonObject = {}, spec: JsonObject = {}): string[] {
  const { object } = definitions.decode({
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: root }, ...version }],
      ...spec,
    },
    status: { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] },
  });
  return definitions.validate(object, []).map(({ field, message }) => `${field}: ${message}`);
}

const SCHEMA = 'spec.validation.openAPIV3Schema';
const withSpec = (spec: JsonObject): JsonObject => ({ type: 'object', properties: { spec } });

const CONTRIBUTED = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
const TOTAL = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';

describe('a definition', () => {
  it('may be as it should', () => {
    const rule = { rule: 'self.size < 9 || self.tags.exists(tag, tag == "big")' };
    const spec = {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        tags: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 8 } },
      },
      'x-kubernetes-validations': [rule],
    };
    expect(problems(withSpec(spec))).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ['the type at the root', { type: 'string' }, `${SCHEMA}.type: Invalid value: "string": must be object at the root`],
    [
      'a part without a type',
      withSpec({}),
      `${SCHEMA}.properties[spec].type: Required value: must not be empty for specified object fields`,
    ],
    [
      'a reference',
      withSpec({ type: 'string', $ref: '#/x' }),
      `${SCHEMA}.properties[spec].$ref: Forbidden: $ref is not supported`,
    ],
    [
      'a default of another type',
      withSpec({ type: 'string', default: 5 }),
      `${SCHEMA}.properties[spec].default: Invalid value: "integer":  in body must be of type string: "integer"`,
    ],
    [
      'a list of keys that items lack',
      withSpec({
        type: 'array',
        items: { type: 'object', properties: {} },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      }),
      `${SCHEMA}.properties[spec].x-kubernetes-list-map-keys: Invalid value: ["name"]: ` +
        'entries must all be names of item properties',
    ],
    [
      'a pattern',
      withSpec({ type: 'string', pattern: '(' }),
      `${SCHEMA}.properties[spec].pattern: Invalid value: "(": must be a valid regular expression, but isn't: ` +
        'error parsing regexp: missing closing ): `(`',
    ],
    [
      'a type inside of anyOf',
      withSpec({ type: 'string', anyOf: [{ type: 'string' }] }),
      `${SCHEMA}.properties[spec].anyOf[0].type: Forbidden: must be empty to be structural`,
    ],
  ])('is refused for %s', (_, root, problem) => {
    expect(problems(root)).toEqual([problem]);
  });

  it('is refused for rules that do not compile, and for those that may cost too much', () => {
    const [unknown = ''] = problems({ type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nope > 1' }] });
    expect(unknown).toBe(
      `${SCHEMA}.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.nope \\u003e 1","Message":"",` +
        '"MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ' +
        "ERROR: <input>:1:5: undefined field 'nope'\n | self.nope > 1\n | ....^",
    );
    const list = { type: 'array', items: { type: 'string' } };
    const rule = { rule: 'self.all(a, self.all(b, a == b))' };
    const [costly = '', ...whole] = problems(withSpec({ ...list, 'x-kubernetes-validations': [rule] }));
    expect(costly).toContain('estimated rule cost exceeds budget by factor of more than 100x');
    expect(whole).toEqual([
      `${SCHEMA}.properties[spec].x-kubernetes-validations[0].rule: Forbidden: ${CONTRIBUTED}`,
      expect.stringContaining(`${SCHEMA}: Forbidden: ${TOTAL} exceeds budget by factor of more than 100x (try `),
    ]);
  });

  it('is refused for rules that may cost too much together, and names the most expensive four', () => {
    const rules = [{ rule: "self.all(x, x.contains('gpu'))" }];
    const list = (maxItems: number): JsonObject => ({
      ...{ type: 'array', maxItems, items: { type: 'string', maxLength: 64 } },
      'x-kubernetes-validations': rules,
    });
    const withLists = (count: number): JsonObject => {
      const lists = Array.from({ length: count }, (_, i) => [`p${i}`, list(200_000 + i * 1000)]);
      return withSpec({ type: 'object', properties: Object.fromEntries(lists) });
    };
    expect(problems(withLists(15))).toEqual([]);
    const names = [24, 23, 22, 21].map((i) => `${SCHEMA}.properties[spec].properties[p${i}]`);
    expect(problems(withLists(25))).toEqual([
      ...names.map((name) => `${name}.x-kubernetes-validations[0].rule: Forbidden: ${CONTRIBUTED}`),
      expect.stringContaining(`${SCHEMA}: Forbidden: ${TOTAL} exceeds budget by factor of`),
    ]);
  });

  // Measured with apiextensions-apiserver 0.36: the most elements that are accepted for a length of texts.
  it.each([
    [16, 909_090],
    [63, 333_333],
    [253, 94_339],
    [1024, 24_154],
  ])('allows as many elements as upstream where texts have at most %d characters', (maxLength, most) => {
    const rules = [{ rule: "self.all(x, x.contains('gpu'))" }];
    const problemsOf = (maxItems: number): string[] =>
      problems(
        withSpec({
          ...{ type: 'array', maxItems, items: { type: 'string', maxLength } },
          'x-kubernetes-validations': rules,
        }),
      );
    expect(problemsOf(most)).toEqual([]);
    expect(problemsOf(most + 1)).toHaveLength(1);
  });

  it('has one value at a time in messages, however many there may be', () => {
    const rule = { rule: 'self.size() < 9', messageExpression: '"too long: " + self' };
    const item = { type: 'string', maxLength: 1000, 'x-kubernetes-validations': [rule] };
    expect(problems(withSpec({ type: 'array', maxItems: 50_000, items: item }))).toEqual([]);
  });

  it('names what all versions share once, and what differs by its version', () => {
    const odd = { additionalPrinterColumns: [{ name: 'x', type: 'odd', jsonPath: '.a' }] };
    const why = 'Invalid value: "odd": must be one of boolean,date,integer,number,string';
    expect(problems({ type: 'object' }, odd)).toEqual([`spec.additionalPrinterColumns[0].type: ${why}`]);
    const version = (name: string, more: JsonObject): JsonObject => ({
      ...{ name, served: true, storage: name === 'v1', schema: { openAPIV3Schema: { type: 'object' } } },
      ...more,
    });
    const versions = [version('v1', {}), version('v2', odd)];
    expect(problems({}, {}, { versions })).toEqual([`spec.versions[1].additionalPrinterColumns[0].type: ${why}`]);
  });
});
