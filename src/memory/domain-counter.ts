import type { Column, ColumnTable } from './column-table.ts';
import type { SharedMemory } from './shared-memory.ts';
import { SharedVector } from './shared-vector.ts';
import { NO_DOMAIN, type TopologyDomains } from './topology-domains.ts';

/** How many pods that satisfy something are on each node; feeds the counters of domains. */
export class PodCounter {
  readonly perNode: Column<'i32'>;
  /** On all nodes. */
  total = 0;
  readonly domainCounters: DomainCounter[] = [];
  /** Told of every slot whose number of pods has changed. */
  readonly listeners = new Set<(slot: number) => void>();

  constructor(table: ColumnTable) {
    this.perNode = table.add('i32');
  }

  on(slot: number): number {
    return this.perNode.values[slot] ?? 0;
  }

  add(slot: number, delta: number): void {
    this.perNode.values[slot] = this.on(slot) + delta;
    this.total += delta;
    for (const counter of this.domainCounters) counter.podsChanged(slot, delta);
    for (const tell of this.listeners) tell(slot);
  }
}

/**
 * The pods of a `PodCounter`, summed over the nodes of each domain that take part. A placement touches one element; a
 * node that changes is taken out and put back.
 *
 *   pods per node   2 0 1 3        home of each node (where it counts now, -1: takes no part)   0 1 0 -1
 *   counts          3 0            members (nodes that take part in the domain)                 2 1
 */
export class DomainCounter {
  readonly domains: TopologyDomains;
  readonly counts: SharedVector;
  readonly members: SharedVector;
  /** Sum of `counts`. */
  total = 0;
  /** Domains that have members. */
  memberDomains = 0;
  readonly pods: PodCounter;
  readonly #homes: Column<'i32'>;

  constructor(memory: SharedMemory, table: ColumnTable, domains: TopologyDomains, pods: PodCounter) {
    this.domains = domains;
    this.counts = new SharedVector(memory);
    this.members = new SharedVector(memory);
    this.counts.reserve(domains.count);
    this.members.reserve(domains.count);
    this.pods = pods;
    this.#homes = table.add('i32', NO_DOMAIN);
    pods.domainCounters.push(this);
  }

  podsChanged(slot: number, delta: number): void {
    const home = this.#homes.values[slot] ?? NO_DOMAIN;
    if (home === NO_DOMAIN) return;
    this.counts.add(home, delta);
    this.total += delta;
  }

  /** The node takes part in the domain in which it lies, if it lies in one. */
  join(slot: number): void {
    const home = this.domains.domainOf(slot);
    this.#homes.values[slot] = home;
    if (home === NO_DOMAIN) return;
    this.counts.reserve(home + 1);
    this.members.reserve(home + 1);
    if (this.members.get(home) === 0) this.memberDomains++;
    this.members.add(home, 1);
    this.podsChanged(slot, this.pods.on(slot));
  }

  /** Every node takes part; for a counter that no node has joined yet. */
  joinAll(): void {
    this.#homes.values.set(this.domains.column.values);
    for (let domain = 0; domain < this.domains.count; domain++) {
      const nodes = this.domains.nodesIn(domain);
      this.members.values[domain] = nodes;
      if (nodes > 0) this.memberDomains++;
    }
    if (this.pods.total === 0) return;
    this.pods.perNode.values.forEach((pods, slot) => {
      if (pods !== 0) this.podsChanged(slot, pods);
    });
  }

  /** The node takes no part (any more). */
  leave(slot: number): void {
    const home = this.#homes.values[slot] ?? NO_DOMAIN;
    if (home === NO_DOMAIN) return;
    this.podsChanged(slot, -this.pods.on(slot));
    this.members.add(home, -1);
    if (this.members.get(home) === 0) this.memberDomains--;
    this.#homes.values[slot] = NO_DOMAIN;
  }
}
