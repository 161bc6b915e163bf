/** Readers that are further behind start over. */
const MOST_CHANGES = 10_000;

/** What has changed, in order, for readers with cursors of their own. */
export class ChangeLog<T> {
  #changes: T[] = [];
  /** The cursor of the first change that is kept. */
  #start = 0;

  /** The cursor of a reader that has seen all changes. */
  get end(): number {
    return this.#start + this.#changes.length;
  }

  add(changed: T): void {
    this.#changes.push(changed);
    if (this.#changes.length <= 2 * MOST_CHANGES) return;
    this.#start += MOST_CHANGES;
    this.#changes = this.#changes.slice(MOST_CHANGES);
  }

  /** Notes that everything may have changed. */
  addAll(): void {
    this.#start = this.end + 1;
    this.#changes = [];
  }

  /** What has changed since the cursor; null if anything may have. */
  since(cursor: number): readonly T[] | null {
    return cursor < this.#start ? null : this.#changes.slice(cursor - this.#start);
  }
}
