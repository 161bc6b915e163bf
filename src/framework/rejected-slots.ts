import { ChangeLog } from '../lib/change-log.ts';

/** The nodes that a filter rejects, by slot, as its plugin keeps them from attempt to attempt; readers have cursors. */
export class RejectedSlots {
  readonly #slots = new Set<number>();
  readonly #changes = new ChangeLog<number>();

  get slots(): ReadonlySet<number> {
    return this.#slots;
  }

  /** The cursor of a reader that has seen all changes. */
  get end(): number {
    return this.#changes.end;
  }

  add(slot: number): void {
    if (this.#slots.has(slot)) return;
    this.#slots.add(slot);
    this.#changes.add(slot);
  }

  delete(slot: number): void {
    if (this.#slots.delete(slot)) this.#changes.add(slot);
  }

  /** The slots that have come or gone since the cursor; null if any may have. */
  changedSince(cursor: number): readonly number[] | null {
    return this.#changes.since(cursor);
  }
}
