/** The number of changes after which a reader is told that everything may have changed. */
const MOST_CHANGES = 10_000;

/** The objects that were changed, for one reader that catches up when it is used. */
export class ObjectLog<T extends object> {
  #objects: T[] = [];
  #isLost = false;

  /** Adds an object that was set, or one that was removed. Only those call this who know the objects. */
  append(object: T): void {
    if (this.#isLost) return;
    if (this.#objects.length < MOST_CHANGES) {
      this.#objects.push(object);
      return;
    }
    this.#isLost = true;
    this.#objects = [];
  }

  /** Whether there are changes. */
  get hasChanges(): boolean {
    return this.#isLost || this.#objects.length > 0;
  }

  /** Takes the objects in the order of their changes, some in several versions; null if any object may have changed. */
  take(): readonly T[] | null {
    const objects = this.#isLost ? null : this.#objects;
    if (this.hasChanges) this.#objects = [];
    this.#isLost = false;
    return objects;
  }
}
