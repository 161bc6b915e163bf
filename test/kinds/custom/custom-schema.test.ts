import { describe, expect, it } from 'vitest';
import { valuesAt } from '../../../src/kinds/custom/custom-table.ts';
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
