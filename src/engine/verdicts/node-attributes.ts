import type { Labels } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import { labelValue } from '../../api/topology-spread.ts';
import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeParts } from '../../framework/plugin.ts';
import type { Column, ColumnTable } from '../../memory/column-table.ts';

/** The most combinations of attributes, which are looked up in an array. */
const MAX_COMBINATIONS = 65_536;

/** Nodes are sorted by the values that are told apart where this makes a label's numbers so many times fewer. */
const WORTHWHILE = 4;

/** The classes of nodes without the label, and of those with a value that is not told apart. */
const ABSENT = 0;
const OTHER = 1;

/** The most attributes that are kept between sets of verdicts. */
const MOST_ATTRIBUTES = 512;

/** Parts of nodes as one number, equal for nodes whose parts are equal. */
export interface Combinations {
  /** All numbers are below this one. */
  readonly count: number;
  of(slot: number): number;
  /** The numbers by slot, as long as no node changes; those of slots without a node mean nothing. */
  bySlot(): Int32Array;
}

/** One part of every node as a small number; equal parts have equal numbers. */
interface Attribute {
  readonly name: string;
  /** The key of the label; null for taints. */
  readonly key: string | null;
  /** The numbers by the part as a text; undefined stands for nodes without such a part. */
  readonly numbers: Map<string | undefined, number>;
  readonly column: Column<'i32'>;
}

/** The numbers of one part of nodes, and by what they are multiplied in a sum that stands for all parts. */
interface Part {
  readonly values: Int32Array;
  readonly factor: number;
}

/** The sums of these parts by slot. */
interface Sums {
  readonly parts: readonly Part[];
  readonly values: Int32Array;
}

const TAINTS = 'taints';

/**
 * Parts of nodes as numbers, so that a plugin's verdict on one node holds for all that look the same to it. An
 * attribute is made when node verdicts first need it, and every node change updates it. Taints, which nearly all
 * verdicts need, are there from the start: to read them when a node comes costs less than to go to all nodes later.
 */
export class NodeAttributes {
  readonly #table: ColumnTable;
  readonly #cluster: ClusterState;
  readonly #attributes = new Map<string, Attribute>();
  /** The labels of nodes by slot, since most of the time of reading them goes into the way there; null before that. */
  #labels: (Labels | undefined)[] | null = null;
  /** A number that changes when an attribute is given up. */
  version = 0;
  /** The sums that were made last, of which many sets of verdicts in a row read the same. */
  #lastSums: Sums | null = null;

  constructor(table: ColumnTable, cluster: ClusterState) {
    this.#table = table;
    this.#cluster = cluster;
    this.#taints();
  }

