import { invalidValue } from '../../kinds/object/field-errors.ts';
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '../../kinds/object/json.ts';
import {
  type BodyMediaType,
  BodySyntaxError,
  DecodeError,
  type KindSchema,
  type ReadBody,
} from '../../kinds/object/kind-schema.ts';
import { badRequest, invalid } from '../../kinds/object/refusals.ts';
import { combined } from '../../lib/combined.ts';
import type { ApiModules, ApiRequest } from '../context/context.ts';
import { contentTypeOf, unsupportedMediaType } from '../context/media-types.ts';
import { withoutOwnerDuplicates } from '../metadata/owner-duplicates.ts';
import type { WriteOptions } from './query.ts';

export interface ReadObject {
  readonly object: ApiObject;
  readonly warnings: readonly string[];
}

/** What Go's types for the head of an object are called in messages. */
const TYPE_META =
  String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; ` +
  String.raw`Kind string "json:\"kind,omitempty\"" }`;

const SCHEME = '"pkg/api/legacyscheme/scheme.go:30"';

/** The media type of the body of a create or update. @throws StatusError UnsupportedMediaType */
function bodyMediaType(contentType: string | undefined): BodyMediaType {
  const type = contentTypeOf(contentType);
  if (type === '' || type === 'application/json') return 'application/json';
  if (type === 'application/yaml') return 'application/yaml';
  throw unsupportedMediaType();
}

/** As many fields that are unknown or given twice are named (decodeState of sigs.k8s.io/json). */
const STRICT_PROBLEMS_MAX = 100;

/**
 * Reads the body as an object of the schema's kind, with defaults. A missing kind or version is that of the schema.
 *
 * @throws StatusError BadRequest, UnsupportedMediaType
 */
export function readObject(
  { registry, readBody }: ApiModules,
  { body, contentType }: Pick<ApiRequest, 'body' | 'contentType'>,
  schema: KindSchema,
  fieldValidation: WriteOptions['fieldValidation'],
): ReadObject {
  const unrecognized = `the object provided is unrecognized (must be of type ${schema.kind})`;
  let read: ReadBody;
  try {
    read = readBody(body, bodyMediaType(contentType));
  } catch (error) {
    if (!(error instanceof BodySyntaxError)) throw error;
    throw badRequest(`${unrecognized}: ${syntaxText(error, contentType)} (${excerpt(body)})`);
  }
  const { value } = read;
  const head = headOf(value, schema, (why) => badRequest(`${unrecognized}: ${why} (${excerpt(body)})`));
  const { group, version, kind } = head;
  const cannot = (why: string): Error =>
    badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${schema.kind}: ${why}`);
  if (schema.strategicMerge === undefined) checkCustomHead(head, schema, value);
  if (group !== schema.group || version !== schema.version || kind !== schema.kind) {
    throw cannot(otherKind(head, schema, registry.isKnownKind(group, version, kind)));
  }
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const whole = { ...(value as ApiObject | null), apiVersion, kind };
  try {
    const { object, strictProblems } = schema.decode(whole);
    const duplicates = read.duplicateKeys.map((path) => `duplicate field ${JSON.stringify(path)}`);
    const { duplicateLines = [] } = read;
    const problems = [...duplicates, ...strictProblems].slice(0, STRICT_PROBLEMS_MAX);
    if (fieldValidation === 'Strict' && problems.length + duplicateLines.length > 0) {
      const all = duplicateLines.length === 0 ? problems : [yamlProblems(duplicateLines), ...problems];
      throw cannot(`strict decoding error: ${all.join(', ')}`);
    }
    schema.setDefaults(object);
    const ofFields = fieldValidation === 'Warn' ? [...duplicateLines, ...problems] : [];
    return { object, warnings: [...ofFields, ...withoutOwnerDuplicates(object)] };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw cannot(error.message);
  }
}

/** What Go's reader of YAML says of keys that are given twice. */
export function yamlProblems(lines: readonly string[]): string {
  return `yaml: unmarshal errors:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

/** Objects of custom resources are read in any version, and then compared. @throws StatusError */
function checkCustomHead({ group, version, kind }: Head, schema: KindSchema, value: JsonValue): void {
  if (group !== schema.group || version !== schema.version) {
    const [given, wanted] = [`${group}/${version}`, `${schema.group}/${schema.version}`];
    const why = `the API version in the data (${given}) does not match the expected API version (${wanted})`;
    throw badRequest(why);
  }
  if (kind === schema.kind) return;
  const error = invalidValue('kind', kind, `must be ${schema.kind}`);
  throw invalid({ group, kind }, (value as ApiObject).metadata?.name ?? '', [error]);
}

export interface Head {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Group, version and kind of a value; what is missing is that of the schema. */
function headOf(value: JsonValue, schema: KindSchema, refusal: (why: string) => Error): Head {
  if (value === null) return schema;
  if (!isJsonObject(value)) {
    const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw refusal(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type ${TYPE_META}`,
    );
  }
  const wrong = headProblem(value);
  if (wrong !== undefined) throw refusal(wrong);
  const { apiVersion = '', kind = '' } = value as ApiObject;
  const parts = (apiVersion ?? '').split('/');
  if (parts.length > 2) throw refusal(`unexpected GroupVersion string: ${apiVersion}`);
  const at = { kind: kind || schema.kind };
  if (!apiVersion) return combined(at, { group: schema.group, version: schema.version });
  const [group, version] = parts.length === 1 ? ['', parts[0]] : [parts[0], parts[1]];
  return combined(at, { group: group as string, version: version as string });
}

/** What Go says of a kind or version that is no text. */
export function headProblem(object: JsonObject): string | undefined {
  for (const name of ['apiVersion', 'kind']) {
    const member = object[name] ?? '';
    if (typeof member === 'string') continue;
    const type = Array.isArray(member) ? 'array' : typeof member === 'boolean' ? 'bool' : typeof member;
    const why = `json: cannot unmarshal ${type} into Go struct field .${name} of type string`;
    return `couldn't get version/kind; json parse error: ${why}`;
  }
  return undefined;
}

/** Why an object of another kind is refused; `isKnown`: whether the kind is one of the API. */
export function otherKind({ group, version, kind }: Head, schema: KindSchema, isKnown: boolean): string {
  const groupVersion = group === '' ? version : `${group}/${version}`;
  if (!isKnown) {
    const where = `version ${JSON.stringify(groupVersion)} in scheme ${SCHEME}`;
    return `no kind ${JSON.stringify(kind)} is registered for ${where}`;
  }
  return `converting (${version}.${kind}) to (${packageOf(schema.group)}.${schema.kind}): unknown conversion`;
}

/** The name of the Go package that has the internal types of a group. */
function packageOf(group: string): string {
  return group === '' || group === 'events.k8s.io' ? 'core' : (group.split('.')[0] as string);
}

function syntaxText({ message }: BodySyntaxError, contentType: string | undefined): string {
  if (contentTypeOf(contentType) === 'application/yaml') return message;
  return `couldn't get version/kind; json parse error: ${message}`;
}

const EXCERPT_BYTES = 30;

/** The beginning of a body as messages quote it: as text if it looks like JSON, else in hexadecimal digits. */
function excerpt(body: string): string {
  if (body === '') return '<empty>';
  const bytes = Buffer.from(body);
  const isText = body.startsWith('{') || body.startsWith('[{');
  const cut = bytes.subarray(0, EXCERPT_BYTES);
  const shown = isText ? cut.toString() : cut.toString('hex');
  return bytes.length > EXCERPT_BYTES ? `${shown} ...` : shown;
}
