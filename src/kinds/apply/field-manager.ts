import { isDeepStrictEqual } from 'node:util';
import { combined } from '../../lib/combined.ts';
import type { ApiMetadata, ApiObject, JsonObject } from '../object/json.ts';
import type { ApplyRequest, FieldManager } from '../object/kind-schema.ts';
import { type StatusCause, StatusError } from '../object/status-error.ts';
import { type Comparison, compare } from './compare.ts';
import { FieldSet } from './field-set.ts';
import { FieldsOfNew } from './fields-of-new.ts';
import { fieldsOfLastApplied, KUBECTL, withLastApplied } from './last-applied.ts';
import {
  capManagers,
  keyOf,
  type Manager,
  type ManagerEntry,
  type Managers,
  managersGiven,
  readManagers,
  stripped,
  writeManagers,
} from './managed-fields.ts';
import { merged } from './merge.ts';
import type { MergeType } from './merge-type.ts';
import { schemaProblems } from './schema-check.ts';
import { fieldSetOf, withNamedFields, withoutFields } from './typed-value.ts';

/** What the field manager needs to know of a kind. */
export interface ManagedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: MergeType;
  /** An object of the kind that nobody has set anything in. */
  readonly emptyObject: () => ApiObject;
  /** The top-level members that a write to the subresource ignores: `status`, or `spec`. */
  readonly ignored: (subresource: string) => readonly string[];
  /** The kind's form of what came out of an apply. */
  readonly tidied: (object: ApiObject) => ApiObject;
}

const BEFORE_FIRST_APPLY = 'before-first-apply';

/** Server-side apply, and who owns which field (apimachinery/pkg/util/managedfields and structured-merge-diff). */
export class KindFieldManager implements FieldManager {
  private readonly kind: ManagedKind;
  private readonly apiVersion: string;
  private readonly ofNew = new FieldsOfNew();

  constructor(kind: ManagedKind) {
    this.kind = kind;
    this.apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
  }

  /** An apply by kubectl takes over what kubectl has applied without the server, and keeps its annotation true. */
  apply(live: ApiObject | undefined, applied: ApiObject, request: ApplyRequest): ApiObject {
    this.check(applied);
    if (request.manager !== KUBECTL) return this.applied(live, applied, request);
    return withLastApplied(this.appliedByKubectl(live, applied, request), applied);
  }

  private appliedByKubectl(live: ApiObject | undefined, applied: ApiObject, request: ApplyRequest): ApiObject {
    try {
      return this.applied(live, applied, request);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const own = fieldsOfLastApplied(live, this.kind.type, this.apiVersion);
      const left = error.conflicts
        .map(({ manager, set }) => ({ manager, set: set.difference(own) }))
        .filter(({ set }) => !set.isEmpty);
      if (left.length > 0) throw conflictError(left);
      return this.applied(live, applied, combined(request, { force: true }));
    }
  }

  private applied(live: ApiObject | undefined, applied: ApiObject, request: ApplyRequest): ApiObject {
    const before = withoutManagedFields(live ?? this.kind.emptyObject());
    const managers = this.managersBeforeApply(live, before, request);
    const entry = this.manager(request, 'Apply');
    const { type } = this.kind;
    const last = managers.get(keyOf(entry));
    const set = this.notIgnored(fieldSetOf(applied, type), request.subresource);
    managers.set(keyOf(entry), combined(entry, { set, time: last?.time }));
    const whole = merged(before, applied, type) as ApiObject;
    const after = this.pruned(whole, managers, last);
    const key = keyOf(entry);
    this.takeFromOthers(managers, key, compare(before, after, type), request);
    const owned = managers.get(key);
    if (owned !== undefined) managers.set(key, { ...owned, set: stripped(owned.set) });
    dropEmpty(managers);
    const kept = managers.get(key);
    // An apply that changes no value does not change the time, and a new manager then has none.
    if (kept !== undefined && !isDeepStrictEqual(before, after)) managers.set(key, { ...kept, time: request.now });
    return withManagedFields(this.kind.tidied(withIdentity(after, before)), managers);
  }

