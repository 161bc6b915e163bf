import type { ObjectKind } from '../api/kinds.ts';

/** The number of changes after which a reader is told that everything may have changed. */
const MOST_KEYS = 10_000;

/** The key of an object in a feed; `namespace` is '' for cluster-scoped kinds. */
export function objectKey(kind: ObjectKind, name: string, namespace = ''): string {
  return `${kind} ${namespace}/${name}`;
}

/** The objects that were set or removed, for one reader that catches up when it is used. */
export class ObjectFeed {
  #keys = new Set<string>();
  #isLost = false;

  /** Adds a change. Only `ClusterObjects` calls this. */
  append(kind: ObjectKind, name: string, namespace: string): void {
    if (this.#isLost) return;
    this.#keys.add(objectKey(kind, name, namespace));
    if (this.#keys.size <= MOST_KEYS) return;
    this.#isLost = true;
    this.#keys = new Set();
  }

  /** Whether there are changes. */
  get hasChanges(): boolean {
    return this.#isLost || this.#keys.size > 0;
  }

  /** Takes the keys of the changed objects, each once; null if any object may have changed. */
  take(): ReadonlySet<string> | null {
    const keys = this.#isLost ? null : this.#keys;
    if (this.#isLost || this.#keys.size > 0) this.#keys = new Set();
    this.#isLost = false;
    return keys;
  }
}
