import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import { NODE_AND_PODS } from '../../framework/cluster/node-changes.ts';
import type { NodeColumnsView } from '../../framework/node-columns-view.ts';
import type { Plugin } from '../../framework/plugin.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';

export interface PluginColumnsModules {
  readonly cluster: ClusterState;
  readonly columns: NodeColumns;
}

interface OwnColumn {
  readonly column: Column<'f64'>;
  readonly read: NonNullable<Plugin['columns']>[string];
}

interface Amounts {
  readonly allocatable: Float64Array;
  readonly requested: Float64Array;
}

/** The nodes as one plugin's column functions see them. Its own columns follow the cluster when they are next used. */
export class PluginColumns implements NodeColumnsView {
  readonly #modules: PluginColumnsModules;
  readonly #own: ReadonlyMap<string, OwnColumn>;
  /** What the plugin sees of the columns of resources, by name. */
  readonly #copies = new Map<string, Amounts>();
  #cursor = -1;

  constructor(modules: PluginColumnsModules, { columns = {} }: Plugin) {
    this.#modules = modules;
    this.#own = new Map(
      Object.entries(columns).map(([name, read]) => [
        name,
        { column: modules.columns.table.add('f64', `${name} of a plugin`), read },
      ]),
    );
  }

  get slotCount(): number {
    return this.#modules.cluster.slotCount;
  }

  /** Returns copies, so that a plugin that writes into them damages nothing but its own view. */
  resource(name: string): Amounts {
    let copy = this.#copies.get(name);
    if (copy === undefined) {
      const { allocatable, requested } = this.#modules.columns.resource(name);
      copy = { allocatable: Float64Array.from(allocatable.values), requested: Float64Array.from(requested.values) };
      this.#copies.set(name, copy);
    }
    return copy;
  }

  own(name: string): Float64Array {
    const own = this.#own.get(name);
    if (own === undefined) throw new RangeError(`there is no column ${JSON.stringify(name)}`);
    return own.column.values;
  }

  /** Brings the plugin's own columns up to date; throws what the plugin's functions throw. */
  sync(): void {
    if (this.#own.size + this.#copies.size === 0) return;
    const { changes } = this.#modules.cluster;
    const changed = this.#cursor < 0 ? null : changes.since(this.#cursor, NODE_AND_PODS);
    // If a function throws, the next call computes everything again.
    this.#cursor = -1;
    this.#renewCopies(changed);
    if (changed !== null) for (const slot of changed) this.#compute(slot);
    else for (let slot = 0; slot < this.slotCount; slot++) this.#compute(slot);
    this.#cursor = changes.end;
  }

  #renewCopies(slots: Iterable<number> | null): void {
    for (const [name, copy] of this.#copies) {
      const { allocatable, requested } = this.#modules.columns.resource(name);
      if (slots === null || copy.allocatable.length < allocatable.values.length) {
        this.#copies.delete(name);
        continue;
      }
      for (const slot of slots) {
        copy.allocatable[slot] = allocatable.values[slot] ?? 0;
        copy.requested[slot] = requested.values[slot] ?? 0;
      }
    }
  }

  #compute(slot: number): void {
    const node = this.#modules.cluster.nodeAt(slot);
    for (const { column, read } of this.#own.values()) column.values[slot] = node === undefined ? 0 : read(node);
  }
}

/** The columns of each plugin, shared by all pods. */
export class PluginColumnSets {
  readonly #modules: PluginColumnsModules;
  readonly #sets = new Map<Plugin, PluginColumns>();

  constructor(modules: PluginColumnsModules) {
    this.#modules = modules;
  }

  of(plugin: Plugin): PluginColumns {
    let columns = this.#sets.get(plugin);
    if (columns === undefined) {
      columns = new PluginColumns(this.#modules, plugin);
      this.#sets.set(plugin, columns);
    }
    return columns;
  }
}