  updated(
    live: ApiObject | undefined,
    object: ApiObject,
    request: Omit<ApplyRequest, 'force'>,
  ): JsonObject[] | undefined {
    // What is sent along with a subresource does not matter.
    const given = request.subresource === '' ? object.metadata?.managedFields : undefined;
    const isReset = Array.isArray(given) && live !== undefined && isCleared(given);
    const managers = isReset ? new Map<string, ManagerEntry>() : this.managersOf(given, live);
    // Who cleared the ownership, or never had any, is not followed.
    if (live !== undefined && managers.size === 0) return undefined;
    this.addUpdate(managers, live, object, request);
    return writeManagers(managers);
  }

  /** The entries that a client sent, if they can be read, or those of the object. */
  private managersOf(given: JsonObject[] | undefined, live: ApiObject | undefined): Managers {
    return managersGiven(given) ?? readManagers(live?.metadata?.managedFields);
  }

  private addUpdate(
    managers: Managers,
    live: ApiObject | undefined,
    object: ApiObject,
    request: Omit<ApplyRequest, 'force'>,
  ): void {
    const entry = this.manager(request, 'Update');
    const isFirst = live === undefined && managers.size === 0;
    const set = isFirst
      ? this.ofNew.of(object, request.subresource, () => this.changed(managers, live, object, request))
      : this.changed(managers, live, object, request);
    if (!set.isEmpty) {
      const known = managers.get(keyOf(entry));
      const whole = known === undefined ? set : known.set.union(set);
      // A write through the scale leaves no time.
      const time = request.subresource === 'scale' ? undefined : request.now;
      managers.set(keyOf(entry), combined(entry, { set: whole, time }));
    }
    dropEmpty(managers);
    capManagers(managers);
  }

  /** What a write has changed; others lose it. */
  private changed(
    managers: Managers,
    live: ApiObject | undefined,
    object: ApiObject,
    request: Omit<ApplyRequest, 'force'>,
  ): FieldSet {
    const before = withoutManagedFields(live ?? this.kind.emptyObject());
    const comparison = compare(before, withoutManagedFields(object), this.kind.type);
    this.takeFromOthers(managers, undefined, comparison, combined(request, { force: true }));
    return this.owned(comparison.modified.union(comparison.added), request.subresource);
  }

  /** What an object had before anybody applied to it belongs to a manager of its own. */
  private managersBeforeApply(live: ApiObject | undefined, before: ApiObject, request: ApplyRequest): Managers {
    const managers = readManagers(live?.metadata?.managedFields);
    if (live === undefined || managers.size > 0) return managers;
    const { subresource, now } = request;
    this.addUpdate(managers, undefined, before, { manager: BEFORE_FIRST_APPLY, subresource, now });
    return managers;
  }

  private manager(request: Omit<ApplyRequest, 'force'>, operation: Manager['operation']): Manager {
    const { manager: name, subresource } = request;
    return { name, operation, apiVersion: this.apiVersion, subresource };
  }

  private owned(set: FieldSet, subresource: string): FieldSet {
    return stripped(this.notIgnored(set, subresource));
  }

  private notIgnored(set: FieldSet, subresource: string): FieldSet {
    return set.without(this.kind.ignored(subresource).map((name) => `f:${name}`));
  }

  /** @throws StatusError for what does not fit the schema */
  private check(applied: ApiObject): void {
    const problems = schemaProblems(applied, this.kind.type);
    if (problems.length === 0) return;
    const { group, version, kind } = this.kind;
    const { namespace = '', name = '' } = applied.metadata ?? {};
    const text = problems.length === 1 ? problems[0] : `errors:\n${problems.map((line) => `  ${line}`).join('\n')}`;
    const what = `${namespace}/${name}; ${group}/${version}, Kind=${kind}`;
    throw new StatusError(500, '', `failed to create typed patch object (${what}): ${text}`);
  }

