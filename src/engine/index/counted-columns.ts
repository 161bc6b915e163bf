import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { NODE_AND_PODS } from '../../framework/cluster/node-changes.ts';
import type { CountedResources } from '../../framework/column-forms.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { Int64 } from '../../lib/int64.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeColumns, ResourceColumns } from '../../memory/node-columns.ts';
import { amountOf } from '../../plugins/node-resources/resource-amounts.ts';

export interface CountedColumnsModules {
  readonly columns: NodeColumns;
  readonly cluster: Pick<ClusterState, 'changes' | 'node' | 'nodeAt' | 'slotCount'>;
  /** Notes that the row of a slot has changed. */
  readonly touch: (slot: number) => void;
}

/**
 * The amounts of a resource as a score counts them, which for some nodes are not those of the node and its pods. They
 * are brought up to date when a score is next computed from them.
 */
export class CountedColumns implements ResourceColumns {
  readonly allocatable: Column<'f64'>;
  readonly requested: Column<'f64'>;
  readonly #name: string;
  readonly #counted: CountedResources;
  readonly #modules: CountedColumnsModules;
  #version = -1;
  #nodeCursor = -1;
  #countCursor = -1;

  constructor(name: string, counted: CountedResources, modules: CountedColumnsModules) {
    const { table } = modules.columns;
    this.allocatable = table.add('f64', `allocatable ${name} as counted`);
    this.requested = table.add('f64', `requested ${name} as counted`);
    this.#name = name;
    this.#counted = counted;
    this.#modules = modules;
  }

  /** Takes notice of changed nodes, pods and counts. The nodes must be charged with all their pods. */
  sync(): void {
    const { cluster } = this.#modules;
    const { changes, slotCount } = cluster;
    const { version } = this.#counted;
    const isKnown = version === this.#version;
    const slots = isKnown ? changes.since(this.#nodeCursor, NODE_AND_PODS) : null;
    const names = isKnown ? this.#counted.changedSince(this.#countCursor) : null;
    if (slots === null || names === null) for (let slot = 0; slot < slotCount; slot++) this.#renew(slot);
    else {
      for (const slot of slots) this.#renew(slot);
      for (const name of names) this.#renew(cluster.node(name)?.slot ?? -1);
    }
    this.#version = version;
    this.#nodeCursor = changes.end;
    this.#countCursor = this.#counted.end;
  }

  #renew(slot: number): void {
    const node = this.#modules.cluster.nodeAt(slot);
    if (node === undefined) return;
    const count = this.#counted.countOn(this.#name, node);
    const isChanged = this.#set(this.allocatable, slot, count?.allocatable ?? amountOf(node.allocatable, this.#name));
    if (this.#set(this.requested, slot, count?.requested ?? amountOf(node.requested, this.#name)) || isChanged) {
      this.#modules.touch(slot);
    }
  }

  /** Returns whether another amount was there. */
  #set(column: Column<'f64'>, slot: number, amount: Int64): boolean {
    if (column.values[slot] === amount) return false;
    this.#modules.columns.setAmount(column, slot, amount);
    return true;
  }
}

/** The counted columns of each resource that has such. */
export class CountedColumnSets {
  readonly #modules: CountedColumnsModules;
  readonly #byName = new Map<string, CountedColumns>();

  constructor(modules: CountedColumnsModules) {
    this.#modules = modules;
  }

  of(name: string, counted: CountedResources): CountedColumns {
    return getOrMake(this.#byName, name, () => new CountedColumns(name, counted, this.#modules));
  }
}
