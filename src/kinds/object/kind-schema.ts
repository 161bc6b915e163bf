/**
 * THE INTERFACE between the server and what it knows about the data of kinds.
 *
 *   bytes ─▶ BodyReader.read ─▶ value, duplicate keys ─▶ KindSchema.decode ─▶ typed object, unknown fields
 *        ─▶ setDefaults ─▶ [strategies and admission of the server] ─▶ validate ─▶ stored, frozen
 *
 * The server (http, routing, storage, strategies, admission) does the rest: what a client may not set at create and
 * update (status, generation, uid, ...), allocation of addresses, priority and tolerations, quotas, versions, watches,
 * deletion, and generic checks of metadata (names, labels, finalizers, immutable members).
 *
 * Objects are plain JSON. `decode` returns an object that the caller owns; `setDefaults` changes such an object in
 * place. All other functions change nothing: stored objects are frozen.
 */

import type { ApiResource } from './api-resource.ts';
import type { ApiObject, JsonObject, JsonValue } from './json.ts';
import type { FieldError } from './status-error.ts';

/** Makes a schema for each kind: built-in kinds at start, custom ones when their definition is stored. */
export interface SchemaRegistry {
  /** The schema of a built-in kind: `('apps', 'v1', 'Deployment')`, subresources' kinds and options included. */
  builtIn(group: string, version: string, kind: string): KindSchema | undefined;
  /**
   * Checks a CustomResourceDefinition before it is stored, beyond what `builtIn(...).validate` does, and makes the
   * schemas of its served versions, by version.
   */
  custom(definition: ApiObject): ReadonlyMap<string, KindSchema>;
}

/** What is in a body: its value, and what strict reading says of keys that are given twice. */
export interface ReadBody {
  readonly value: JsonValue;
  /** The paths of keys in a JSON body, in document order (`spec.replicas`). */
  readonly duplicateKeys: readonly string[];
  /** The lines of Go's message about a YAML body (`line 3: key "a" already set in map`). */
  readonly duplicateLines?: readonly string[];
}

export type BodyMediaType = 'application/json' | 'application/yaml';

/** Reads a body. Throws `BodySyntaxError`, with the text that Go's parser has for the mistake. */
export type BodyReader = (text: string, mediaType: BodyMediaType) => ReadBody;

export class BodySyntaxError extends Error {}

export interface Decoded {
  readonly object: ApiObject;
  /** What strict decoding reports, in document order: `unknown field "spec.x"`; duplicates are added by the caller. */
  readonly strictProblems: readonly string[];
}

/** A value of a wrong type; the message is Go's: `json: cannot unmarshal string into Go struct field ...`. */
export class DecodeError extends Error {}

/** What a request does: absent `old` for a create. `subresource` is '' for the object itself. */
export interface WriteContext {
  readonly subresource: string;
  /** Problems of the metadata, which the checks of most kinds put first. */
  readonly metadataErrors: readonly FieldError[];
}

export interface KindSchema {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /**
   * Brings a value into the kind's form: drops unknown fields, checks types, drops nulls and empty values that Go's
   * types leave out, writes quantities, times and integers in their canonical form. @throws DecodeError
   */
  decode(value: JsonObject): Decoded;
  /**
   * Fills in defaults, and the members that Go's types always write (`status: {}`, `resources: {}`, `replicas: 0`).
   * Idempotent: also called for objects that were made inside of this process.
   */
  setDefaults(object: ApiObject): void;
  /**
   * Problems of a new object, among them those of its metadata, which the server has checked: the place where they
   * are told is the kind's.
   */
  validate(object: ApiObject, metadataErrors: readonly FieldError[]): readonly FieldError[];
  /** Problems of a change of the object, or of one of its subresources (`status`, `resize`, ...). */
  validateUpdate(object: ApiObject, old: ApiObject, context: WriteContext): readonly FieldError[];
  /** Warnings that accompany a successful write (`spec.x: deprecated ...`); `old` is undefined at create. */
  warnings(object: ApiObject, old: ApiObject | undefined): readonly string[];
  /** The strategic merge of a patch; undefined where the kind has none (custom resources). @throws StatusError */
  readonly strategicMerge: ((object: ApiObject, patch: JsonObject) => JsonObject) | undefined;
  /** Server-side apply and the ownership of fields. */
  readonly fields: FieldManager;
  readonly table: TableColumns;
  /** The object with its members in the order in which Go writes them; it may share parts with the given one. */
  ordered(object: ApiObject): ApiObject;
  /**
   * What Go's types write for an object of which nothing is known, without metadata: `{ spec: {} }` for a Lease,
   * `{ spec: { containers: null }, status: {} }` for a Pod. It stands in the bookmarks of watches.
   */
  readonly empty: JsonObject;
  /** The schema that a custom definition publishes; absent for the kinds of the API itself. */
  readonly openApiSchema?: JsonObject;
}

export interface ApplyRequest {
  readonly manager: string;
  readonly force: boolean;
  readonly subresource: string;
  /** The time for new entries, as text. */
  readonly now: string;
}

export interface FieldManager {
  /**
   * The object after an apply, with `metadata.managedFields`, before defaults. `live` is undefined when the apply
   * creates. @throws StatusError Conflict (FieldManagerConflict causes), or for what does not fit the schema
   */
  apply(live: ApiObject | undefined, applied: ApiObject, request: ApplyRequest): ApiObject;
  /**
   * `metadata.managedFields` after any other write, from the object before (undefined: created) and after it. Called
   * with the object as it will be stored; returns undefined for none.
   */
  updated(
    live: ApiObject | undefined,
    object: ApiObject,
    request: Omit<ApplyRequest, 'force'>,
  ): JsonObject[] | undefined;
}

export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

export interface TableColumns {
  readonly columns: readonly TableColumn[];
  /** The cells of an object, and the conditions of its row (`Completed`). */
  row(object: ApiObject, nowMillis: number): { readonly cells: JsonValue[]; readonly conditions?: JsonObject[] };
}

/** What the server needs of a resource: its description, and the schema of its kind. */
export interface ServedResource {
  readonly resource: ApiResource;
  readonly schema: KindSchema;
}
