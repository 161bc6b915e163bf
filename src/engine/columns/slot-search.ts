import type { NodeInfo } from '../../framework/node-info.ts';
import { SELECT_RESULT_BYTES } from '../../kernels/abi.ts';
import type { Column } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { ColumnCycleModules } from './column-cycle-modules.ts';
import type { SlotRange } from './full-scan.ts';
import type { SearchReach } from './slot-statuses.ts';

/** Kernels read columns in blocks of this many slots, so that a range must begin at a multiple of it. */
const RANGE_STEP = 64;

/** The memory to which selecting kernels write what they have found. */
export class KernelSelection {
  readonly pointer: number;
  readonly values: Int32Array;

  constructor(memory: SharedMemory) {
    this.pointer = memory.allocate(SELECT_RESULT_BYTES, 'selection');
    this.values = new Int32Array(memory.memory.buffer, this.pointer, SELECT_RESULT_BYTES / 4);
  }
}

type SearchModules = Pick<ColumnCycleModules, 'kernels' | 'cluster' | 'columns'>;

/**
 * The search of an attempt for feasible nodes: from a node on, in snapshot order, until it sees one more than wanted.
 * It works on a column in which the feasible slots are marked, and takes the mark from those that it does not find.
 */
export class SlotSearch {
  /** The found slots in the order in which the search found them, for kernels. */
  readonly list: Column<'i32'>;
  /** The range in which all found slots lie. */
  range: SlotRange = { from: 0, to: 0 };
  readonly #modules: SearchModules;
  readonly #selection: KernelSelection;
  #found: Int32Array | null = null;
  #start = 0;
  #slots = 0;
  /** The number of nodes that the search has reached. */
  #searched = 0;

  constructor(modules: SearchModules, selection: KernelSelection) {
    this.#modules = modules;
    this.#selection = selection;
    this.list = modules.columns.table.add('i32', 'list of feasible slots');
  }

  /** Begins at a position in snapshot order. */
  begin(start: number, slots: number): void {
    this.#found = null;
    this.range = { from: 0, to: slots };
    this.#start = start;
    this.#slots = slots;
  }

  /** Takes it that all nodes are reached. */
  reachAll(): void {
    this.#searched = this.#modules.cluster.nodeCount;
  }

  get isWhole(): boolean {
    return this.#searched >= this.#modules.cluster.nodeCount;
  }

  get reach(): SearchReach {
    return { start: this.#start, searched: this.#searched, nodeCount: this.#modules.cluster.nodeCount };
  }

  /** Lists the nodes that the search finds, and makes all others infeasible; returns their number. */
  find(feasible: Column<'i32'>, wanted: number): number {
    return this.#find(feasible, this.#start, wanted);
  }

  /** The feasible slots in the order in which the search found them. */
  found(feasible: Column<'i32'>): Int32Array {
    if (this.#found === null) this.#find(feasible, 0, this.#modules.cluster.nodeCount);
    return this.#found ?? new Int32Array(0);
  }

  #find(feasible: Column<'i32'>, start: number, wanted: number): number {
    const { kernels, cluster, columns } = this.#modules;
    const { pointer, values } = this.#selection;
    const found = kernels.collectWindow(
      columns.snapshotOrder(cluster.snapshotOrder()).pointer,
      cluster.nodeCount,
      start,
      wanted,
      feasible.pointer,
      this.#slots,
      this.list.pointer,
      pointer,
    );
    const [searched = 0, lowest = 0, highest = -1] = values;
    this.#searched = searched;
    this.range = { from: lowest & -RANGE_STEP, to: highest + 1 };
    this.#found = this.list.values.subarray(0, found);
    return found;
  }

  /**
   * Counts the reached nodes without those that PreFilter excluded, and the nominated node, which was filtered whether
   * or not the search has reached it. `names`: the nodes that PreFilter has left; null for all.
   */
  countProcessed(names: ReadonlySet<string> | null, nominated: NodeInfo | null): number {
    const reached = names === null ? this.#searched : this.#countReached(names);
    if (nominated === null) return reached;
    const isCounted = names?.has(nominated.name) !== false && this.#isReached(nominated);
    return isCounted ? reached : reached + 1;
  }

  #countReached(names: ReadonlySet<string>): number {
    const { cluster } = this.#modules;
    const nodes = [...names].flatMap((name) => cluster.node(name) ?? []);
    return nodes.filter((node) => this.#isReached(node)).length;
  }

  #isReached(node: NodeInfo): boolean {
    if (this.isWhole) return true;
    const { cluster } = this.#modules;
    const position = cluster.nodeInfos().indexOf(node);
    return (position - this.#start + cluster.nodeCount) % cluster.nodeCount < this.#searched;
  }
}
