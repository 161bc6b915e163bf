/** OpenAPI documents, version 3, made from the types of the API: for `kubectl explain` and clients that validate. */

import { type ApiResource, groupVersionText } from '../../kinds/object/api-resource.ts';
import type { JsonObject, JsonValue } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { apiTypes, type GoField, type GoStruct, type GoType, type SpecialName } from '../../kinds/schema/go-types.ts';
import type { ResourceRegistry, ServedGroup } from '../resources/resource-registry.ts';

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
  for (const { resource } of served.resources) addPaths(paths, resource, schemas);
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

function addPaths(paths: JsonObject, resource: ApiResource, schemas: SchemaWriter): void {
  const base = resource.group === '' ? `/api/${resource.version}` : `/apis/${groupVersionText(resource)}`;
  const collection = `${base}${resource.isNamespaced ? '/namespaces/{namespace}' : ''}/${resource.resource}`;
  const { group, version, kind } = resource;
  const about = { 'x-kubernetes-group-version-kind': { group, version, kind } };
  const schema = schemas.reference(structOf({ resource }));
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

/** The Go type of a kind: the group's first label is the name of its package. */
function structOf({ resource }: Pick<ServedResource, 'resource'>): GoStruct | undefined {
  const { group, version, kind } = resource;
  const names = group === 'rbac.authorization.k8s.io' ? 'rbac' : group === '' ? 'core' : group.split('.')[0];
  const struct = apiTypes().struct(`${names}/${version}.${kind}`);
  if (struct !== undefined) kinds.set(struct.id, { group, version, kind });
  return struct;
}

/** Which kind a type is, where it is one. */
const kinds = new Map<string, JsonObject>();

const SPECIAL: Readonly<Record<SpecialName, JsonObject>> = {
  time: { type: 'string', format: 'date-time' },
  microtime: { type: 'string', format: 'date-time' },
  duration: { type: 'string' },
  raw: { type: 'object' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intorstring: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  schemaorarray: {},
  schemaorbool: {},
  schemaorstrings: {},
};

const SCALARS: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};

/** Writes the schemas of types, each with those that it contains. */
class SchemaWriter {
  readonly written: JsonObject = {};

  reference(struct: GoStruct | undefined): JsonObject {
    if (struct === undefined) return { type: 'object' };
    const name = definitionName(struct.id);
    if (this.written[name] === undefined) {
      // The name is taken before the members are written, since types contain themselves.
      this.written[name] = {};
      this.written[name] = this.#schemaOf(struct);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #schemaOf(struct: GoStruct): JsonObject {
    const properties: JsonObject = {};
    const required: string[] = [];
    for (const field of struct.fields.values()) {
      properties[field.name] = this.#propertyOf(field);
      const isOptional = field.omitEmpty || field.omitZero || field.type.kind === 'pointer';
      if (!isOptional && field.type.kind !== 'struct') required.push(field.name);
    }
    const kind = kinds.get(struct.id);
    return {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      ...(struct.isAtomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
      ...(kind === undefined ? {} : { 'x-kubernetes-group-version-kind': [kind] }),
    };
  }

  #propertyOf({ type, patchStrategies, patchMergeKey, list, isAtomic }: GoField): JsonObject {
    const schema = this.#typeOf(type);
    const more: JsonObject = {};
    if (patchStrategies.length > 0) more['x-kubernetes-patch-strategy'] = patchStrategies.join(',');
    if (patchMergeKey !== undefined) more['x-kubernetes-patch-merge-key'] = patchMergeKey;
    if (schema['type'] === 'array') {
      more['x-kubernetes-list-type'] = typeof list === 'string' ? list : 'map';
      if (typeof list !== 'string') more['x-kubernetes-list-map-keys'] = [...list];
    }
    if (isAtomic && schema['type'] === 'object') more['x-kubernetes-map-type'] = 'atomic';
    if (schema['$ref'] === undefined || Object.keys(more).length === 0) return { ...schema, ...more };
    return { allOf: [schema as JsonValue], ...more };
  }

  #typeOf(type: GoType): JsonObject {
    switch (type.kind) {
      case 'pointer':
        return this.#typeOf(type.elem);
      case 'list':
        return { type: 'array', items: this.#typeOf(type.elem) };
      case 'map':
        return { type: 'object', additionalProperties: this.#typeOf(type.elem) };
      case 'struct':
        return this.reference(type);
      case 'special':
        return SPECIAL[type.name];
      default:
        return SCALARS[type.kind] as JsonObject;
    }
  }
}

/** `core/v1.Pod` is `io.k8s.api.core.v1.Pod`. */
function definitionName(id: string): string {
  const [group = '', rest = ''] = id.split('/');
  if (group === 'meta') return `io.k8s.apimachinery.pkg.apis.meta.${rest}`;
  if (group === 'apiextensions') return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${rest}`;
  return `io.k8s.api.${group}.${rest}`;
}
