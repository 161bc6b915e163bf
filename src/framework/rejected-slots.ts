/** Readers that are further behind start over. */
const MOST_CHANGES = 10_000;

/** The nodes that a filter rejects, by slot, as its plugin keeps them from attempt to attempt; readers have cursors. */
export class RejectedSlots {
  readonly #slots = new Set<number>();
  #changes: number[] = [];
  /** The cursor of the first change that is kept. */
  #start = 0;

  get slots(): ReadonlySet<number> {
    return this.#slots;
  }

  /** The cursor of a reader that has seen all changes. */
  get end(): number {
    return this.#start + this.#changes.length;
  }

  add(slot: number): void {
    if (this.#slots.has(slot)) return;
    this.#slots.add(slot);
    this.#note(slot);
  }

  delete(slot: number): void {
    if (this.#slots.delete(slot)) this.#note(slot);
  }

  /** The slots that have come or gone since the cursor; null if any may have. */
  changedSince(cursor: number): readonly number[] | null {
    return cursor < this.#start ? null : this.#changes.slice(cursor - this.#start);
  }

  #note(slot: number): void {
    this.#changes.push(slot);
    if (this.#changes.length <= 2 * MOST_CHANGES) return;
    this.#start += MOST_CHANGES;
    this.#changes = this.#changes.slice(MOST_CHANGES);
  }
}
