import { KindFieldManager } from '../apply/field-manager.ts';
import { type MergeType, mergeTypeOf, SCALAR_TYPES } from '../apply/merge-type.ts';
import { objectAt, textAt } from '../defaults/members.ts';
import { invalidValue } from '../object/field-errors.ts';
import { type ApiMetadata, type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import {
  type Decoded,
  DecodeError,
  type FieldManager,
  type KindSchema,
  type TableColumns,
  type WriteContext,
} from '../object/kind-schema.ts';
import type { FieldError } from '../object/status-error.ts';
import { decodeStruct } from '../schema/decode.ts';
import { inNameOrder } from '../schema/go-order.ts';
import { apiTypes } from '../schema/go-types.ts';
import { customTable } from './custom-table.ts';
import { repeatedItems } from './repeated-items.ts';
import { schemaErrors } from './schema-errors.ts';
import { dropNulls, fillDefaults, mergeTypeOfSchema, prune } from './structural-schema.ts';
import { ruleErrors } from './validation-rules.ts';

/** The schema of a kind that a CustomResourceDefinition defines. */
export class CustomSchema implements KindSchema {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly strategicMerge = undefined;
  readonly fields: FieldManager;
  readonly table: TableColumns;
  readonly empty: JsonObject = {};
  private readonly schema: JsonObject;
  private readonly scale: JsonObject | undefined;

  constructor(definition: ApiObject, version: JsonObject) {
    const spec = objectAt(definition, 'spec');
    this.group = textAt(spec, 'group');
    this.version = textAt(version, 'name');
    this.kind = textAt(objectAt(spec, 'names'), 'kind');
    this.schema = objectAt(objectAt(version, 'schema'), 'openAPIV3Schema') ?? {
      'x-kubernetes-preserve-unknown-fields': true,
    };
    this.scale = objectAt(objectAt(version, 'subresources'), 'scale');
    this.table = customTable(version);
    const hasStatus = objectAt(objectAt(version, 'subresources'), 'status') !== undefined;
    this.fields = new KindFieldManager({
      group: this.group,
      version: this.version,
      kind: this.kind,
      type: rootType(this.schema),
      emptyObject: () => ({ apiVersion: `${this.group}/${this.version}`, kind: this.kind, metadata: {} }),
      ignored: (subresource) => {
        if (subresource === 'status') return this.topLevel().filter((name) => name !== 'status');
        return hasStatus && subresource === '' ? ['status'] : [];
      },
      tidied: (object) => object,
    });
  }

  get openApiSchema(): JsonObject {
    return this.schema;
  }

  ordered(object: ApiObject): ApiObject {
    return inNameOrder(object as JsonObject) as ApiObject;
  }

  decode(value: JsonObject): Decoded {
    const { apiVersion, kind, metadata, ...rest } = value;
    const unknown: string[] = [];
    if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) {
      throw new DecodeError(`json: cannot unmarshal into Go struct field .metadata of type v1.ObjectMeta`);
    }
    const struct = apiTypes().struct('meta/v1.ObjectMeta')!;
    const metaUnknown: string[] = [];
    const tidyMetadata = decodeStruct(isJsonObject(metadata) ? metadata : {}, struct, metaUnknown);
    const pruned = prune(structuredClone(rest), this.schema, '', unknown) as JsonObject;
    dropNulls(pruned, this.schema);
    const all = [...metaUnknown.map((name) => `metadata.${name}`), ...unknown].sort();
    const object = { apiVersion, kind, metadata: tidyMetadata as ApiMetadata, ...pruned } as ApiObject;
    return { object, strictProblems: all.map((path) => `unknown field ${JSON.stringify(path)}`) };
  }

  setDefaults(object: ApiObject): void {
    fillDefaults(object, this.schema);
  }

  validate(object: ApiObject, metadataErrors: readonly FieldError[]): readonly FieldError[] {
    return [...metadataErrors, ...this.errors(object, undefined, this.bodyErrors(object, undefined))];
  }

  validateUpdate(object: ApiObject, old: ApiObject, context: WriteContext): readonly FieldError[] {
    const isStatus = context.subresource === 'status';
    const errors = isStatus ? this.statusErrors(object, old) : this.bodyErrors(object, old);
    return [...context.metadataErrors, ...this.errors(object, old, errors)];
  }

  warnings(): readonly string[] {
    return [];
  }

  private bodyErrors(object: ApiObject, old: ApiObject | undefined): FieldError[] {
    return schemaErrors(withoutHead(object), { ...this.schema, type: '' }, '', old && withoutHead(old));
  }

  /** A write to the status checks nothing else, and names members as the status does. */
  private statusErrors({ status }: ApiObject, old: ApiObject): FieldError[] {
    const schema = objectAt(objectAt(this.schema, 'properties'), 'status');
    if (status === undefined || schema === undefined) return [];
    return schemaErrors(status as JsonValue, schema, '', old['status'] as JsonValue | undefined).map((error) => ({
      ...error,
      field: error.field === '' || error.field === '<nil>' ? 'status' : `status.${error.field}`,
    }));
  }

  private errors(object: ApiObject, old: ApiObject | undefined, found: readonly FieldError[]): FieldError[] {
    const errors = [...found, ...scaleErrors(object, this.scale), ...this.repeated(object, old)];
    return [...errors, ...ruleErrors(object, old, this.schema, errors)];
  }

  /** Items that stand in a list twice, unless there were some before. */
  private repeated(object: ApiObject, old: ApiObject | undefined): FieldError[] {
    const errors = repeatedItems(object, this.schema, '');
    const isOld = errors.length > 0 && old !== undefined && repeatedItems(old, this.schema, '').length > 0;
    return isOld ? [] : errors;
  }

  private topLevel(): string[] {
    return Object.keys(objectAt(this.schema, 'properties') ?? {});
  }
}

function withoutHead({ apiVersion: _, kind: __, metadata: ___, ...rest }: ApiObject): JsonObject {
  return rest;
}

const REPLICAS_MAX = 2 ** 31 - 1;

/** The numbers of replicas that the scale of an object shows. */
function scaleErrors(object: JsonObject, scale: JsonObject | undefined): FieldError[] {
  return ['specReplicasPath', 'statusReplicasPath'].flatMap((name) => {
    const path = textAt(scale, name);
    let at: JsonValue | undefined = object;
    for (const part of path.split('.').slice(1)) at = isJsonObject(at) ? at[part] : undefined;
    if (path === '' || typeof at !== 'number') return [];
    if (at < 0) return [invalidValue(path, at, 'should be a non-negative integer')];
    return at > REPLICAS_MAX ? [invalidValue(path, at, `should be less than or equal to ${REPLICAS_MAX}`)] : [];
  });
}

/** The schema with what every object has. */
function rootType(schema: JsonObject): MergeType {
  const root = mergeTypeOfSchema(schema);
  if (root.kind !== 'map') return root;
  const metadata = mergeTypeOf(apiTypes().struct('meta/v1.ObjectMeta')!);
  const field = (name: string): MergeType | undefined => {
    if (name === 'metadata') return metadata;
    return name === 'apiVersion' || name === 'kind' ? SCALAR_TYPES.string : root.field(name);
  };
  return { ...root, field };
}
