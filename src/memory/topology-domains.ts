import { newIdentity } from '../lib/identity.ts';
import type { Column, ColumnTable } from './column-table.ts';
import type { SharedMemory } from './shared-memory.ts';
import { SharedVector } from './shared-vector.ts';

export const NO_DOMAIN = -1;

/** Nodes sorted into domains: what counts by domain are read with. */
export interface NodeDomains {
  readonly id: number;
  /** The domain number of each slot; NO_DOMAIN for a node that lies in none. */
  readonly column: Column<'i32'>;
  /** All domain numbers lie below this. */
  readonly count: number;
  /** The number of nodes that lie in a domain. */
  readonly placedNodes: number;
  /** The number of domains with more than one node. */
  readonly sharedDomains: number;
  domainOf(slot: number): number;
}

/**
 * The domains (zones, racks, hosts) of one topology key, and the domain of each node. Each value of the label has a
 * number; the number of a value that no node has any more is used for the next new value.
 */
export class TopologyDomains implements NodeDomains {
  readonly id = newIdentity();
  /** The domain number of each slot; NO_DOMAIN for a node without the label. */
  readonly column: Column<'i32'>;
  /** The number of nodes by domain number. */
  readonly nodeCounts: SharedVector;
  /** The numbers by value; null while each node's value is its own name, so that no two are equal. */
  #numbers: Map<string, number> | null = null;
  readonly #values: string[] = [];
  readonly #free: number[] = [];
  readonly #table: ColumnTable;

  constructor(memory: SharedMemory, table: ColumnTable) {
    this.#table = table;
    this.column = table.add('i32', 'domains of a topology key', NO_DOMAIN);
    this.nodeCounts = new SharedVector(memory, 'nodes by domain');
  }

  /** The number of nodes that have the label. */
  placedNodes = 0;
  /** The number of domains with a node. */
  usedDomains = 0;
  /** The number of domains with more than one node. */
  sharedDomains = 0;

  /** All domain numbers lie below this. */
  get count(): number {
    return this.#values.length;
  }

  /** Whether a node has this value. */
  has(value: string): boolean {
    return this.#byValue.has(value);
  }

  /** Gives the memory back; the domains must not be used afterwards. */
  release(): void {
    this.#table.remove(this.column);
    this.nodeCounts.release();
  }

  domainOf(slot: number): number {
    return this.column.values[slot] ?? NO_DOMAIN;
  }

  /** Whether the slot has this value of the label already; undefined if the node lacks the label. */
  holds(slot: number, value: string | undefined): boolean {
    const domain = this.domainOf(slot);
    return value === undefined ? domain === NO_DOMAIN : domain !== NO_DOMAIN && this.#values[domain] === value;
  }

  /** The numbers by value, entered in a table when somebody looks for one: mostly hostnames are names of nodes. */
  get #byValue(): Map<string, number> {
    this.#numbers ??= new Map(this.#values.map((value, domain) => [value, domain]));
    return this.#numbers;
  }

  /**
   * Sets the label value of a slot that is new or cleared; undefined if the node lacks the label. `nodeName`: the name
   * of the node, which no other has.
   */
  assign(slot: number, value: string | undefined, nodeName?: string): void {
    if (value === undefined) {
      this.column.values[slot] = NO_DOMAIN;
      return;
    }
    const isNew = this.#numbers === null && value === nodeName;
    const domain = isNew ? this.#newDomain(value) : (this.#byValue.get(value) ?? this.#newDomain(value));
    this.nodeCounts.add(domain, 1);
    const nodeCount = this.nodeCounts.get(domain);
    if (nodeCount === 1) this.usedDomains++;
    else if (nodeCount === 2) this.sharedDomains++;
    this.placedNodes++;
    this.column.values[slot] = domain;
  }

  clear(slot: number): void {
    const domain = this.domainOf(slot);
    this.column.values[slot] = NO_DOMAIN;
    if (domain === NO_DOMAIN) return;
    this.placedNodes--;
    this.nodeCounts.add(domain, -1);
    const nodeCount = this.nodeCounts.get(domain);
    if (nodeCount === 1) this.sharedDomains--;
    if (nodeCount > 0) return;
    this.usedDomains--;
    this.#byValue.delete(this.#values[domain] ?? '');
    this.#free.push(domain);
  }

  #newDomain(value: string): number {
    const domain = this.#free.pop() ?? this.#values.length;
    this.#numbers?.set(value, domain);
    this.#values[domain] = value;
    this.nodeCounts.reserve(domain + 1);
    return domain;
  }
}