  /** Takes over the taints of a cluster that was copied slot by slot; other attributes are made when needed. */
  copyFrom(other: NodeAttributes): void {
    for (const { column } of this.#attributes.values()) this.#table.remove(column);
    this.#attributes.clear();
    this.#labels = null;
    this.version++;
    const origin = other.#attributes.get(TAINTS);
    if (origin === undefined) return;
    const numbers = new Map(origin.numbers);
    const column = this.#newColumn(TAINTS);
    column.values.set(origin.column.values.subarray(0, this.#cluster.slotCount));
    this.#attributes.set(TAINTS, { name: TAINTS, key: null, numbers, column });
  }

  nodeChanged(node: NodeInfo): void {
    this.#lastSums = null;
    const labels = node.node.metadata?.labels;
    if (this.#labels !== null) this.#labels[node.slot] = labels;
    for (const attribute of this.#attributes.values()) assign(attribute, node, labels);
  }

  nodeRemoved({ slot }: NodeInfo): void {
    if (this.#labels !== null) this.#labels[slot] = undefined;
  }

  /** Returns the combination of these parts by slot as one number; null if there are too many combinations. */
  combinationsOf({ taints, labels, values: told }: NodeParts): Combinations | null {
    this.#makeRoom();
    let count = 1;
    const parts = this.#of({ taints, labels }).map((attribute, i) => {
      const { numbers, column } = attribute;
      const factor = count;
      const key = labels[taints ? i - 1 : i];
      const classes = key === undefined ? undefined : told?.get(key);
      if (classes === undefined || numbers.size < WORTHWHILE * (classes.length + 2)) {
        count *= numbers.size;
        return { values: column.values, factor };
      }
      const sorted = this.#sorted(attribute, classes);
      count *= sorted.count;
      return { values: sorted.values, factor };
    });
    if (count > MAX_COMBINATIONS) return null;
    const [a, b, c, ...more] = parts;
    const bySlot = (): Int32Array => (a !== undefined && b === undefined ? a.values : this.#summed(parts));
    if (a === undefined) return { count, of: () => 0, bySlot };
    if (b === undefined) return { count, of: (slot) => a.values[slot] ?? 0, bySlot };
    if (more.length === 0) {
      const [{ values }, second, third] = [a, b, c ?? { ...a, factor: 0 }];
      const [seconds, thirds, by, byThird] = [second.values, third.values, second.factor, third.factor];
      const of = (slot: number) => (values[slot] ?? 0) + (seconds[slot] ?? 0) * by + (thirds[slot] ?? 0) * byThird;
      return { count, of, bySlot };
    }
    return {
      count,
      bySlot,
      of: (slot) => {
        let number = 0;
        for (const { values, factor } of parts) number += (values[slot] ?? 0) * factor;
        return number;
      },
    };
  }

  #summed(parts: readonly Part[]): Int32Array {
    const last = this.#lastSums;
    if (last !== null && areEqual(last.parts, parts)) return last.values;
    const values = summed(parts, this.#cluster.slotCount);
    this.#lastSums = { parts, values };
    return values;
  }

  /** The nodes by the values of a label that are told apart, as numbers by slot. */
  #sorted({ numbers, column }: Attribute, told: readonly string[]): { readonly values: Int32Array; count: number } {
    const classes = new Int32Array(numbers.size).fill(OTHER);
    classes[numbers.get(undefined) ?? 0] = ABSENT;
    let count = OTHER + 1;
    for (const value of told) {
      const number = numbers.get(value);
      if (number !== undefined && classes[number] === OTHER) classes[number] = count++;
    }
    const { slotCount } = this.#cluster;
    const values = new Int32Array(slotCount);
    const all = column.values;
    for (let slot = 0; slot < slotCount; slot++) values[slot] = classes[all[slot] as number] as number;
    return { values, count };
  }

  /** The numbers of these parts by slot, one column each, which hold until `version` changes. */
  columnsOf(parts: NodeParts): readonly Column<'i32'>[] {
    return this.#of(parts).map(({ column }) => column);
  }

  /** Calls `visit` with the value of the label of every node; values that were read before need no look at the node. */
  forEachValue(key: string, visit: (slot: number, value: string | undefined) => void): void {
    const known = this.#attributes.get(nameOf(key));
    const texts = known === undefined ? [] : [...known.numbers.keys()];
    const labels = this.#labelsBySlot();
    for (let slot = 0; slot < this.#cluster.slotCount; slot++) {
      if (this.#cluster.nodeAt(slot) === undefined) continue;
      visit(slot, known === undefined ? labelValue(labels[slot], key) : texts[known.column.values[slot] as number]);
    }
  }

  #labelsBySlot(): readonly (Labels | undefined)[] {
    if (this.#labels === null) {
      const { slotCount } = this.#cluster;
      // A list that grows moves to new memory again and again.
      this.#labels = new Array(slotCount);
      for (let slot = 0; slot < slotCount; slot++) {
        this.#labels[slot] = this.#cluster.nodeAt(slot)?.node.metadata?.labels;
      }
    }
    return this.#labels;
  }

  #of({ taints, labels }: NodeParts): readonly Attribute[] {
    const attributes = taints ? [this.#taints()] : [];
    let unread: Attribute[] | null = null;
    for (const key of labels) {
      let attribute = this.#attributes.get(nameOf(key)) ?? unread?.find(({ name }) => name === nameOf(key));
      if (attribute === undefined) {
        attribute = this.#new(nameOf(key), key);
        unread ??= [];
        unread.push(attribute);
      }
      attributes.push(attribute);
    }
    if (unread !== null) this.#read(unread);
    return attributes;
  }

  /** Gives up the attributes that were made first; they are made anew where verdicts need them again. */
  #makeRoom(): void {
    for (const [name, { column }] of this.#attributes) {
      if (this.#attributes.size <= MOST_ATTRIBUTES) return;
      this.#table.remove(column);
      this.#attributes.delete(name);
      this.version++;
    }
  }

  #taints(): Attribute {
    const known = this.#attributes.get(TAINTS);
    if (known !== undefined) return known;
    const made = this.#new(TAINTS, null);
    for (let slot = 0; slot < this.#cluster.slotCount; slot++) {
      const node = this.#cluster.nodeAt(slot);
      if (node !== undefined) assign(made, node, undefined);
    }
    this.#attributes.set(TAINTS, made);
    return made;
  }

  #newColumn(name: string): Column<'i32'> {
    return this.#table.add('i32', `node attribute ${name}`);
  }

  #new(name: string, key: string | null): Attribute {
    return { name, key, numbers: new Map([[undefined, 0]]), column: this.#newColumn(name) };
  }

  /** Goes to each node once for all attributes, since most of the time goes into the way to its labels. */
  #read(unread: readonly Attribute[]): void {
    const bySlot = this.#labelsBySlot();
    for (let slot = 0; slot < bySlot.length; slot++) {
      const labels = bySlot[slot];
      if (labels === undefined) continue;
      for (let i = 0; i < unread.length; i++) {
        const attribute = unread[i] as Attribute;
        assignText(attribute, slot, labelValue(labels, attribute.key as string));
      }
    }
    for (const attribute of unread) this.#attributes.set(attribute.name, attribute);
  }
}

/** The name of the attribute that is a label. */
function nameOf(key: string): string {
  return `label ${key}`;
}

function areEqual(some: readonly Part[], others: readonly Part[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) {
    if (some[i]?.values !== others[i]?.values || some[i]?.factor !== others[i]?.factor) return false;
  }
  return true;
}

/** The sums of the parts' numbers, each by its factor, for every slot. */
function summed(parts: readonly Part[], slotCount: number): Int32Array {
  const sums = new Int32Array(slotCount);
  for (const { values, factor } of parts) {
    for (let slot = 0; slot < slotCount; slot++) sums[slot] = (sums[slot] ?? 0) + (values[slot] ?? 0) * factor;
  }
  return sums;
}

function assign(attribute: Attribute, { slot, node }: NodeInfo, labels: Labels | undefined): void {
  const { key } = attribute;
  assignText(attribute, slot, key === null ? taintsOf(node) : labelValue(labels, key));
}

function taintsOf({ spec }: Node): string | undefined {
  const { taints, unschedulable } = spec ?? {};
  return taints?.length || unschedulable ? JSON.stringify([taints, unschedulable]) : undefined;
}

function assignText({ numbers, column }: Attribute, slot: number, text: string | undefined): void {
  let number = numbers.get(text);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(text, number);
  }
  column.values[slot] = number;
}
