import { newIdentity } from '../lib/identity.ts';
import type { Column, ColumnTable } from './column-table.ts';
import type { DomainMembers } from './domain-members.ts';
import type { SharedMemory } from './shared-memory.ts';
import { SharedVector } from './shared-vector.ts';
import { NO_DOMAIN, type NodeDomains, type TopologyDomains } from './topology-domains.ts';

/** Sums of pods by domain, which need not be made while each domain has one node (`isByNode`). */
export interface DomainSums {
  readonly counts: SharedVector;
  readonly isByNode: boolean;
}

/** A newly made counter has pods on few nodes, which are mostly those of one group. */
const FEW_SLOTS = 16;

/** A count of pods by domain or by node, which rules and scores read. */
export class DomainCount {
  readonly id = newIdentity();
  readonly domains: NodeDomains;
  /** The counter of pods on nodes from which the count follows. */
  readonly pods: PodCounter;
  readonly #sums: DomainSums | null;

  /** `sums`: null if the counts are those of `pods`. */
  constructor(domains: NodeDomains, pods: PodCounter, sums: DomainSums | null) {
    this.domains = domains;
    this.pods = pods;
    this.#sums = sums;
  }

  /** The counts by domain; null if they are those of `pods`, by node. */
  get counts(): SharedVector | null {
    return this.isByNode ? null : (this.#sums?.counts ?? null);
  }

  /** Whether counts differ between nodes of one domain, or no two nodes share one. */
  get isByNode(): boolean {
    return this.#sums === null || this.#sums.isByNode;
  }

  /** `domain` is the domain of the slot. */
  countAt(slot: number, domain: number): number {
    const { counts } = this;
    if (counts === null) return this.pods.on(slot);
    return domain === NO_DOMAIN ? 0 : counts.get(domain);
  }
}

/** The pods on each slot, as somebody else keeps them. */
export interface PodsBySlot {
  on(slot: number): number;
  /** Calls `visit` with the slots that have pods; several calls for one slot add up. */
  forEach(visit: (slot: number, pods: number) => void): void;
}

/** The number of pods on each node that satisfy a rule. It updates the counters of domains. */
export class PodCounter {
  readonly #table: ColumnTable;
  readonly #source: PodsBySlot | null;
  #column: Column<'i32'> | null = null;
  /** The number of such pods on all nodes. */
  total = 0;
  readonly domainCounters: DomainCounter[] = [];
  /** Functions that are called for every slot whose number of pods has changed. */
  readonly listeners = new Set<(slot: number) => void>();
  /** The slots that have had pods, each once; null if they are more than a few. */
  #slots: number[] | null = [];
  #countByNode: DomainCount | null = null;

  /** `source`: from where the column can be made when somebody reads it; null if it must be kept from the start. */
  constructor(table: ColumnTable, source: PodsBySlot | null = null) {
    this.#table = table;
    this.#source = source;
    if (source === null) this.#column = this.#newColumn();
  }

  #newColumn(): Column<'i32'> {
    return this.#table.add('i32', 'pods per node');
  }

