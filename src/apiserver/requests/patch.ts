import { timeAtMillis } from '../../api/time.ts';
import { invalidValue } from '../../kinds/object/field-errors.ts';
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';
import { BodySyntaxError, DecodeError } from '../../kinds/object/kind-schema.ts';
import { badRequest, conflict, invalid, notFound, unclassified } from '../../kinds/object/refusals.ts';
import { StatusError } from '../../kinds/object/status-error.ts';
import { goValueText } from '../../kinds/schema/go-value-text.ts';
import { combined } from '../../lib/combined.ts';
import { mergePatch } from '../../store/patch/merge-patch.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { contentTypeOf } from '../context/media-types.ts';
import { withoutOwnerDuplicates } from '../metadata/owner-duplicates.ts';
import { createObject } from './create.ts';
import { managerOf } from './field-manager-name.ts';
import { applyJsonPatch, JsonPatchError, type PatchOperation } from './json-patch.ts';
import { type UpdateOptions, updateObject, withCheckedName } from './object-updates.ts';
import { patchedText, touchedByMerge, touchedByPaths } from './patched-text.ts';
import { type WriteOptions, writeOptions } from './query.ts';
import { headProblem, otherKind, yamlProblems } from './read-object.ts';
import { warned } from './warned.ts';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** The kind of a patch. @throws StatusError UnsupportedMediaType */
export function patchTypeOf({ request, served }: ResourceRequest): PatchType {
  const type = PATCH_TYPES[contentTypeOf(request.contentType) ?? ''];
  const hasStrategic = served.schema.strategicMerge !== undefined;
  if (type !== undefined && (type !== 'strategic' || hasStrategic)) return type;
  if (hasStrategic || type === undefined) {
    throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  }
  const types = Object.keys(PATCH_TYPES).filter((one) => PATCH_TYPES[one] !== 'strategic');
  const what = 'the body of the request was in an unknown format';
  const message = `${what} - accepted media types include: ${types.join(', ')}`;
  throw new StatusError(415, 'UnsupportedMediaType', message);
}

