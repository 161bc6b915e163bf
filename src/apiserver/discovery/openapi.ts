/** OpenAPI documents, version 3, made from the types of the API: for `kubectl explain` and clients that validate. */

import { groupVersionText } from '../../kinds/object/api-resource.ts';
import type { JsonObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import type { ResourceRegistry, ServedGroup } from '../resources/resource-registry.ts';
import { SchemaWriter } from './openapi-schemas.ts';

/** `/openapi/v3`: the paths of all documents. */
export function openApiIndex(registry: ResourceRegistry): JsonObject {
  const paths: JsonObject = {};
  for (const { name, versions } of allGroups(registry)) {
    for (const { version } of versions) {
      const path = name === '' ? `api/${version}` : `apis/${name}/${version}`;
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}` };
    }
  }
  return { paths };
}

function allGroups(registry: ResourceRegistry): ServedGroup[] {
  const core = registry.group('');
  return core === undefined ? [...registry.groups] : [core, ...registry.groups];
}

/** The document of one version of a group, `api/v1` or `apis/apps/v1`. */
export function openApiDocument(registry: ResourceRegistry, path: string): JsonObject | undefined {
  const [first, ...rest] = path.split('/');
  const [group, version] = first === 'api' ? ['', rest[0]] : [rest[0] ?? '', rest[1]];
  const served = registry.group(group as string)?.versions.find((one) => one.version === version);
  if (served === undefined || !['api', 'apis'].includes(first ?? '')) return undefined;
  const schemas = new SchemaWriter();
  const paths: JsonObject = {};
  for (const one of served.resources) addPaths(paths, one, schemas);
  const info = { title: 'Kubernetes', version: 'v1.36.2' };
  return { openapi: '3.0.0', info, paths, components: { schemas: schemas.written } };
}

const PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation'].map(
  (name): JsonObject => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }),
);

function addPaths(paths: JsonObject, served: ServedResource, schemas: SchemaWriter): void {
  const { resource } = served;
  const base = resource.group === '' ? `/api/${resource.version}` : `/apis/${groupVersionText(resource)}`;
  const collection = `${base}${resource.isNamespaced ? '/namespaces/{namespace}' : ''}/${resource.resource}`;
  const { group, version, kind } = resource;
  const about = { 'x-kubernetes-group-version-kind': { group, version, kind } };
  const schema = schemas.referenceTo(served);
  const content = { content: { 'application/json': { schema } } };
  const write = (action: string): JsonObject => ({
    parameters: PARAMETERS,
    responses: { 200: { description: 'OK', ...content } },
    'x-kubernetes-action': action,
    ...about,
  });
  const read = (action: string): JsonObject => ({
    responses: { 200: { description: 'OK', ...content } },
    'x-kubernetes-action': action,
    ...about,
  });
  paths[collection] = { get: read('list'), post: { ...write('post'), requestBody: content } };
  if (!resource.verbs.includes('get')) return;
  paths[`${collection}/{name}`] = {
    get: read('get'),
    put: { ...write('put'), requestBody: content },
    patch: { ...write('patch'), requestBody: content },
    delete: write('delete'),
  };
}