  /** The pods by slot, in a column that is made now if nobody has read it before. */
  get perNode(): Column<'i32'> {
    if (this.#column !== null) return this.#column;
    const column = this.#newColumn();
    const { values } = column;
    this.#source?.forEach((slot, pods) => {
      values[slot] = (values[slot] ?? 0) + pods;
    });
    this.#column = column;
    return column;
  }

  /** The pods by slot; null if nobody has read the column. */
  get column(): Column<'i32'> | null {
    return this.#column;
  }

  /** Frees the memory, including that of the counters of domains; none of them may be used afterwards. */
  release(table: ColumnTable): void {
    if (this.#column !== null) table.remove(this.#column);
    for (const counter of this.domainCounters) counter.release();
  }

  /**
   * The count of soft constraints by hostname, which is node by node; the same object as long as the domains are the
   * same. A counter may outlive its domains: they are given up with the last plan that reads them, and made anew.
   */
  countByNode(domains: TopologyDomains): DomainCount {
    const known = this.#countByNode;
    if (known !== null && known.domains === domains) return known;
    this.#countByNode = new DomainCount(domains, this, null);
    return this.#countByNode;
  }

  on(slot: number): number {
    return (this.#column === null ? this.#source?.on(slot) : this.#column.values[slot]) ?? 0;
  }

  add(slot: number, delta: number): void {
    if (this.#column !== null) this.#column.values[slot] = this.on(slot) + delta;
    this.#note(slot, delta);
    for (const counter of this.domainCounters) counter.podsChanged(slot, delta);
    for (const notify of this.listeners) notify(slot);
  }

  #note(slot: number, delta: number): void {
    this.total += delta;
    const slots = this.#slots;
    if (slots === null || slots.includes(slot)) return;
    if (slots.length < FEW_SLOTS) slots.push(slot);
    else this.#slots = null;
  }

  /** Calls `visit` with the slots that have pods, as in `PodsBySlot`; mostly without a look at all slots. */
  forEachSlot(visit: (slot: number, pods: number) => void): void {
    if (this.total === 0) return;
    if (this.#column === null) {
      this.#source?.forEach(visit);
      return;
    }
    const { values } = this.#column;
    const slots = this.#slots;
    const count = slots?.length ?? values.length;
    for (let i = 0; i < count; i++) {
      const slot = slots === null ? i : (slots[i] as number);
      const pods = values[slot] ?? 0;
      if (pods !== 0) visit(slot, pods);
    }
  }

  /** Takes over pods that a kernel has counted by node and by domain, but not in the totals. */
  addCounted(slot: number, delta: number): void {
    this.#note(slot, delta);
    for (const counter of this.domainCounters) if (counter.isMember(slot)) counter.total += delta;
    for (const notify of this.listeners) notify(slot);
  }
}

/**
 * The pods of a `PodCounter`, summed over the participating nodes of each domain. A placement changes one element; a
 * node that changes leaves and joins again. A counter for all nodes sums the pods by domain when somebody asks for it,
 * which nobody does as long as each domain has one node.
 *
 *   pods per node   2 0 1 3        home of each node (its domain, -1: takes no part)   0 1 0 -1        counts   3 0
 */
export class DomainCounter implements DomainSums {
  readonly domains: TopologyDomains;
  /** The sum of `counts`. */
  total = 0;
  readonly pods: PodCounter;
  /** What rules and scores read of the counter. */
  readonly count: DomainCount;
  readonly #memory: SharedMemory;
  readonly #nodes: DomainMembers;
  #counts: SharedVector | null = null;

  /** `nodes`: those that take part, which other counters may share. */
  constructor(memory: SharedMemory, pods: PodCounter, nodes: DomainMembers) {
    this.domains = nodes.domains;
    this.pods = pods;
    this.count = new DomainCount(nodes.domains, pods, this);
    this.#memory = memory;
    this.#nodes = nodes;
    pods.domainCounters.push(this);
    if (!nodes.isForAll) this.#counts = this.#newCounts();
    this.#countPods();
  }

  #newCounts(): SharedVector {
    const counts = new SharedVector(this.#memory, 'pods by domain');
    counts.reserve(this.domains.count);
    return counts;
  }

  /** The pods by domain, which are summed now if they never were. */
  get counts(): SharedVector {
    if (this.#counts !== null) return this.#counts;
    const counts = this.#newCounts();
    this.#counts = counts;
    this.total = 0;
    this.#countPods();
    return counts;
  }

  /** Whether the pods of a domain are those of its only node, and were never summed. */
  get isByNode(): boolean {
    return this.#counts === null && this.domains.sharedDomains === 0;
  }

  /** The pods by domain; null if they were never summed. */
  get summed(): SharedVector | null {
    return this.#counts;
  }

  /** The number of nodes that take part, by domain. */
  get members(): SharedVector {
    return this.#nodes.byDomain;
  }

  /** The number of domains that have members. */
  get memberDomains(): number {
    return this.#nodes.memberDomains;
  }

  /** The domain that counts the pods of each slot. */
  get homes(): Column<'i32'> {
    return this.#nodes.homes;
  }

  /** Frees the memory of the sums; the counter must not be used afterwards. */
  release(): void {
    this.#counts?.release();
  }

  /** Whether the pods of the slot are counted. */
  isMember(slot: number): boolean {
    return this.#nodes.homeOf(slot) !== NO_DOMAIN;
  }

  podsChanged(slot: number, delta: number): void {
    const home = this.#nodes.homeOf(slot);
    if (home === NO_DOMAIN) return;
    this.#counts?.add(home, delta);
    this.total += delta;
  }

  #countPods(): void {
    this.pods.forEachSlot((slot, pods) => this.podsChanged(slot, pods));
  }

  /** Counts the pods of a node that has become a member. */
  join(slot: number): void {
    const home = this.#nodes.homeOf(slot);
    if (home !== NO_DOMAIN) this.#counts?.reserve(home + 1);
    this.podsChanged(slot, this.pods.on(slot));
  }

  /** Leaves out the pods of a node, before it is no member any more and leaves its domain. */
  leave(slot: number): void {
    this.podsChanged(slot, -this.pods.on(slot));
  }
}
