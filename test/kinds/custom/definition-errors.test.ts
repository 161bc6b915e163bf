import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../src/kinds/object/json.ts';
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

  const LABEL = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with";

  it.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'versions of one name',
      {},
      {
        versions: ['v1', 'v1'].map((name) => ({
          ...{ name, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        })),
      },
      ['must contain unique version names', 'must have exactly one version marked as storage version'],
    ],
    ['a warning without deprecation', { deprecationWarning: 'x' }, {}, ['can only be set for deprecated versions']],
    [
      'an empty warning',
      { deprecated: true, deprecationWarning: '' },
      {},
      ['spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'],
    ],
    [
      'control characters in a warning',
      { deprecated: true, deprecationWarning: 'ab\n' },
      {},
      ['must only contain printable UTF-8 characters; non-printable character found at index 2'],
    ],
    [
      'fields that nothing can be selected by',
      {
        selectableFields: ['', '.spec.nope', '.metadata.name', '.spec', '.spec.s', '.spec.s'].map((jsonPath) => ({
          jsonPath,
        })),
      },
      {},
      [
        'spec.selectableFields[0].jsonPath: Required value',
        'Fields[1].jsonPath: Invalid value: ".spec.nope": is an invalid path: does not refer to a valid field',
        'spec.selectableFields[2].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata',
        'Fields[3].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer.',
        'spec.selectableFields[5].jsonPath: Duplicate value: ".spec.s"',
      ],
    ],
    [
      'names that are missing',
      {},
      { names: { plural: 'things', kind: '', listKind: '', singular: 'X' } },
      [
        'spec.names.kind: Required value',
        'spec.names.listKind: Required value',
        `spec.names.singular: Invalid value: "X": ${LABEL}`,
      ],
    ],
    [
      'a conversion without a client',
      {},
      {
        conversion: { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions: ['v9', 'v9', 'V'] } },
      },
      [
        'spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required',
        'spec.conversion.conversionReviewVersions[1]: Invalid value: "v9": duplicate version',
        `spec.conversion.conversionReviewVersions[2]: Invalid value: "V": ${LABEL}`,
        'conversionReviewVersions: Invalid value: ["v9","v9","V"]: must include at least one of v1, v1beta1',
      ],
    ],
    [
      'a webhook of no conversion',
      {},
      { conversion: { strategy: 'None', webhook: { clientConfig: { url: 'x' }, conversionReviewVersions: ['v1'] } } },
      [
        'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
        'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
      ],
    ],
  ])('is refused for %s', (_, version, spec, expected) => {
    const properties = { metadata: { type: 'object', properties: { name: { type: 'string' } } } };
    const root = {
      type: 'object',
      properties: { ...properties, spec: { type: 'object', properties: { s: { type: 'string' } } } },
    };
    expect(problems(root, version, spec)).toEqual(expected.map((text) => expect.stringContaining(text)));
  });

  it('is refused for a schema that is not structural before other problems of it', () => {
    const part = { type: 'array', uniqueItems: true, 'x-kubernetes-list-type': 'set' };
    expect(problems(withSpec(part))).toEqual([
      `${SCHEMA}.properties[spec].items: Required value: must be specified`,
      expect.stringContaining(`${SCHEMA}.properties[spec].uniqueItems: Forbidden`),
    ]);
    const set = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', nullable: true } };
    expect(problems(withSpec(set))).toEqual([
      `${SCHEMA}.properties[spec].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set`,
    ]);
  });

  it('must keep the versions that objects may be stored in', () => {
    const of = (name: string, storedVersions: string[]): ApiObject => {
      const version = { name, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
      const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
      return {
        metadata: { name: 'things.example.com' },
        spec: { group: 'example.com', scope: 'Cluster', names, versions: [version] },
        status: { storedVersions },
      } as unknown as ApiObject;
    };
    const context = { subresource: '', metadataErrors: [] };
    const found = definitions.validateUpdate(of('v2', ['v1', 'v2']), of('v1', ['v1']), context);
    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      expect.stringContaining('status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was'),
    ]);
  });

  it('is accompanied by a warning about formats that nobody knows, at an update about new ones', () => {
    const of = (...formats: string[]): ApiObject => {
      const parts = formats.map((format, i) => [`p${i}`, { type: 'string', format }]);
      const openAPIV3Schema = {
        type: 'object',
        properties: { ...Object.fromEntries(parts), n: { type: 'integer', format: 'odd' } },
      };
      return { spec: { versions: [{ schema: { openAPIV3Schema } }] } } as unknown as ApiObject;
    };
    expect(definitions.warnings(of('uuid', 'date-time', 'nope'), undefined)).toEqual(['unrecognized format "nope"']);
    expect(definitions.warnings(of('nope', 'new'), of('nope'))).toEqual(['unrecognized format "new"']);
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
