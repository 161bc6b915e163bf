import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/kinds/object/json.ts';
import { StatusError } from '../../../src/kinds/object/status-error.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const schemas = new KindSchemas();
const maps = schemas.builtIn('', 'v1', 'ConfigMap')!.fields;
const deployments = schemas.builtIn('apps', 'v1', 'Deployment')!.fields;
const NOW = '2024-05-01T12:00:00Z';

function map(data: Record<string, string>): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data };
}

function apply(live: ApiObject | undefined, applied: ApiObject, manager: string, force = false): ApiObject {
  return maps.apply(live, applied, { manager, force, subresource: '', now: NOW });
}

function owners(object: ApiObject): Record<string, unknown> {
  return Object.fromEntries(
    (object.metadata?.managedFields ?? []).map((entry) => [entry['manager'], entry['fieldsV1']]),
  );
}

describe('apply', () => {
  it('notes what each manager applied, and removes what its last owner applies no more', () => {
    const first = apply(undefined, map({ a: '1', b: '2' }), 'm1');
    expect(owners(first)).toEqual({ m1: { 'f:data': { 'f:a': {}, 'f:b': {} } } });
    const shared = apply(first, map({ a: '1' }), 'm2');
    expect(owners(shared)).toEqual({ m1: { 'f:data': { 'f:a': {}, 'f:b': {} } }, m2: { 'f:data': { 'f:a': {} } } });
    const less = apply(shared, map({}), 'm1');
    expect(less['data']).toEqual({ a: '1' });
    expect(owners(less)).toEqual({ m1: { 'f:data': {} }, m2: { 'f:data': { 'f:a': {} } } });
  });

  it('refuses to change what others own, unless it is forced', () => {
    const first = apply(undefined, map({ a: '1' }), 'm1');
    const conflict = (): ApiObject => apply(first, map({ a: '2' }), 'm2');
    expect(conflict).toThrow(StatusError);
    expect(conflict).toThrow('Apply failed with 1 conflict: conflict with "m1": .data.a');
    expect(owners(apply(first, map({ a: '2' }), 'm2', true))).toEqual({ m2: { 'f:data': { 'f:a': {} } } });
  });

  it('gives a new manager of unchanged values no time', () => {
    const first = apply(undefined, map({ a: '1' }), 'm1');
    const second = apply(first, map({ a: '1' }), 'm2');
    expect(second.metadata?.managedFields?.map(({ time }) => time)).toEqual([undefined, NOW]);
  });

  it('keeps the identity of the object when the last label is gone', () => {
    const labelled = { ...map({ a: '1' }), metadata: { name: 'm', labels: { l: 'x' } } };
    const first = apply(undefined, labelled, 'm1');
    const stored = { ...first, metadata: { ...first.metadata, uid: 'u', resourceVersion: '5' } };
    const { metadata } = apply(stored, map({ a: '1' }), 'm1');
    expect(metadata).toMatchObject({ name: 'm', uid: 'u', resourceVersion: '5' });
    expect(metadata?.labels).toBeUndefined();
  });

  it('refuses what is not in the schema, and items that are given twice', () => {
    const spec = { replicas: 1, bogus: 1, template: { spec: { containers: [{ name: 'a' }, { name: 'a' }] } } };
    const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
    const given = (): ApiObject =>
      deployments.apply(undefined, applied, { manager: 'm', force: false, subresource: '', now: NOW });
    expect(given).toThrow('.spec.bogus: field not declared in schema');
    expect(given).toThrow('.spec.template.spec.containers: duplicate entries for key [name="a"]');
  });
});

describe('updated', () => {
  it('notes added members with the maps that they came with', () => {
    const live = map({});
    const entries = maps.updated(undefined, map({ a: '1' }), { manager: 'u', subresource: '', now: NOW });
    expect(entries).toMatchObject([
      { manager: 'u', operation: 'Update', fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } } },
    ]);
    expect(maps.updated(live, map({ a: '1' }), { manager: 'u', subresource: '', now: NOW })).toBeUndefined();
  });

  it('takes ownership from appliers of what it changes', () => {
    const first = apply(undefined, map({ a: '1', b: '2' }), 'm1');
    const changed = { ...first, data: { a: '1', b: '3' } };
    const metadata = { ...first.metadata };
    const entries = maps.updated(first, { ...changed, metadata }, { manager: 'u', subresource: '', now: NOW })!;
    expect(entries.map(({ fieldsV1 }) => fieldsV1)).toEqual([{ 'f:data': { 'f:a': {} } }, { 'f:data': { 'f:b': {} } }]);
  });
});

