import type { Node } from '../../api/node.ts';
import type { ColumnTable } from '../../memory/column-table.ts';
import { DomainCounter, type PodCounter } from '../../memory/domain-counter.ts';
import { DomainMembers } from '../../memory/domain-members.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { NO_DOMAIN, type TopologyDomains } from '../../memory/topology-domains.ts';
import { EVERY_NODE, type NodeCondition, type TakesPartModules, takesPart } from './node-condition.ts';

export interface MembershipModules extends TakesPartModules {
  readonly memory: SharedMemory;
  readonly table: ColumnTable;
}

/** The counters over the domains of one topology key in which the same nodes take part. */
export class Membership {
  readonly condition: NodeCondition;
  readonly #memory: SharedMemory;
  readonly #nodes: DomainMembers;
  readonly #counters = new Set<DomainCounter>();

  constructor(modules: MembershipModules, domains: TopologyDomains, condition: NodeCondition) {
    const { memory, table, cluster } = modules;
    this.condition = condition;
    this.#memory = memory;
    this.#nodes = new DomainMembers(memory, table, domains, condition === EVERY_NODE);
    if (condition !== EVERY_NODE) this.#nodes.joinAll(cluster.slotCount, takesPart(condition, modules));
  }

  newCounter(pods: PodCounter): DomainCounter {
    const counter = new DomainCounter(this.#memory, pods, this.#nodes);
    this.#counters.add(counter);
    return counter;
  }

  /** Forgets a counter that is given up. Returns whether it was the last one: then nobody may use the membership. */
  drop(counter: DomainCounter): boolean {
    this.#counters.delete(counter);
    if (this.#counters.size > 0) return false;
    this.#nodes.release();
    return true;
  }

  /** Whether it is known already whether the node takes part. */
  isUpToDate(slot: number, node: Node): boolean {
    const { condition } = this;
    return condition === EVERY_NODE || (this.#nodes.homeOf(slot) !== NO_DOMAIN) === condition.includes(node);
  }

  /** Adds a node to the domain in which it lies, if it takes part. */
  join(slot: number, node: Node): void {
    if (!this.condition.includes(node)) return;
    this.#nodes.join(slot);
    for (const counter of this.#counters) counter.join(slot);
  }

  /** Removes a node, before it leaves its domain. */
  leave(slot: number): void {
    for (const counter of this.#counters) counter.leave(slot);
    this.#nodes.leave(slot);
  }
}
