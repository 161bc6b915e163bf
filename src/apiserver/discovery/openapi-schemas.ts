/** Schemas of OpenAPI documents, version 3, made from the types of the API and from custom definitions. */

import type { ApiResource } from '../../kinds/object/api-resource.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { descriptionOf } from '../../kinds/schema/descriptions.ts';
import { apiTypes, type GoField, type GoStruct, type GoType, type SpecialName } from '../../kinds/schema/go-types.ts';

/** The types that write themselves, and what they look like as JSON. */
const SPECIAL: Readonly<Record<string, JsonObject>> = {
  'meta/v1.Time': { type: 'string', format: 'date-time' },
  'meta/v1.MicroTime': { type: 'string', format: 'date-time' },
  'meta/v1.Duration': { type: 'string' },
  'meta/v1.FieldsV1': { type: 'object' },
  'runtime.RawExtension': { type: 'object' },
  'api/resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'util/intstr.IntOrString': { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  'apiextensions/v1.JSON': {},
  'apiextensions/v1.JSONSchemaPropsOrArray': {},
  'apiextensions/v1.JSONSchemaPropsOrBool': {},
  'apiextensions/v1.JSONSchemaPropsOrStringArray': {},
};

const SPECIAL_IDS: Readonly<Record<Exclude<SpecialName, 'raw'>, string>> = {
  time: 'meta/v1.Time',
  microtime: 'meta/v1.MicroTime',
  duration: 'meta/v1.Duration',
  quantity: 'api/resource.Quantity',
  intorstring: 'util/intstr.IntOrString',
  schemaorarray: 'apiextensions/v1.JSONSchemaPropsOrArray',
  schemaorbool: 'apiextensions/v1.JSONSchemaPropsOrBool',
  schemaorstrings: 'apiextensions/v1.JSONSchemaPropsOrStringArray',
};

const SCALARS: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};

const OBJECT_META = 'meta/v1.ObjectMeta';

/** Writes the schemas of kinds, each with those that it contains. */
export class SchemaWriter {
  readonly written: JsonObject = {};
  /** Which kind a type is, where it is one. */
  readonly #kinds = new Map<string, JsonObject>();

  /** A reference to the schema of a served kind. */
  referenceTo({ resource, schema }: ServedResource): JsonObject {
    const { group, version, kind } = resource;
    const custom = schema.openApiSchema;
    if (custom !== undefined) return this.#customReference(resource, custom);
    const struct = structOf(resource);
    if (struct === undefined) return { type: 'object' };
    this.#kinds.set(struct.id, { group, version, kind });
    return this.#reference(struct.id, () => this.#schemaOf(struct));
  }

