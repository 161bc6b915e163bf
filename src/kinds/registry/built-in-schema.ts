import { KindFieldManager } from '../apply/field-manager.ts';
import { mergeTypeOf } from '../apply/merge-type.ts';
import { definitionErrors, definitionUpdateErrors, definitionWarnings } from '../custom/definition-errors.ts';
import { defaultsOf } from '../defaults/defaults.ts';
import type { ApiObject, JsonObject } from '../object/json.ts';
import type { Decoded, FieldManager, KindSchema, TableColumns, WriteContext } from '../object/kind-schema.ts';
import type { FieldError } from '../object/status-error.ts';
import { completeStruct } from '../schema/complete.ts';
import { decodeStruct } from '../schema/decode.ts';
import { inGoOrder } from '../schema/go-order.ts';
import { apiTypes, type GoStruct } from '../schema/go-types.ts';
import { strategicMerge } from '../schema/strategic-merge.ts';
import { checkUnstructured } from '../schema/unstructured-check.ts';
import { tableOf } from '../tables/tables.ts';
import { checked, type KindValidator, validatorOf } from '../validation/validators.ts';
import { warningsOf } from '../validation/warnings.ts';

const DEFINITIONS = checked(definitionErrors, definitionUpdateErrors);

/** Definitions are checked by what checks their objects. */
function validatorFor(kind: string): KindValidator | undefined {
  return kind === 'CustomResourceDefinition' ? DEFINITIONS : validatorOf(kind);
}

/** The schema of a kind whose Go types are known. */
export class BuiltInSchema implements KindSchema {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly strategicMerge: (object: ApiObject, patch: JsonObject) => JsonObject;
  readonly fields: FieldManager;
  private readonly struct: GoStruct;
  private readonly fill: ((object: JsonObject) => void) | undefined;
  private columns: TableColumns | undefined;

  constructor(group: string, version: string, kind: string, struct: GoStruct) {
    this.group = group;
    this.version = version;
    this.kind = kind;
    this.struct = struct;
    this.fill = defaultsOf(kind);
    this.strategicMerge = (object, patch) => {
      const result = strategicMerge(struct, object, patch);
      checkUnstructured(result, struct, patch);
      return result;
    };
    const hasStatus = struct.fields.has('status');
    this.fields = new KindFieldManager({
      group,
      version,
      kind,
      type: mergeTypeOf(struct),
      emptyObject: () => decodeStruct({}, struct, []) as ApiObject,
      ignored: (subresource) =>
        subresource === 'status' ? ['spec'] : hasStatus && subresource === '' ? ['status'] : [],
      tidied: (object) => decodeStruct(object, struct, []) as ApiObject,
    });
  }

  ordered(object: ApiObject): ApiObject {
    return inGoOrder(object, this.struct) as ApiObject;
  }

  get table(): TableColumns {
    this.columns ??= tableOf(this.kind);
    return this.columns;
  }

  get empty(): JsonObject {
    const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = decodeStruct({}, this.struct, []);
    if (!COUNTING.has(this.kind)) return rest;
    return { ...rest, spec: { replicas: 0, ...(rest['spec'] as JsonObject) } };
  }

  decode(value: JsonObject): Decoded {
    const unknownFields: string[] = [];
    const object = decodeStruct(value, this.struct, unknownFields) as ApiObject;
    return { object, strictProblems: unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`) };
  }

  setDefaults(object: ApiObject): void {
    this.fill?.(object);
    completeStruct(object, this.struct);
  }

  validate(object: ApiObject, metadataErrors: readonly FieldError[]): readonly FieldError[] {
    return validatorFor(this.kind)?.create(object, metadataErrors) ?? metadataErrors;
  }

  validateUpdate(object: ApiObject, old: ApiObject, context: WriteContext): readonly FieldError[] {
    const validator = validatorFor(this.kind);
    const { subresource, metadataErrors } = context;
    if (subresource === '') return validator?.update(object, old, metadataErrors) ?? metadataErrors;
    return [...metadataErrors, ...(validator?.subresources?.[subresource]?.(object, old) ?? [])];
  }

  warnings(object: ApiObject, old: ApiObject | undefined): readonly string[] {
    return this.kind === 'CustomResourceDefinition'
      ? definitionWarnings(object, old)
      : warningsOf(this.kind, object, old);
  }
}

/** The kinds whose number of replicas cannot be absent inside of the API server, so that nothing is zero. */
const COUNTING: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet']);

/** The kinds of `meta/v1` can be named in any group. */
const META_KINDS: ReadonlySet<string> = new Set(['DeleteOptions', 'Status']);

/** The Go type of a kind: `('apps/v1', 'Deployment')`. */
export function structOfKind(apiVersion: string, kind: string): GoStruct | undefined {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return apiTypes().struct(structId(group as string, version as string, kind));
}

function structId(group: string, version: string, kind: string): string {
  const folder = group === '' ? 'core' : (group.split('.')[0] ?? '');
  return META_KINDS.has(kind) ? `meta/v1.${kind}` : `${folder}/${version}.${kind}`;
}

export function builtInSchema(group: string, version: string, kind: string): BuiltInSchema | undefined {
  const struct = apiTypes().struct(structId(group, version, kind));
  return struct === undefined ? undefined : new BuiltInSchema(group, version, kind, struct);
}
