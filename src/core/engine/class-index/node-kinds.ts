import type { Column, ColumnTable } from '../../../memory/column-table.ts';
import { NO_DOMAIN, type TopologyDomains } from '../../../memory/topology-domains.ts';
import type { ClusterState } from '../../cache/cluster-state.ts';
import type { Gate } from '../gate.ts';
import type { TopologyIndex } from '../topology/topology-index.ts';
import type { DomainCount } from '../topology/topology-rules.ts';

/** More domains than this are not kept apart. */
const MAX_PARTITIONS = 16;
/** More pods than this on one node are not told apart. */
const MAX_COUNT = 4094;
/** Counts that differ from node to node; with more of them there would be too many kinds. */
const MAX_NODE_COUNTS = 3;
const REJECTED = 0;

/** What nodes of one kind have in common. */
export interface NodeKind {
  readonly gateKind: number;
  readonly partition: number;
  /** Pods by count of `nodeCounts`; -1 where the node is in no domain. */
  readonly counts: readonly number[];
}

export interface NodeKindsModules {
  readonly table: ColumnTable;
  readonly cluster: ClusterState;
  readonly topology: TopologyIndex;
}

/** How counts split up: by domains that several nodes share, or node by node. */
export interface CountSplit {
  readonly shared: readonly TopologyDomains[];
  readonly nodeCounts: readonly DomainCount[];
}

/** null: too many of either for an index. */
export function splitCounts(counts: readonly DomainCount[]): CountSplit | null {
  const shared = [...new Set(counts.map(({ domains }) => domains))].filter(isShared);
  const nodeCounts = [...new Set(counts.filter(({ domains }) => !isShared(domains)))];
  const partitions = shared.reduce((product, { count }) => product * (count + 1), 1);
  return partitions > MAX_PARTITIONS * 4 || nodeCounts.length > MAX_NODE_COUNTS ? null : { shared, nodeCounts };
}

export function isShared({ sharedDomains }: TopologyDomains): boolean {
  return sharedDomains > 0;
}

/**
 * Tells nodes apart by all that a pod class with topology rules looks at: what its gate says, in which domains they lie
 * and how many pods they hold of those that matter. Nodes of a kind get the same, but for their resources.
 */
export class NodeKinds {
  readonly column: Column<'u16'>;
  readonly split: CountSplit;
  /** By kind; nothing for REJECTED. */
  readonly kinds: (NodeKind | null)[] = [null];
  /** By partition: the domain of each of `split.shared`. */
  readonly partitions: (readonly number[])[] = [];
  readonly #modules: NodeKindsModules;
  readonly #gate: Gate;
  readonly #kindIds = new Map<string, number>();
  readonly #partitionIds = new Map<string, number>();
  readonly #dirty: number[] = [];
  #kindsVersion = -1;
  #nodesVersion = -1;
  #isOverflown = false;

  constructor(modules: NodeKindsModules, gate: Gate, split: CountSplit) {
    this.#modules = modules;
    this.#gate = gate;
    this.split = split;
    this.column = modules.table.add('u16');
    for (const { pods } of split.nodeCounts) pods.listeners.add(this.#podsChanged);
  }

  /** There are more partitions or pods on a node than can be told apart. */
  get isOverflown(): boolean {
    return this.#isOverflown;
  }

  /** Every node may be of another kind: what was counted by kind is void. True after `judgeAll`. */
  get isOutdated(): boolean {
    return this.#kindsVersion !== this.#gate.kindsVersion || this.#nodesVersion !== this.#modules.topology.nodesVersion;
  }

  judgeAll(): void {
    const { cluster, topology } = this.#modules;
    this.#kindsVersion = this.#gate.kindsVersion;
    this.#nodesVersion = topology.nodesVersion;
    this.#dirty.length = 0;
    for (let slot = 0; slot < cluster.slotCount; slot++) this.column.values[slot] = this.#kindOf(slot);
  }

  /** Calls back for each slot whose kind is another since the last time, before and after the change. */
  judgeDirty(onChange: (slot: number, before: number, after: number) => void): void {
    for (const slot of this.#dirty) {
      const before = this.column.values[slot] ?? REJECTED;
      const after = this.#kindOf(slot);
      if (before === after) continue;
      onChange(slot, before, after);
    }
    this.#dirty.length = 0;
  }

  release(): void {
    this.#modules.table.remove(this.column);
    for (const { pods } of this.split.nodeCounts) pods.listeners.delete(this.#podsChanged);
  }

  readonly #podsChanged = (slot: number): void => {
    this.#dirty.push(slot);
  };

  #kindOf(slot: number): number {
    const gateKind = this.#gate.kinds.values[slot] ?? REJECTED;
    if (gateKind === REJECTED) return REJECTED;
    const counts = this.split.nodeCounts.map((count) => this.#countOn(slot, count));
    const partition = this.#partitionOf(slot);
    const key = `${gateKind} ${partition} ${counts.join(' ')}`;
    let kind = this.#kindIds.get(key);
    if (kind === undefined) {
      kind = this.kinds.push({ gateKind, partition, counts }) - 1;
      this.#kindIds.set(key, kind);
      if (kind > 65_535) this.#isOverflown = true;
    }
    return kind;
  }

  #countOn(slot: number, { domains, countAt }: DomainCount): number {
    const domain = domains.domainOf(slot);
    if (domain === NO_DOMAIN) return -1;
    const count = countAt(slot, domain);
    if (count > MAX_COUNT) this.#isOverflown = true;
    return count;
  }

  #partitionOf(slot: number): number {
    const domains = this.split.shared.map((shared) => shared.domainOf(slot));
    const key = domains.join(' ');
    let partition = this.#partitionIds.get(key);
    if (partition === undefined) {
      partition = this.partitions.push(domains) - 1;
      this.#partitionIds.set(key, partition);
      if (partition >= MAX_PARTITIONS) this.#isOverflown = true;
    }
    return partition;
  }
}