  #reference(id: string, schemaOf: () => JsonObject): JsonObject {
    const name = definitionName(id);
    if (this.written[name] === undefined) {
      // The name is taken before the members are written, since types contain themselves.
      this.written[name] = {};
      this.written[name] = schemaOf();
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #customReference({ group, version, kind }: ApiResource, custom: JsonObject): JsonObject {
    const metadata = this.#described(
      this.#reference(OBJECT_META, () => this.#schemaOf(apiTypes().struct(OBJECT_META) as GoStruct)),
      descriptionOf('core/v1.Pod').fields?.['metadata'],
    );
    const { fields = {} } = descriptionOf('meta/v1.TypeMeta');
    const name = [...group.split('.').reverse(), version, kind].join('.');
    const properties = isJsonObject(custom['properties']) ? custom['properties'] : {};
    const text = (member: string): JsonObject => this.#described({ type: 'string' }, fields[member]);
    this.written[name] = {
      ...custom,
      type: 'object',
      properties: { ...properties, apiVersion: text('apiVersion'), kind: text('kind'), metadata },
      'x-kubernetes-group-version-kind': [{ group, version, kind }],
    };
    return { $ref: `#/components/schemas/${name}` };
  }

  #schemaOf(struct: GoStruct): JsonObject {
    const properties: JsonObject = {};
    const described = descriptionOf(struct.id);
    const { fields: headFields } = descriptionOf('meta/v1.TypeMeta');
    const isKind = ['kind', 'apiVersion', 'metadata'].every((name) => struct.fields.has(name));
    const required = described.required ?? (described.fields === undefined ? requiredOf(struct) : []);
    for (const field of struct.fields.values()) {
      const { name } = field;
      const text = described.fields?.[name] ?? (isKind ? headFields?.[name] : undefined);
      const schema = this.#propertyOf(field, struct, described.enums?.[name]);
      properties[name] = this.#described(schema, text);
    }
    const kind = this.#kinds.get(struct.id);
    return {
      ...(described.text === undefined ? {} : { description: described.text }),
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required: [...required] }),
      ...(struct.isAtomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
      ...(kind === undefined ? {} : { 'x-kubernetes-group-version-kind': [kind] }),
    };
  }

  /** A reference cannot have anything beside it. */
  #described(schema: JsonObject, description: string | undefined): JsonObject {
    if (description === undefined) return schema;
    if (schema['$ref'] === undefined) return { description, ...schema };
    return { allOf: [schema as JsonValue], description };
  }

  #propertyOf(field: GoField, struct: GoStruct, values: readonly string[] | undefined): JsonObject {
    const { type, patchStrategies, patchMergeKey, list, isAtomic } = field;
    const schema = withValues(this.#typeOf(type, struct), values);
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

  #typeOf(type: GoType, within: GoStruct): JsonObject {
    switch (type.kind) {
      case 'pointer':
        return this.#typeOf(type.elem, within);
      case 'list':
        return { type: 'array', items: this.#typeOf(type.elem, within) };
      case 'map':
        return { type: 'object', additionalProperties: this.#typeOf(type.elem, within) };
      case 'struct':
        return this.#reference(type.id, () => this.#schemaOf(type));
      case 'special':
        return this.#special(type.name === 'raw' ? rawId(within) : SPECIAL_IDS[type.name]);
      default:
        return { ...SCALARS[type.kind] };
    }
  }

  #special(id: string): JsonObject {
    return this.#reference(id, () => this.#described({ ...SPECIAL[id] }, descriptionOf(id).text));
  }
}

/** The type of a member that can be any JSON. */
function rawId({ id }: GoStruct): string {
  if (id === 'meta/v1.ManagedFieldsEntry') return 'meta/v1.FieldsV1';
  return id.startsWith('apiextensions/') ? 'apiextensions/v1.JSON' : 'runtime.RawExtension';
}

/** The schema of a text, or of a list of texts, that can have few values only. */
function withValues(schema: JsonObject, values: readonly string[] | undefined): JsonObject {
  if (values === undefined) return schema;
  if (!isJsonObject(schema['items'])) return { ...schema, enum: [...values] };
  return { ...schema, items: { ...schema['items'], enum: [...values] } };
}

/** The members of a type that no document describes: Go writes them always. */
function requiredOf(struct: GoStruct): string[] {
  const required = [...struct.fields.values()].filter(
    ({ type, omitEmpty, omitZero }) => !omitEmpty && !omitZero && type.kind !== 'pointer' && type.kind !== 'struct',
  );
  return required.map(({ name }) => name);
}

/** The Go type of a kind: the group's first label is the name of its package. */
function structOf({ group, version, kind }: ApiResource): GoStruct | undefined {
  return apiTypes().struct(`${group === '' ? 'core' : group.split('.')[0]}/${version}.${kind}`);
}

/** `core/v1.Pod` is `io.k8s.api.core.v1.Pod`. */
function definitionName(id: string): string {
  const [folder = '', rest = ''] = id.split('/');
  if (folder.startsWith('runtime.')) return `io.k8s.apimachinery.pkg.${folder}`;
  if (folder === 'api' || folder === 'util') return `io.k8s.apimachinery.pkg.${folder}.${rest}`;
  if (folder === 'meta') return `io.k8s.apimachinery.pkg.apis.meta.${rest}`;
  if (folder === 'apiextensions') return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${rest}`;
  return `io.k8s.api.${folder}.${rest}`;
}
