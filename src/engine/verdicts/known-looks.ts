import type { NodeParts } from '../../framework/plugin.ts';
import type { Column } from '../../memory/column-table.ts';
import type { NodeAttributes } from './node-attributes.ts';

/** The look of a node whose parts are too many, or too different, for one number. */
export const NO_LOOK = -1;
/** The number of different parts that fit into 12 bits, and four of these into a double. */
const MOST_NUMBERS = 4096;
const MOST_PARTS = 4;

/**
 * Verdict ids by what plugins see of a node, so that a node that has changed is judged without a call if one with equal
 * parts was judged before.
 */
export class KnownLooks {
  readonly #attributes: NodeAttributes;
  readonly #ids = new Map<number, number>();
  readonly #parts: NodeParts | null;
  #columns: readonly Column<'i32'>[] | null = null;
  #version = -1;

  /** `parts` are what plugins see of a node; null if they see more than that. */
  constructor(attributes: NodeAttributes, parts: NodeParts | null) {
    this.#attributes = attributes;
    this.#parts = parts !== null && parts.labels.length + Number(parts.taints) <= MOST_PARTS ? parts : null;
  }

  /** Returns a number that is equal for nodes that look the same; NO_LOOK if there is none. */
  lookOf(slot: number): number {
    if (this.#parts === null) return NO_LOOK;
    if (this.#columns === null || this.#version !== this.#attributes.version) {
      // Other attributes have the same numbers for other parts.
      this.#ids.clear();
      this.#columns = this.#attributes.columnsOf(this.#parts);
      this.#version = this.#attributes.version;
    }
    let look = 0;
    for (let i = 0; i < this.#columns.length; i++) {
      const number = (this.#columns[i] as Column<'i32'>).values[slot] ?? 0;
      if (number >= MOST_NUMBERS) return NO_LOOK;
      look = look * MOST_NUMBERS + number;
    }
    return look;
  }

  idOf(look: number): number | undefined {
    return this.#ids.get(look);
  }

  setId(look: number, id: number): void {
    this.#ids.set(look, id);
  }
}
