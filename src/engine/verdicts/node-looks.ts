import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeParts } from '../../framework/plugin.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';
import type { NodeAttributes } from './node-attributes.ts';

/** The look of a slot without a node. */
const NO_LOOK = -1;
/** The most looks of one set of parts: every plugin that reads the parts is asked once for each. */
const MOST_LOOKS = 64;
/** The most sets of parts that are followed. */
const MOST_SETS = 32;

/** Nodes sorted by some of their parts: nodes with equal parts have the same look, a small number. */
export interface NodeLooks {
  /** The look of each slot. */
  readonly column: Column<'i32'>;
  /** All looks are below this number. */
  readonly count: number;
  /** A node with this look; undefined if there is none now. */
  nodeWith(look: number): NodeInfo | undefined;
}

/** The looks of nodes as columns that kernels read, for each set of parts that was asked for. */
export class NodeLookSets {
  readonly #table: ColumnTable;
  readonly #cluster: ClusterState;
  readonly #attributes: NodeAttributes;
  readonly #sets = new Map<string, PartsLooks>();

  constructor(table: ColumnTable, cluster: ClusterState, attributes: NodeAttributes) {
    this.#table = table;
    this.#cluster = cluster;
    this.#attributes = attributes;
  }

  nodeChanged(node: NodeInfo): void {
    for (const looks of this.#sets.values()) looks.assign(node);
  }

  nodeRemoved({ slot }: NodeInfo): void {
    for (const looks of this.#sets.values()) looks.column.values[slot] = NO_LOOK;
  }

  /** Returns null if nodes have too many looks. */
  of(parts: NodeParts): NodeLooks | null {
    const key = keyOfParts(parts);
    let looks = this.#sets.get(key);
    if (looks === undefined) {
      this.#makeRoom();
      looks = new PartsLooks(parts, this.#table, this.#cluster);
      looks.assignAll(this.#attributes);
      this.#sets.set(key, looks);
    }
    return looks.count > MOST_LOOKS ? null : looks;
  }

  /** Returns the looks by parts with this key, if they are followed and not too many. */
  known(key: string): NodeLooks | null {
    const looks = this.#sets.get(key);
    return looks === undefined || looks.count > MOST_LOOKS ? null : looks;
  }

  #makeRoom(): void {
    for (const [key, { column }] of this.#sets) {
      if (this.#sets.size < MOST_SETS) return;
      this.#table.remove(column);
      this.#sets.delete(key);
    }
  }
}

/** A text that is equal for equal parts. */
export function keyOfParts(parts: NodeParts): string {
  return parts.labels.length === 1 && !parts.taints ? (parts.labels[0] ?? '') : JSON.stringify(parts);
}

class PartsLooks implements NodeLooks {
  readonly column: Column<'i32'>;
  readonly #parts: NodeParts;
  readonly #cluster: ClusterState;
  readonly #numbers = new Map<string | undefined, number>();
  /** A slot that had the look when it was last looked for. */
  readonly #slots: number[] = [];

  constructor(parts: NodeParts, table: ColumnTable, cluster: ClusterState) {
    this.#parts = parts;
    this.#cluster = cluster;
    this.column = table.add('i32', `looks of nodes by ${parts.labels.join()}`, NO_LOOK);
  }

  /** Reads one node of each combination of attributes, which verdicts mostly have, rather than all nodes. */
  assignAll(attributes: NodeAttributes): void {
    const { taints, labels } = this.#parts;
    const combinations = attributes.combinationsOf({ taints, labels });
    const numbers = combinations?.bySlot() ?? null;
    const lookOf = new Int32Array(combinations?.count ?? 0).fill(NO_LOOK);
    const { values } = this.column;
    for (let slot = 0; slot < this.#cluster.slotCount && this.count <= MOST_LOOKS; slot++) {
      const node = this.#cluster.nodeAt(slot);
      if (node === undefined) continue;
      const number = numbers?.[slot] ?? NO_LOOK;
      const look = lookOf[number] ?? NO_LOOK;
      if (look !== NO_LOOK) {
        values[slot] = look;
        continue;
      }
      this.assign(node);
      if (number !== NO_LOOK) lookOf[number] = values[slot] as number;
    }
  }

  get count(): number {
    return this.#numbers.size;
  }

  assign({ slot, node }: NodeInfo): void {
    const text = textOf(node, this.#parts);
    let look = this.#numbers.get(text);
    if (look === undefined) {
      // Beyond the limit nobody reads the looks.
      if (this.count > MOST_LOOKS) return;
      look = this.count;
      this.#numbers.set(text, look);
      this.#slots[look] = slot;
    }
    this.column.values[slot] = look;
  }

  nodeWith(look: number): NodeInfo | undefined {
    const slot = this.#slots[look] ?? NO_LOOK;
    if (this.column.values[slot] === look) return this.#cluster.nodeAt(slot);
    const other = this.column.values.subarray(0, this.#cluster.slotCount).indexOf(look);
    if (other < 0) return undefined;
    this.#slots[look] = other;
    return this.#cluster.nodeAt(other);
  }
}

/** A text that is equal for nodes with equal parts; undefined for nodes without the only label that is looked at. */
function textOf({ metadata, spec }: NodeInfo['node'], { taints, labels }: NodeParts): string | undefined {
  const [only] = labels;
  if (only !== undefined && labels.length === 1 && !taints) return metadata?.labels?.[only] ?? undefined;
  const values = labels.map((key) => metadata?.labels?.[key] ?? null);
  return JSON.stringify(taints ? [values, spec?.taints ?? [], spec?.unschedulable ?? false] : values);
}
