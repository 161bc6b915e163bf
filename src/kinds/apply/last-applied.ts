import { type ApiMetadata, type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '../object/json.ts';
import { compare } from './compare.ts';
import { FieldSet } from './field-set.ts';
import type { MergeType } from './merge-type.ts';
import { fieldSetOf } from './typed-value.ts';

/**
 * The way from `kubectl apply` to `kubectl apply --server-side`: the annotation in which kubectl keeps what it applied
 * last (apimachinery/pkg/util/managedfields/internal: lastappliedmanager.go, lastappliedupdater.go).
 */
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
const ANNOTATIONS_BYTES_MAX = 256 * 1024;

/** The manager whose applies take the annotation into account. */
export const KUBECTL = 'kubectl';

/** The fields that kubectl has applied without the server, and that are as it left them: they may be taken over. */
export function fieldsOfLastApplied(live: ApiObject | undefined, type: MergeType, apiVersion: string): FieldSet {
  const last = parsed(live?.metadata?.annotations?.[ANNOTATION]);
  if (live === undefined || last === undefined || last['apiVersion'] !== apiVersion) return new FieldSet();
  const { added, modified, removed } = compare(last, live, type);
  return fieldSetOf(last, type).difference(modified).difference(added).difference(removed);
}

/** The object with its annotation brought up to date, if it has one. */
export function withLastApplied(object: ApiObject, applied: ApiObject): ApiObject {
  const { annotations } = object.metadata ?? {};
  if (!annotations?.[ANNOTATION]) return object;
  const text = `${JSON.stringify(sorted(withoutAnnotation(applied))).replace(/[<>&]/g, escaped)}\n`;
  const value = Buffer.byteLength(text) > ANNOTATIONS_BYTES_MAX ? '' : text;
  return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [ANNOTATION]: value } } };
}

function parsed(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function withoutAnnotation(applied: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = { ...applied.metadata } as ApiMetadata;
  if (metadata.annotations !== undefined) {
    const { [ANNOTATION]: __, ...annotations } = metadata.annotations;
    metadata.annotations = annotations;
  }
  return { ...applied, metadata: metadata as ApiMetadata };
}

function sorted(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value ?? null;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return Object.fromEntries(keys.sort().map((key) => [key, sorted(value[key])]));
}

/** Go escapes what browsers could take for markup. */
function escaped(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}
