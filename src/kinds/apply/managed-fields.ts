import { isJsonObject, type JsonObject } from '../object/json.ts';
import { FieldSet } from './field-set.ts';

/** Who owns which fields of an object, as in `metadata.managedFields`. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

export interface ManagerEntry extends Manager {
  readonly set: FieldSet;
  readonly time: string | undefined;
}

/** Managers by their key. */
export type Managers = Map<string, ManagerEntry>;

/** An applier is the same in every version; others differ by version. */
export function keyOf({ name, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify([operation, name, subresource, operation === 'Apply' ? '' : apiVersion]);
}

/** The entries that a client sent along; undefined for those of which one is not as it should be. */
export function managersGiven(entries: unknown): Managers | undefined {
  const isWhole = (entry: unknown): boolean =>
    isJsonObject(entry) &&
    (entry['operation'] === 'Apply' || entry['operation'] === 'Update') &&
    Boolean(entry['apiVersion']) &&
    entry['fieldsType'] === 'FieldsV1';
  if (!Array.isArray(entries) || entries.length === 0 || !entries.every(isWhole)) return undefined;
  return readManagers(entries);
}

export function readManagers(entries: unknown): Managers {
  const managers: Managers = new Map();
  if (!Array.isArray(entries)) return managers;
  for (const entry of entries) {
    if (!isJsonObject(entry)) continue;
    const manager: ManagerEntry = {
      name: String(entry['manager'] ?? ''),
      operation: entry['operation'] === 'Apply' ? 'Apply' : 'Update',
      apiVersion: String(entry['apiVersion'] ?? ''),
      subresource: String(entry['subresource'] ?? ''),
      set: FieldSet.fromJson(entry['fieldsV1']),
      time: typeof entry['time'] === 'string' ? entry['time'] : undefined,
    };
    managers.set(keyOf(manager), manager);
  }
  return managers;
}

/** Appliers come first, then by time and name, as upstream sorts them. */
export function writeManagers(managers: Managers): JsonObject[] | undefined {
  if (managers.size === 0) return undefined;
  const sorted = [...managers.values()].sort(
    (a, b) =>
      compareTexts(a.operation, b.operation) ||
      compareTexts(a.time ?? '', b.time ?? '') ||
      compareTexts(a.name, b.name) ||
      compareTexts(a.apiVersion, b.apiVersion) ||
      compareTexts(a.subresource, b.subresource),
  );
  return sorted.map(({ name, operation, apiVersion, subresource, set, time }) => {
    const entry: JsonObject = name === '' ? {} : { manager: name };
    entry['operation'] = operation;
    entry['apiVersion'] = apiVersion;
    if (time !== undefined) entry['time'] = time;
    entry['fieldsType'] = 'FieldsV1';
    entry['fieldsV1'] = set.toJson();
    if (subresource !== '') entry['subresource'] = subresource;
    return entry;
  });
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const STRIPPED_METADATA = [
  ...['f:name', 'f:namespace', 'f:creationTimestamp', 'f:selfLink', 'f:uid', 'f:clusterName', 'f:generation'],
  ...['f:managedFields', 'f:resourceVersion'],
];

/** The set without what the server sets and everybody sends along. */
export function stripped(set: FieldSet): FieldSet {
  const metadata = set.children.get('f:metadata');
  const rest = new FieldSet(
    [...set.members].filter((element) => !['f:apiVersion', 'f:kind', 'f:metadata'].includes(element)),
    set.children,
  );
  return metadata === undefined ? rest : rest.replaced('f:metadata', metadata.without(STRIPPED_METADATA));
}

/** At most this many entries of updates are kept; the oldest are united, those of each version in one. */
const UPDATE_MANAGERS_MAX = 10;
const ANCIENT = 'ancient-changes';

export function capManagers(managers: Managers): void {
  const updates = [...managers].filter(([, { operation }]) => operation === 'Update');
  let left = updates.length - UPDATE_MANAGERS_MAX;
  if (left <= 0) return;
  updates.sort(([, a], [, b]) => compareTexts(a.time ?? '', b.time ?? '') || compareTexts(nameOf(a), nameOf(b)));
  // The first entry of a version keeps its name until another entry is united with it.
  const firsts = new Map<string, string>();
  for (const [key, entry] of updates) {
    if (left === 0) return;
    const bucket: ManagerEntry = { ...entry, name: ANCIENT, subresource: '' };
    const ancient = keyOf(bucket);
    const first = firsts.get(entry.apiVersion);
    if (first === undefined) {
      firsts.set(entry.apiVersion, key);
      continue;
    }
    const isBegun = managers.has(ancient);
    const before = managers.get(isBegun ? ancient : first);
    if (key === ancient || before === undefined) continue;
    if (!isBegun) managers.delete(first);
    managers.delete(key);
    managers.set(ancient, { ...bucket, set: entry.set.union(before.set) });
    left--;
  }
}

/** What entries of one time are sorted by: their JSON without fields. */
function nameOf({ name, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify([name, operation, apiVersion, subresource]);
}
