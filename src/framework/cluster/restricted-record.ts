import { getOrMake } from '../../lib/get-or-make.ts';
import type { ClusterRecord, SnapshotRecord } from './cluster-record.ts';

/** The records of clusters that have only the nodes of one part each, which are searched in the same order. */
export function recordsOfParts(
  record: ClusterRecord,
  parts: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ClusterRecord> {
  const partOf = new Map<string, string>();
  for (const [part, names] of parts) for (const name of names) partOf.set(name, part);
  /** The items of each part, in their order. */
  const split = <T>(items: readonly T[], nameOf: (item: T) => string): ReadonlyMap<string, T[]> => {
    const ofPart = new Map<string, T[]>();
    for (const item of items) {
      const part = partOf.get(nameOf(item));
      if (part !== undefined) getOrMake(ofPart, part, () => []).push(item);
    }
    return ofPart;
  };
  const { zones, listed, holders } = record.snapshot;
  const nodes = split(record.nodes, ({ node }) => node.metadata?.name ?? '');
  const zonesOfParts = zones.map(([key, names]) => [key, split(names, itself)] as const);
  const listedOfParts = split(listed, itself);
  const holdersOfParts = split(holders, ({ node }) => node);
  const records = new Map<string, ClusterRecord>();
  for (const part of parts.keys()) {
    const snapshot: SnapshotRecord = {
      ...record.snapshot,
      zones: zonesOfParts.map(([key, names]) => [key, names.get(part) ?? []] as const),
      listed: listedOfParts.get(part) ?? [],
      holders: holdersOfParts.get(part) ?? [],
    };
    records.set(part, { ...record, nodes: nodes.get(part) ?? [], ghosts: [], snapshot });
  }
  return records;
}

function itself(name: string): string {
  return name;
}