describe('entries that a client sends along', () => {
  const first = apply(undefined, map({ a: '1' }), 'm1');
  const update = (managedFields: object[], subresource = ''): unknown => {
    const object = { ...map({ a: '2' }), metadata: { name: 'm', managedFields } } as ApiObject;
    return maps.updated(first, object, { manager: 'u', subresource, now: NOW })?.map(({ manager }) => manager);
  };
  const given = { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} };
  const other = { ...given, fieldsV1: { 'f:data': { 'f:b': {} } } };

  it('replace those of the object', () => {
    expect(update([other])).toEqual(['x', 'u']);
    expect(update([{}])).toBeUndefined();
    expect(update([])).toBeUndefined();
  });

  it('do not count when one cannot be read, or with a subresource', () => {
    const bad = [{ operation: 'Bogus' }, { apiVersion: '' }, { fieldsType: undefined }].map((one) => ({
      ...other,
      ...one,
    }));
    for (const one of bad) expect(update([other, one])).toEqual(['u']);
    expect(update([other], 'status')).toEqual(['u']);
    expect(update([{}], 'status')).toEqual(['u']);
  });
});

describe('many managers', () => {
  function updatedBy(live: ApiObject, manager: string, key: string): ApiObject {
    const object = { ...live, data: { ...(live['data'] as object), [key]: '1' } };
    const managedFields = maps.updated(live, object, { manager, subresource: '', now: NOW })!;
    return { ...object, metadata: { ...live.metadata, managedFields } } as ApiObject;
  }

  it('unite the oldest updates, of one time those that come first by name', () => {
    let object = map({ z: '1' });
    object.metadata!.managedFields = maps.updated(undefined, object, { manager: 'z', subresource: '', now: NOW })!;
    for (const name of ['m9', 'm8', 'm7', 'm6', 'm5', 'm4', 'm3', 'm2', 'm1']) object = updatedBy(object, name, name);
    expect(Object.keys(owners(object))).toHaveLength(10);
    object = updatedBy(object, 'm0', 'm0');
    expect(owners(object)).toMatchObject({ 'ancient-changes': { 'f:data': { 'f:m0': {}, 'f:m1': {} } }, m2: {} });
    object = updatedBy(object, 'n', 'n');
    const all = { 'f:data': { 'f:m0': {}, 'f:m1': {}, 'f:m2': {} } };
    expect(owners(object)).toMatchObject({ 'ancient-changes': all, m3: {} });
    expect(Object.keys(owners(object))).toHaveLength(10);
  });
});

describe('an apply to the status of an object that nobody owns', () => {
  it('gives a first manager what the status has', () => {
    const spec = { replicas: 1 };
    const live = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec, status: { replicas: 1 } };
    const { spec: _, ...applied } = { ...live, status: { replicas: 1, readyReplicas: 1 } };
    const request = { manager: 'm', force: false, subresource: 'status', now: NOW };
    const { metadata } = deployments.apply(live as ApiObject, applied as ApiObject, request);
    expect(metadata?.managedFields).toMatchObject([
      { manager: 'm', subresource: 'status' },
      { manager: 'before-first-apply', subresource: 'status', fieldsV1: { 'f:status': { 'f:replicas': {} } } },
    ]);
  });
});

describe('properties of apply', () => {
  const data = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'), { minKeys: 1 });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(data, data, (old, given) => {
        const live = apply(undefined, map(old), 'm1');
        const once = apply(live, map(given), 'm2', true);
        expect(apply(once, map(given), 'm2', true)).toEqual(once);
      }),
    );
  });

  it('leaves what was there to a manager that applies nothing of it', () => {
    fc.assert(
      fc.property(data, (old) => {
        const live = apply(undefined, map(old), 'm1');
        expect(apply(live, map({}), 'm2')['data'] ?? {}).toEqual(old);
      }),
    );
  });

  it('comes to the same values in either order when two managers apply different keys', () => {
    fc.assert(
      fc.property(fc.constantFrom('1', '2'), fc.constantFrom('1', '2'), (x, y) => {
        const one = apply(apply(undefined, map({ a: x }), 'm1'), map({ b: y }), 'm2');
        const other = apply(apply(undefined, map({ b: y }), 'm2'), map({ a: x }), 'm1');
        expect(one['data']).toEqual(other['data']);
        expect(owners(one)).toEqual(owners(other));
      }),
    );
  });
});
