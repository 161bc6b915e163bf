import type { ObjectKind } from '../api/kinds.ts';

/** The number of changes after which a reader is told that everything may have changed. */
const MOST_KEYS = 10_000;

/** The key of an object in a feed; `namespace` is '' for cluster-scoped kinds. */
export function objectKey(kind: ObjectKind, name: string, namespace = ''): string {
  return `${kind} ${namespace}/${name}`;
}

/** The objects that were set or removed, for one reader that catches up when it is used. */
export class ObjectFeed {
  #changes = new Map<string, boolean>();
  #isLost = false;

  /** Adds a change; `isNew`: there was no such object before. Only `ClusterObjects` calls this. */
  append(kind: ObjectKind, name: string, namespace: string, isNew: boolean): void {
    if (this.#isLost) return;
    const key = objectKey(kind, name, namespace);
    const wasNew = this.#changes.get(key) ?? false;
    // New objects stand in the order in which they came, also those that had been removed.
    if (isNew) this.#changes.delete(key);
    this.#changes.set(key, isNew || wasNew);
    if (this.#changes.size <= MOST_KEYS) return;
    this.#isLost = true;
    this.#changes = new Map();
  }

  /** Whether there are changes. */
  get hasChanges(): boolean {
    return this.#isLost || this.#changes.size > 0;
  }

  /**
   * Takes the keys of the changed objects, each once, and whether it was added since the last time; null if any object
   * may have changed.
   */
  take(): ReadonlyMap<string, boolean> | null {
    const changes = this.#isLost ? null : this.#changes;
    if (this.hasChanges) this.#changes = new Map();
    this.#isLost = false;
    return changes;
  }
}
