import { isDeepStrictEqual } from 'node:util';
import type { PodStatus } from './pod.ts';

/**
 * Lists of a pod's status that are merged by item, with the member that identifies an item. All other lists are
 * replaced.
 */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  conditions: 'type',
  podIPs: 'ip',
  hostIPs: 'ip',
  resourceClaimStatuses: 'name',
};

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The strategic merge patch that turns `before` into `after`, for the pod with this uid only; concurrent changes of
 * other fields are kept. undefined when nothing changes.
 *
 * Upstream: PatchPodStatus in pkg/util/pod/pod.go.
 */
export function podStatusPatch(uid: string, before: PodStatus, after: PodStatus): JsonObject | undefined {
  const status = statusPatch(before, after);
  return status === undefined ? undefined : { metadata: { uid }, status };
}

/** The status part of such a patch, for any object of the name. Upstream: PatchPodStatus of the scheduler. */
export function statusPatch(before: object, after: object): JsonObject | undefined {
  if (before === after) return undefined;
  const status = objectPatch(asJson(differing(before, after)), asJson(differing(after, before)));
  return Object.keys(status).length === 0 ? undefined : status;
}

function objectPatch(before: JsonObject, after: JsonObject): JsonObject {
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) patch[key] = null;
  }
  for (const [key, value] of Object.entries(after)) {
    const old = before[key];
    const mergeKey = MERGE_KEYS[key];
    // Null means that the member is absent.
    if (old === value || isDeepStrictEqual(old, value) || (value === null && old === undefined)) continue;
    if (mergeKey !== undefined && isObjectList(old) && isObjectList(value)) {
      patch[`$setElementOrder/${key}`] = value.map((entry) => ({ [mergeKey]: entry[mergeKey] }));
      const entries = listPatch(old, value, mergeKey);
      if (entries.length > 0) patch[key] = entries;
    } else {
      patch[key] = isObject(old) && isObject(value) ? objectPatch(old, value) : value;
    }
  }
  return patch;
}

/** Items that are new or changed, and directives that delete items that are gone. */
function listPatch(before: readonly JsonObject[], after: readonly JsonObject[], mergeKey: string): JsonObject[] {
  const oldByName = new Map(before.map((entry) => [entry[mergeKey], entry]));
  const names = new Set(after.map((entry) => entry[mergeKey]));
  const changes = after.flatMap((entry) => {
    const name = entry[mergeKey];
    const old = oldByName.get(name);
    if (old === undefined) return [entry];
    const patch = objectPatch(old, entry);
    return Object.keys(patch).length === 0 ? [] : [{ ...patch, [mergeKey]: name }];
  });
  const deletions = [...oldByName.keys()].filter((name) => !names.has(name));
  return [...changes, ...deletions.map((name) => ({ $patch: 'delete', [mergeKey]: name }))];
}

/** The members that are not the very members of the other status. */
function differing(status: object, other: object): object {
  const members: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(status)) {
    if (value !== (other as JsonObject)[key]) members[key] = value;
  }
  return members;
}

/** The status as plain JSON: undefined members are dropped, times are text. Parts that are plain are shared. */
function asJson(status: object): JsonObject {
  return jsonOf(status) as JsonObject;
}

/** The value as JSON has it; undefined for what a member's absence stands for. */
function jsonOf(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') return parsed(value);
  if (Array.isArray(value)) return jsonListOf(value);
  if ('toJSON' in value || Object.getPrototypeOf(value) !== Object.prototype) return parsed(value);
  let copy: Record<string, unknown> | null = null;
  for (const [key, member] of Object.entries(value)) {
    const json = jsonOf(member);
    if (json === member && json !== undefined) continue;
    copy ??= { ...value };
    if (json === undefined) delete copy[key];
    else copy[key] = json;
  }
  return copy ?? value;
}

function jsonListOf(list: readonly unknown[]): readonly unknown[] {
  let isPlain = true;
  const items = list.map((item) => {
    const json = jsonOf(item) ?? null;
    if (json !== item) isPlain = false;
    return json;
  });
  return isPlain ? list : items;
}

function parsed(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

function isObjectList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isObject);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
