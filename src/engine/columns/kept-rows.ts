import { NODE_AND_PODS, type NodeChanges } from '../../framework/cluster/node-changes.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import type { PodSignature } from '../index/pod-signature.ts';
import type { ResourceKernels } from '../index/resource-kernels.ts';
import type { KeptStatuses } from './kept-statuses.ts';

/** The share of changed rows above which computing all rows in one go is faster. */
const RESCAN_SHARE = 1 / 16;

export interface KeptRowsModules {
  readonly table: ColumnTable;
  readonly changes: NodeChanges;
  readonly resourceKernels: ResourceKernels;
}

/**
 * The resource kernels' results for one pod signature on every node, kept from pod to pod: a placement changes one row,
 * so that one row is computed again. The rows follow the feed of changes when the signature is next used.
 */
export class KeptRows {
  /** -1 for nodes that have room and that the verdicts accept; 0 for others. */
  readonly feasible: Column<'i32'>;
  feasibleCount = 0;
  /** Why the nodes do not fit; null until a pod of the signature fits nowhere. */
  statuses: KeptStatuses | null = null;
  /** The columns of raw scores by plugin name. */
  readonly #scores = new Map<string, Column<'i32'>>();
  readonly #modules: KeptRowsModules;
  #cursor = -1;

  /** `scorePlugins` are the names of the resource plugins that score pods of the signature. */
  constructor(modules: KeptRowsModules, scorePlugins: readonly string[]) {
    this.#modules = modules;
    this.feasible = modules.table.add('i32', 'feasible of a signature');
    for (const plugin of scorePlugins) this.#scores.set(plugin, modules.table.add('i32', `${plugin} of a signature`));
  }

  raw(plugin: string): Column<'i32'> | undefined {
    return this.#scores.get(plugin);
  }

  /** Brings the rows up to date; the signature's verdicts must be up to date already. */
  sync(signature: PodSignature, slots: number): void {
    const { changes } = this.#modules;
    const changed = this.#cursor < 0 ? null : changes.since(this.#cursor, NODE_AND_PODS, slots * RESCAN_SHARE);
    if (changed === null) this.feasibleCount = this.#compute(signature, 0, slots);
    else for (const slot of changed) this.#recompute(signature, slot);
    this.#cursor = changes.end;
  }

  /** Gives the columns back. */
  release(): void {
    const { table } = this.#modules;
    table.remove(this.feasible);
    for (const column of this.#scores.values()) table.remove(column);
  }

  #recompute(signature: PodSignature, slot: number): void {
    const before = this.feasible.values[slot] ?? 0;
    const now = this.#compute(signature, slot, slot + 1);
    this.feasibleCount += now + before;
  }

  #compute(signature: PodSignature, from: number, to: number): number {
    const { resourceKernels } = this.#modules;
    for (const [plugin, { pointer }] of this.#scores) resourceKernels.score(plugin, signature, pointer, from, to);
    return resourceKernels.filter(signature, this.feasible.pointer, from, to);
  }
}