export interface Patched {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

/** PATCH of an object or of its status. @throws StatusError */
export function patch(asked: ResourceRequest): Answer {
  const type = patchTypeOf(asked);
  const { modules, request, served, namespace, name } = asked;
  const options = writeOptions(request.query, 'PatchOptions', type === 'apply');
  const old = modules.storages.of(served).get(namespace, name);
  if (type === 'apply') return apply(asked, old, options);
  if (old === undefined) throw notFound(served.resource, name);
  const { object, warnings: ofFields } = patched(asked, old, type, options);
  const warnings = [...ofFields, ...withoutOwnerDuplicates(object, true)];
  const stored = warned(warnings, () => updateObject(asked, object, old, options));
  return answerOf(served, stored, { warnings: [...warnings, ...served.schema.warnings(stored, old)] });
}

function apply(asked: ResourceRequest, old: ApiObject | undefined, options: WriteOptions): Answer {
  const { served, name, subresource } = asked;
  const { object, warnings } = applied(asked, old, options);
  const how = combined(options, { isApply: true }) as UpdateOptions;
  if (old === undefined) {
    refuseOtherUid(asked, object);
    if (subresource !== '') throw notFound(served.resource, name);
    withCheckedName(asked, object);
    served.schema.setDefaults(object);
    const created = createObject(asked, object, how);
    return answerOf(served, created, {
      status: 201,
      warnings: [...warnings, ...served.schema.warnings(created, undefined)],
    });
  }
  const stored = warned(warnings, () => updateObject(asked, object, old, how));
  return answerOf(served, stored, { warnings: [...warnings, ...served.schema.warnings(stored, old)] });
}

/** The object after a server-side apply, with who owns which of its fields. @throws StatusError */
export function applied(asked: ResourceRequest, old: ApiObject | undefined, options: WriteOptions): Patched {
  const { modules, request, served, subresource } = asked;
  const { value, duplicateLines = [] } = readPatch(asked, 'application/yaml');
  const given = checkedApply(asked, value);
  const manager = managerOf(options.fieldManager, request.userAgent);
  const now = timeAtMillis(modules.clock.nowMillis());
  const how = { manager, force: options.force ?? false, subresource, now };
  const merged = decoding(() => structuredClone(served.schema.fields.apply(old, given, how)));
  if (options.fieldValidation === 'Strict' && duplicateLines.length > 0) {
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${yamlProblems(duplicateLines)}`);
  }
  const warnings = options.fieldValidation === 'Warn' ? duplicateLines : [];
  if (old === undefined) return { object: merged, warnings };
  const { object } = decoding(() => served.schema.decode(merged));
  served.schema.setDefaults(object);
  return { object, warnings };
}

/** An apply that creates cannot choose the uid. @throws StatusError Conflict */
function refuseOtherUid({ served, name }: ResourceRequest, { metadata }: ApiObject): void {
  if (!metadata?.uid) return;
  const why = `the provided object specified uid ${metadata.uid}, and no existing object was found`;
  throw conflict(served.resource, name, `uid mismatch: ${why}`);
}

/** Does what decodes an applied object. @throws StatusError without a reason, for values that the schema lets pass */
function decoding<T>(apply: () => T): T {
  try {
    return apply();
  } catch (error) {
    throw error instanceof DecodeError ? unclassified(error.message) : error;
  }
}

/** @throws StatusError BadRequest for another kind, or for somebody else's claims to fields */
function checkedApply({ served }: ResourceRequest, value: JsonValue): ApiObject {
  const { group, version, kind } = served.schema;
  if (value !== null && !isJsonObject(value)) {
    const why = `json: cannot unmarshal ${goTypeOf(value)} into Go value of type map[string]interface {}`;
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  const applied = (value ?? {}) as ApiObject;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  if (applied.apiVersion !== apiVersion || applied.kind !== kind) {
    // What is no text counts as absent.
    const [given, name] = [applied.apiVersion, applied.kind].map((one) => (typeof one === 'string' ? one : ''));
    const text = given === '' ? '/' : given?.includes('/') ? given : `/${given}`;
    throw badRequest(`invalid object type: ${text}, Kind=${name}`);
  }
  if (applied.metadata?.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  return applied;
}

/** The object with the patch in it, in its kind's form and with defaults. @throws StatusError */
export function patched(asked: ResourceRequest, old: ApiObject, type: PatchType, options: WriteOptions): Patched {
  const { schema } = asked.served;
  const { value, duplicateKeys } = readPatch(asked, 'application/json', options.fieldValidation === 'Ignore');
  // The object is brought into the order of its kind, in which messages quote it.
  const ordered = schema.ordered(old);
  const result = merged(asked, ordered, type, value, options.fieldValidation === 'Ignore');
  const text = patchedText(result, touchedBy(type, value));
  const refused = (why: string): StatusError =>
    invalid({ group: '', kind: '' }, '', [invalidValue('patch', text, why)]);
  // A strategic patch is applied to members in memory, so its own text is quoted instead of the result's.
  const undecodable = (why: string): StatusError =>
    type === 'strategic'
      ? invalid({ group: '', kind: '' }, '', [invalidValue('patch', goValueText(value), why)])
      : refused(why);
  const head = result as ApiObject;
  const wrong = headProblem(head);
  if (wrong !== undefined) throw undecodable(wrong);
  withCheckedName(asked, head);
  if (head.kind !== old.kind || head.apiVersion !== old.apiVersion) throw refused(otherHead(asked, head));
  try {
    const { object, strictProblems } = schema.decode(head);
    // A patched object is converted, which sorts what it does not know; a body is decoded in its own order.
    const duplicates = duplicateKeys.map((path) => `duplicate field ${JSON.stringify(path)}`);
    const problems = [...duplicates, ...unknownOperations(type, value), ...[...strictProblems].sort()];
    if (options.fieldValidation === 'Strict' && problems.length > 0) {
      throw undecodable(`strict decoding error: ${problems.join(', ')}`);
    }
    schema.setDefaults(object);
    return { object, warnings: options.fieldValidation === 'Warn' ? problems : [] };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw undecodable(error.message);
  }
}

function touchedBy(type: PatchType, value: JsonValue): Parameters<typeof patchedText>[1] {
  if (type === 'merge' && isJsonObject(value)) return touchedByMerge(value);
  if (type !== 'json' || !Array.isArray(value)) return 'all';
  return touchedByPaths((value as unknown as PatchOperation[]).map(({ path = '' }) => path));
}

function otherHead({ modules, served }: ResourceRequest, { apiVersion = '', kind = '' }: ApiObject): string {
  const [first = '', second] = apiVersion.split('/');
  const [group, version] = second === undefined ? ['', first] : [first, second];
  return otherKind({ group, version, kind }, served.schema, modules.registry.isKnownKind(group, version, kind));
}

/** `isUnchecked`: what has another form is only found when the patch is applied. */
function merged(
  asked: ResourceRequest,
  old: ApiObject,
  type: PatchType,
  value: JsonValue,
  isUnchecked: boolean,
): JsonObject {
  if (type === 'json') return withOperations(old, value, isUnchecked);
  if (!isJsonObject(value)) throw notAnObject(type, value);
  if (type === 'merge') return mergePatch(old, value) as JsonObject;
  return (asked.served.schema.strategicMerge as (object: ApiObject, patch: JsonObject) => JsonObject)(old, value);
}

const NO_MERGE_PATCH = 'Invalid JSON Patch';

function notAnObject(type: PatchType, value: JsonValue): StatusError {
  if (value === null && type === 'merge') return badRequest(NO_MERGE_PATCH);
  const why = `json: cannot unmarshal ${goTypeOf(value)} into Go value of type map[string]interface {}`;
  return badRequest(type === 'strategic' ? why : `error decoding patch: ${why}`);
}

function goTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** A JSON patch has no more operations (maxJSONPatchOperations of the API server's handlers). */
const OPERATIONS_MAX = 10_000;

function withOperations(old: ApiObject, value: JsonValue, isUnchecked: boolean): JsonObject {
  const problem = operationsProblem(value, isUnchecked);
  if (problem !== undefined) throw badRequest(`${isUnchecked ? '' : 'error decoding patch: '}json: ${problem}`);
  const operations = (value ?? []) as unknown as PatchOperation[];
  if (operations.length > OPERATIONS_MAX) {
    const why = `The allowed maximum operations in a JSON patch is ${OPERATIONS_MAX}, got ${operations.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${why}`);
  }
  try {
    return applyJsonPatch(old, operations) as JsonObject;
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
    throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}

/** What Go says of a JSON patch that is no list of operations. Without checks their members may be anything. */
function operationsProblem(value: JsonValue, isUnchecked: boolean): string | undefined {
  const cannot = (wrong: JsonValue, target: string): string => `cannot unmarshal ${goTypeOf(wrong)} into Go ${target}`;
  if (value === null) return undefined;
  if (!Array.isArray(value)) return cannot(value, `value of type ${isUnchecked ? 'jsonpatch.Patch' : OPERATIONS_TYPE}`);
  for (const operation of value) {
    if (operation === null) continue;
    if (!isJsonObject(operation)) {
      return cannot(operation, `value of type ${isUnchecked ? 'jsonpatch.Operation' : 'handlers.jsonPatchOp'}`);
    }
    if (isUnchecked) continue;
    const wrong = Object.keys(operation).find((name) => isWrongText(name, operation[name] ?? null));
    if (wrong !== undefined) return cannot(operation[wrong]!, `struct field jsonPatchOp.${wrong} of type string`);
  }
  return undefined;
}

const OPERATIONS_TYPE = '[]handlers.jsonPatchOp';

function isWrongText(member: string, value: JsonValue): boolean {
  return member !== 'value' && OPERATION_MEMBERS.has(member) && value !== null && typeof value !== 'string';
}

/** @throws StatusError BadRequest */
function readPatch(
  { modules, request }: ResourceRequest,
  mediaType: 'application/json' | 'application/yaml',
  isUnchecked = false,
) {
  try {
    return modules.readBody(request.body, mediaType);
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    if (mediaType === 'application/yaml') {
      throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    }
    const type = PATCH_TYPES[contentTypeOf(request.contentType) ?? ''];
    if (isUnchecked && type === 'merge') throw badRequest(NO_MERGE_PATCH);
    throw badRequest(isUnchecked || type === 'strategic' ? error.message : `error decoding patch: ${error.message}`);
  }
}

const OPERATION_MEMBERS = new Set(['op', 'path', 'from', 'value']);

/** Members of the operations of a JSON patch that mean nothing. */
function unknownOperations(type: PatchType, value: JsonValue): string[] {
  if (type !== 'json' || !Array.isArray(value)) return [];
  return value.flatMap((operation, i) =>
    Object.keys(isJsonObject(operation) ? operation : {})
      .filter((member) => !OPERATION_MEMBERS.has(member))
      .map((member) => `json patch unknown field ${JSON.stringify(`[${i}].${member}`)}`),
  );
}
