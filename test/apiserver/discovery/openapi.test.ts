import { expect, it } from 'vitest';
import { openApiDocument, openApiIndex } from '../../../src/apiserver/discovery/openapi.ts';
import { ResourceRegistry } from '../../../src/apiserver/resources/resource-registry.ts';
import type { ApiResource } from '../../../src/kinds/object/api-resource.ts';
import type { ApiObject, JsonObject } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly $ref?: string;
}

const schemas = new KindSchemas();
const registry = new ResourceRegistry(schemas);

function schemasAt(path: string, from = registry): Readonly<Record<string, Schema>> {
  const document = openApiDocument(from, path) as unknown as {
    components: { schemas: Readonly<Record<string, Schema>> };
  };
  return document.components.schemas;
}

it('describes types and members, and says which values there are and what is required', () => {
  const written = schemasAt('api/v1');
  expect(written['io.k8s.api.core.v1.Pod']?.description).toMatch(/^Pod is a collection of containers/);
  const port = written['io.k8s.api.core.v1.ServicePort'];
  expect(port?.required).toEqual(['port']);
  expect(port?.properties?.['protocol']?.enum).toEqual(['SCTP', 'TCP', 'UDP']);
  expect(port?.properties?.['protocol']?.description).toContain('Possible enum values:\n - `"SCTP"`');
  const claim = written['io.k8s.api.core.v1.PersistentVolumeClaimSpec'];
  expect(claim?.properties?.['accessModes']?.items?.enum).toContain('ReadWriteOncePod');
});

it('describes a reference beside it, and every reference leads to a schema', () => {
  const paths = Object.keys(openApiIndex(registry)['paths'] as JsonObject);
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const written = schemasAt(path);
    const text = JSON.stringify(openApiDocument(registry, path));
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      expect(written).toHaveProperty([name]);
  }
  const status = schemasAt('apis/apps/v1')['io.k8s.api.apps.v1.Deployment']?.properties?.['status'];
  expect(status?.allOf).toEqual([{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentStatus' }]);
  expect(status?.description).toBe('Most recently observed status of the Deployment.');
});

it('publishes the schemas of custom definitions', () => {
  const spec = { type: 'object', description: 'what is wanted', properties: { size: { type: 'integer' } } };
  const version = { name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
  const definition = { spec: { group: 'stable.example.com', names: { kind: 'Thing' }, versions: [version] } };
  const resource = {
    ...{ group: 'stable.example.com', version: 'v1', resource: 'things', kind: 'Thing', listKind: 'ThingList' },
    ...{ singular: 'thing', isNamespaced: true, isCustom: true, verbs: ['get', 'list'], subresources: [] },
  } as unknown as ApiResource;
  const own = new ResourceRegistry(schemas);
  own.add({ resource, schema: schemas.custom(definition as unknown as ApiObject).get('v1')! });
  const written = schemasAt('apis/stable.example.com/v1', own);
  const thing = written['com.example.stable.v1.Thing'] as JsonObject & Schema;
  expect(thing.properties?.['spec']).toEqual(spec);
  expect(thing.properties?.['metadata']?.allOf).toHaveLength(1);
  expect(thing.properties?.['kind']?.description).toMatch(/^Kind is a string value/);
  const kind = { group: 'stable.example.com', version: 'v1', kind: 'Thing' };
  expect(thing['x-kubernetes-group-version-kind']).toEqual([kind]);
});
