import { FieldSet } from '../../kinds/apply/field-set.ts';
import { keyOf, type ManagerEntry, readManagers, writeManagers } from '../../kinds/apply/managed-fields.ts';
import type { JsonObject } from '../../kinds/object/json.ts';

/**
 * Who has set the number of replicas: in a Scale it is one field, and in the scaled object one of many
 * (apimachinery/pkg/util/managedfields/scalehandler.go).
 */
const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS = fieldAt('.spec.replicas');

type Entries = readonly JsonObject[] | undefined;

/** The entries of a Scale, of those who own the number of replicas of the scaled object. */
export function managersOfScale(entries: Entries, path: string): JsonObject[] | undefined {
  const owners = [...readManagers(entries).values()].filter(({ set }) => owns(set, path));
  return written(owners.map((owner) => ({ ...owner, apiVersion: SCALE_VERSION, set: REPLICAS })));
}

/** The entries of the scaled object after a write to its Scale. Owners that are new have no time. */
export function managersOfScaled(
  entries: Entries,
  ofScale: Entries,
  { path, apiVersion }: { readonly path: string; readonly apiVersion: string },
): JsonObject[] | undefined {
  const owners = new Map<string, ManagerEntry>();
  for (const owner of readManagers(ofScale).values()) {
    owners.set(keyOf({ ...owner, apiVersion }), { ...owner, apiVersion, set: fieldAt(path), time: undefined });
  }
  const kept: ManagerEntry[] = [];
  for (const [key, entry] of readManagers(entries)) {
    if (!owns(entry.set, path) || owners.delete(key)) kept.push(entry);
    else kept.push({ ...entry, set: entry.set.difference(fieldAt(path)) });
  }
  return written([...kept.filter(({ set }) => !set.isEmpty), ...owners.values()]);
}

function written(entries: readonly ManagerEntry[]): JsonObject[] | undefined {
  return writeManagers(new Map(entries.map((entry) => [keyOf(entry), entry])));
}

function owns(set: FieldSet, path: string): boolean {
  return !set.intersection(fieldAt(path)).isEmpty;
}

/** The set of one field: `.spec.replicas`. */
function fieldAt(path: string): FieldSet {
  const names = path.split('.').slice(1);
  const last = new FieldSet([`f:${names.at(-1)}`]);
  return names.slice(0, -1).reduceRight((below, name) => new FieldSet([], [[`f:${name}`, below]]), last);
}
