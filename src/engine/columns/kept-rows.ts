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
 * so that one row is computed again. The rows follow the feed of changes when the signature is next used, and scores
 * when some node is next scored: most pods that fit nowhere never need any.
 */
export class KeptRows {
  /** -1 for nodes that have room and that the verdicts accept; 0 for others. */
  readonly feasible: Column<'i32'>;
  feasibleCount = 0;
  /** Why the nodes do not fit; null until a pod of the signature fits nowhere. */
  statuses: KeptStatuses | null = null;
  readonly #scorePlugins: readonly string[];
  /** The columns of raw scores by plugin name; null until a node is scored. */
  #scores: Map<string, Column<'i32'>> | null = null;
  readonly #modules: KeptRowsModules;
  #cursor = -1;
  #scoreCursor = -1;

  /** `scorePlugins` are the names of the resource plugins that score pods of the signature. */
  constructor(modules: KeptRowsModules, scorePlugins: readonly string[]) {
    this.#modules = modules;
    this.#scorePlugins = scorePlugins;
    this.feasible = modules.table.add('i32', 'feasible of a signature');
  }

  /** The raw scores of a plugin, brought up to date; undefined for a plugin that does not score by resources. */
  raw(plugin: string, signature: PodSignature, slots: number): Column<'i32'> | undefined {
    if (!this.#scorePlugins.includes(plugin)) return undefined;
    this.#scores ??= this.#newScores();
    const { changes } = this.#modules;
    const changed = this.#changedSince(this.#scoreCursor, slots);
    if (changed === null) this.#score(this.#scores, signature, 0, slots);
    else for (const slot of changed) this.#score(this.#scores, signature, slot, slot + 1);
    this.#scoreCursor = changes.end;
    return this.#scores.get(plugin);
  }

  #newScores(): Map<string, Column<'i32'>> {
    const { table } = this.#modules;
    return new Map(this.#scorePlugins.map((plugin) => [plugin, table.add('i32', `${plugin} of a signature`)]));
  }

  /** Brings the feasible nodes up to date; the signature's verdicts must be up to date already. */
  sync(signature: PodSignature, slots: number): void {
    const { changes, resourceKernels } = this.#modules;
    const changed = this.#changedSince(this.#cursor, slots);
    if (changed === null) this.feasibleCount = resourceKernels.filter(signature, this.feasible.pointer, 0, slots);
    else for (const slot of changed) this.#filter(signature, slot);
    this.#cursor = changes.end;
  }

  /** Returns null if all rows have to be computed. */
  #changedSince(cursor: number, slots: number): Iterable<number> | null {
    return cursor < 0 ? null : this.#modules.changes.since(cursor, NODE_AND_PODS, slots * RESCAN_SHARE);
  }

  /** Gives the columns back. */
  release(): void {
    const { table } = this.#modules;
    table.remove(this.feasible);
    for (const column of this.#scores?.values() ?? []) table.remove(column);
  }

  #filter(signature: PodSignature, slot: number): void {
    const { feasible } = this;
    const accepted = this.#modules.resourceKernels.accepts(signature, slot) ? 1 : 0;
    this.feasibleCount += accepted + (feasible.values[slot] as number);
    feasible.values[slot] = -accepted;
  }

  #score(scores: ReadonlyMap<string, Column<'i32'>>, signature: PodSignature, from: number, to: number): void {
    const { resourceKernels } = this.#modules;
    for (const [plugin, { pointer }] of scores) resourceKernels.score(plugin, signature, pointer, from, to);
  }
}
