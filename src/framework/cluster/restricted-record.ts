import type { ClusterRecord } from './cluster-record.ts';

/** The record of a cluster that has only these nodes, which are searched in the same order. */
export function restrictedRecord(record: ClusterRecord, names: ReadonlySet<string>): ClusterRecord {
  const { nodes, snapshot } = record;
  const isIn = (name: string): boolean => names.has(name);
  return {
    ...record,
    nodes: nodes.filter(({ node }) => isIn(node.metadata?.name ?? '')),
    ghosts: [],
    snapshot: {
      ...snapshot,
      zones: snapshot.zones.map(([key, listed]) => [key, listed.filter(isIn)] as const),
      listed: snapshot.listed.filter(isIn),
      holders: snapshot.holders.filter(({ node }) => isIn(node)),
    },
  };
}
