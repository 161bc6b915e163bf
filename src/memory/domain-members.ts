import type { Column, ColumnTable } from './column-table.ts';
import type { SharedMemory } from './shared-memory.ts';
import { SharedVector } from './shared-vector.ts';
import { NO_DOMAIN, type TopologyDomains } from './topology-domains.ts';

/**
 * The nodes that take part in counts by domain, which hundreds of counters may share. Where every node takes part, they
 * are those of the domains.
 *
 *   home of each node (its domain, -1: takes no part)   0 1 0 -1        nodes that take part by domain   2 1
 */
export class DomainMembers {
  readonly domains: TopologyDomains;
  /** The domain that counts the pods of each slot. */
  readonly homes: Column<'i32'>;
  /** The number of nodes that take part, by domain. */
  readonly byDomain: SharedVector;
  readonly isForAll: boolean;
  readonly #table: ColumnTable;
  #memberDomains = 0;

  /** `isForAll`: every node takes part, and has joined if it lies in a domain. */
  constructor(memory: SharedMemory, table: ColumnTable, domains: TopologyDomains, isForAll: boolean) {
    this.domains = domains;
    this.isForAll = isForAll;
    this.#table = table;
    this.homes = isForAll ? domains.column : table.add('i32', 'homes of counters', NO_DOMAIN);
    this.byDomain = isForAll ? domains.nodeCounts : new SharedVector(memory, 'members by domain');
  }

  /** The number of domains that have members. */
  get memberDomains(): number {
    return this.isForAll ? this.domains.usedDomains : this.#memberDomains;
  }

  /** The domain that counts the pods of the slot; NO_DOMAIN if they are not counted. */
  homeOf(slot: number): number {
    return this.homes.values[slot] ?? NO_DOMAIN;
  }

  /** Gives the memory back; the members must not be used afterwards. */
  release(): void {
    if (this.isForAll) return;
    this.byDomain.release();
    this.#table.remove(this.homes);
  }

  /** Adds the nodes in these slots that take part; no node has joined yet. */
  joinAll(slotCount: number, takesPart: (slot: number) => boolean): void {
    const domains = this.domains.column.values;
    const homes = this.homes.values;
    const members = new Int32Array(this.domains.count);
    for (let slot = 0; slot < slotCount; slot++) {
      const home = domains[slot] ?? NO_DOMAIN;
      if (home === NO_DOMAIN || !takesPart(slot)) continue;
      homes[slot] = home;
      if (members[home] === 0) this.#memberDomains++;
      members[home] = (members[home] ?? 0) + 1;
    }
    this.byDomain.reserve(members.length);
    this.byDomain.values.set(members);
  }

  /** Adds the node to the domain in which it lies, if there is one. Called before counters count its pods. */
  join(slot: number): void {
    if (this.isForAll) return;
    const home = this.domains.domainOf(slot);
    this.homes.values[slot] = home;
    if (home === NO_DOMAIN) return;
    this.byDomain.reserve(home + 1);
    if (this.byDomain.get(home) === 0) this.#memberDomains++;
    this.byDomain.add(home, 1);
  }

  /** Removes the node. Called after counters have left out its pods. */
  leave(slot: number): void {
    const home = this.homeOf(slot);
    if (this.isForAll || home === NO_DOMAIN) return;
    this.byDomain.add(home, -1);
    if (this.byDomain.get(home) === 0) this.#memberDomains--;
    this.homes.values[slot] = NO_DOMAIN;
  }
}