  /** Removes what the manager applied last, does not apply now, and nobody else owns. */
  private pruned(whole: ApiObject, managers: Managers, last: ManagerEntry | undefined): ApiObject {
    if (last === undefined || last.set.isEmpty) return whole;
    const { type } = this.kind;
    const named = (set: FieldSet): FieldSet => withNamedFields(set, type);
    const remove = (set: FieldSet): ApiObject => (withoutFields(whole, set, type) ?? {}) as ApiObject;
    const all = named(fieldSetOf(whole, type));
    const rest = named(fieldSetOf(remove(named(last.set)), type));
    const owned = named([...managers.values()].reduce((sum, { set }) => sum.union(set), new FieldSet()));
    const kept = remove(all.difference(rest.union(owned)));
    return remove(all.intersection(named(last.set)).difference(named(fieldSetOf(kept, type))));
  }

  /** @throws StatusError Conflict */
  private takeFromOthers(
    managers: Managers,
    key: string | undefined,
    { added, modified, removed }: Comparison,
    request: ApplyRequest,
  ): void {
    const ignored = this.kind.ignored(request.subresource).map((name) => `f:${name}`);
    const changed = modified.union(added).without(ignored);
    const gone = removed.without(ignored);
    const conflicts: Conflict[] = [];
    for (const [other, manager] of managers) {
      if (other === key) continue;
      const set = manager.set.intersection(changed);
      if (!set.isEmpty) conflicts.push({ manager, set });
      if (request.force) managers.set(other, { ...manager, set: manager.set.difference(set).difference(gone) });
      else managers.set(other, { ...manager, set: manager.set.difference(gone) });
    }
    if (!request.force && conflicts.length > 0) throw conflictError(conflicts);
  }
}

/** Keeps the names and uids that the server sets: no manager applies them, so applying less must not remove them. */
function withIdentity(object: ApiObject, live: ApiObject): ApiObject {
  const metadata: ApiMetadata = { ...object.metadata };
  for (const name of IDENTITY) {
    const value = live.metadata?.[name];
    if (metadata[name] === undefined && value !== undefined) Object.assign(metadata, { [name]: value });
  }
  return { ...object, metadata };
}

const IDENTITY = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'deletionTimestamp'] as const;

/** Fields that another manager owns. */
interface Conflict {
  readonly manager: ManagerEntry;
  readonly set: FieldSet;
}

class ConflictError extends StatusError {
  readonly conflicts: readonly Conflict[];

  constructor(message: string, causes: readonly StatusCause[], conflicts: readonly Conflict[]) {
    super(409, 'Conflict', message, { causes });
    this.conflicts = conflicts;
  }
}

function conflictError(conflicts: readonly Conflict[]): ConflictError {
  const byText = new Map<string, string[]>();
  for (const { manager, set } of conflicts) byText.set(managerText(manager), set.paths());
  const names = [...byText.keys()].sort();
  const count = [...byText.values()].flat().length;
  const isOne = count === 1;
  const parts = names.map((name) => {
    const paths = byText.get(name)!;
    return isOne ? `conflict with ${name}: ${paths[0]}` : `conflicts with ${name}:\n- ${paths.join('\n- ')}`;
  });
  const causes = names.flatMap((name) =>
    byText.get(name)!.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${name}`, field })),
  );
  const head = `Apply failed with ${count} ${isOne ? 'conflict' : 'conflicts'}: `;
  return new ConflictError(head + parts.join('\n'), causes, conflicts);
}

/** Names a manager in a message about conflicts; the time of its update is left out, as recordings do not show it. */
function managerText({ name, operation, apiVersion, subresource }: ManagerEntry): string {
  const below = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(name)}${below}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

function dropEmpty(managers: Managers): void {
  for (const [key, { set }] of managers) if (set.isEmpty) managers.delete(key);
}

/** A list with one empty entry, or none, takes ownership off an object. */
function isCleared(entries: readonly JsonObject[]): boolean {
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0);
}

function withoutManagedFields(object: ApiObject): ApiObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: metadata as ApiMetadata };
}

function withManagedFields(object: ApiObject, managers: Managers): ApiObject {
  const managedFields = writeManagers(managers);
  const metadata: ApiMetadata = { ...object.metadata };
  if (managedFields !== undefined) metadata.managedFields = managedFields;
  return { ...object, metadata };
}
