import { describe, expect, it } from 'vitest';
import { valuesAt } from '../../../src/kinds/custom/custom-table.ts';
import { schemaErrors } from '../../../src/kinds/custom/schema-errors.ts';
import type { ApiObject, JsonObject } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const spec: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10 },
    color: { type: 'string', default: 'red', enum: ['red', 'blue'] },
    opt: { type: 'object', default: {}, properties: { deep: { type: 'boolean', default: true } } },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3, 'x-kubernetes-list-type': 'set' },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  'x-kubernetes-validations': [{ rule: "self.size < 9 || self.color == 'blue'", message: 'big ones are blue' }],
};
const version = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
};
const definition = {
  spec: { group: 'example.com', names: { kind: 'Thing' }, versions: [version] },
} as unknown as ApiObject;
const schema = new KindSchemas().custom(definition).get('v1')!;

function read(value: JsonObject): { readonly object: ApiObject; readonly problems: readonly string[] } {
  const { object, strictProblems } = schema.decode({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
    spec: value,
  });
  schema.setDefaults(object);
  return { object, problems: strictProblems };
}

function errors(value: JsonObject): string[] {
  return schema.validate(read(value).object, []).map(({ field, message }) => `${field}: ${message}`);
}

describe('a custom kind', () => {
  it('is pruned and defaulted, also within defaults', () => {
    const { object, problems } = read({ size: 1, zip: 1, opt: { zap: 1 }, any: { x: [1] } });
    expect(object['spec']).toEqual({ size: 1, color: 'red', opt: { deep: true }, any: { x: [1] } });
    expect(problems).toEqual(['unknown field "spec.opt.zap"', 'unknown field "spec.zip"']);
  });

  it('is checked by its schema and its rules', () => {
    expect(errors({ size: 9 })).toEqual(['spec: Invalid value: big ones are blue']);
    expect(errors({ size: 9, color: 'blue' })).toEqual([]);
    expect(errors({ size: 1, tags: ['a', 'a'] })).toEqual(['spec.tags[1]: Duplicate value: "a"']);
    expect(errors({ size: 11, color: 'blue' })).toEqual([
      'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    ]);
    const [first, second] = errors({});
    expect(first).toBe('spec.size: Required value');
    expect(second).toContain('<nil>: Invalid value: null: some validation rules were not checked');
  });

  it('has no nulls where its schema has none, and defaults in their place', () => {
    expect(read({ size: 1, color: null, opt: null, tags: null, any: { x: null } }).object['spec']).toEqual({
      ...{ size: 1, color: 'red', opt: { deep: true } },
      any: { x: null },
    });
    expect(errors({ size: 1, tags: [null] })[0]).toContain('spec.tags[0] in body must be of type string: "null"');
  });

  it('is checked in the order of the checks of upstream', () => {
    expect(errors({ size: 1, color: 5 }).slice(0, 2)).toEqual([
      'spec.color: Invalid value: "integer": spec.color in body must be of type string: "integer"',
      'spec.color: Unsupported value: 5: supported values: "red", "blue"',
    ]);
    const choices = (part: JsonObject): string[] =>
      schemaErrors({ b: 1 }, part, 'x').map(({ field, message }) => `${field}: ${message}`);
    const [a, b] = [{ required: ['a'] }, { required: ['b'] }];
    const missing = 'x.a: Required value';
    const all = '<nil>: Invalid value: "": "x" must validate all the schemas (allOf)';
    expect(choices({ allOf: [a, b] })).toEqual([missing, all]);
    expect(choices({ allOf: [a] })).toEqual([missing, `${all}. None validated`]);
    const none = '<nil>: Invalid value: "": "x" must validate one and only one schema (oneOf). Found none valid';
    expect(choices({ oneOf: [a, a] })).toEqual([none, missing]);
    const any = '<nil>: Invalid value: "": "x" must validate at least one schema (anyOf)';
    expect(choices({ anyOf: [a] })).toEqual([any, missing]);
    expect(choices({ anyOf: [a, b], oneOf: [a, b] })).toEqual([]);
    const text = schemaErrors('TOO LONG', { type: 'string', maxLength: 3, pattern: '^[a-z]$' }, 'x');
    expect(text.map(({ message }) => message)).toEqual(['Too long: may not be more than 3 bytes']);
  });

  it('keeps what was wrong before, as long as it is left as it was', () => {
    const old = { ...read({ size: 9, tags: ['a', 'a'], any: {} }).object, kind: 'Thing' } as ApiObject;
    const update = (value: object): string[] => {
      const object = { ...old, spec: { ...(old['spec'] as object), ...value } } as ApiObject;
      const found = schema.validateUpdate(object, old, { subresource: '', metadataErrors: [] });
      return found.map(({ field, message }) => `${field}: ${message}`);
    };
    expect(update({})).toEqual([]);
    expect(update({ any: { x: 1 } })).toEqual(['spec: Invalid value: big ones are blue']);
    const bad = { ...old, spec: { size: 99, color: 'blue' } } as ApiObject;
    const object = { ...bad, spec: { size: 99, color: 'red' } } as ApiObject;
    const found = schema.validateUpdate(object, bad, { subresource: '', metadataErrors: [] });
    expect(found.map(({ message }) => message)).toEqual(['Invalid value: big ones are blue']);
  });

  it('has the columns of its definition', () => {
    expect(schema.table.columns.map(({ name }) => name)).toEqual(['Name', 'Size']);
    expect(schema.table.row(read({ size: 4 }).object, 0).cells).toEqual(['a', 4]);
  });

  it('is merged by server-side apply as its lists say', () => {
    const how = { force: false, subresource: '', now: '2024-05-01T12:00:00Z' };
    const thing = (tags: string[]): ApiObject => ({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a' },
      spec: { tags },
    });
    const first = schema.fields.apply(undefined, thing(['x']), { ...how, manager: 'm1' });
    const second = schema.fields.apply(first, thing(['y']), { ...how, manager: 'm2' });
    expect(second['spec']).toEqual({ tags: ['x', 'y'] });
  });
});

describe('valuesAt', () => {
  it('follows simple paths', () => {
    const object = {
      a: [
        { n: 'x', v: 1 },
        { n: 'y', v: 2 },
      ],
      'b.c': { d: 3 },
    };
    expect(valuesAt(object, '.a[1].v')).toEqual([2]);
    expect(valuesAt(object, '.a[*].v')).toEqual([1, 2]);
    expect(valuesAt(object, '.a[?(@.n=="y")].v')).toEqual([2]);
    expect(valuesAt(object, '.b\\.c.d')).toEqual([3]);
    expect(valuesAt(object, '.nope')).toEqual([]);
  });
});
