/** The number of changes after which a reader starts over. */
const MOST_CHANGES = 10_000;

/** The names of nodes on which devices have come, gone, or changed hands, for readers with cursors of their own. */
export class NodeLog {
  #names: string[] = [];
  /** The cursor of the first name. */
  #start = 0;

  /** The cursor of a reader that has seen all changes. */
  get end(): number {
    return this.#start + this.#names.length;
  }

  add(name: string): void {
    this.#names.push(name);
    if (this.#names.length > 2 * MOST_CHANGES) {
      this.#start += MOST_CHANGES;
      this.#names = this.#names.slice(MOST_CHANGES);
    }
  }

  /** Notes that every node may have changed. */
  addAll(): void {
    this.#start = this.end + 1;
    this.#names = [];
  }

  /** The names since the cursor; null if any node may have changed. */
  since(cursor: number): readonly string[] | null {
    return cursor < this.#start ? null : this.#names.slice(cursor - this.#start);
  }
}
