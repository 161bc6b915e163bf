import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const { fields } = new KindSchemas().builtIn('', 'v1', 'ConfigMap')!;
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

function config(data: Record<string, string>): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data };
}

/** What kubectl leaves behind when it applies without the server. */
function appliedByClient(data: Record<string, string>, live = data): ApiObject {
  const object = config(live);
  const annotations = { [ANNOTATION]: JSON.stringify(config(data)) };
  const created = { ...object, metadata: { ...object.metadata, annotations } } as ApiObject;
  const request = { manager: 'kubectl-client-side-apply', subresource: '', now: '2024-01-01T00:00:00Z' };
  const managedFields = fields.updated(undefined, created, request);
  return { ...created, metadata: { ...created.metadata, managedFields } } as ApiObject;
}

const request = { force: false, subresource: '', now: '2024-01-02T00:00:00Z' };

describe('an apply by kubectl on the server', () => {
  it('takes over what kubectl applied without it, and updates the annotation', () => {
    const result = fields.apply(appliedByClient({ a: '1' }), config({ a: '2' }), { ...request, manager: 'kubectl' });
    expect(result['data']).toEqual({ a: '2' });
    expect(result.metadata?.annotations?.[ANNOTATION]).toBe(
      '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"c"}}\n',
    );
  });

  it('takes over nothing that somebody has changed since', () => {
    const live = appliedByClient({ a: '1' }, { a: '5' });
    expect(() => fields.apply(live, config({ a: '2' }), { ...request, manager: 'kubectl' })).toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.a',
    );
  });

  it('is not meant when another manager applies', () => {
    const live = appliedByClient({ a: '1' });
    expect(() => fields.apply(live, config({ a: '2' }), { ...request, manager: 'other' })).toThrow('1 conflict');
  });
});
