import { KINDS, type ObjectKind, type ObjectKinds } from '../api/kinds.ts';
import type { ObjectMeta } from '../api/meta.ts';
import { ObjectFeed } from './object-feed.ts';

interface Shelf {
  /**
   * The objects by namespace ('' for cluster-scoped kinds), then by name, in the order in which they were first set.
   */
  readonly namespaces: Map<string, Map<string, unknown>>;
  version: number;
  /** The number of objects that were replaced or removed. */
  losses: number;
  readonly feeds: ObjectFeed[];
}

/** The objects of `ObjectKinds`, for plugins to read. */
export class ClusterObjects {
  readonly #shelves = new Map<ObjectKind, Shelf>();

  /** Adds or replaces the object. */
  set<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void {
    const shelf = this.#shelf(kind);
    const namespace = namespaceOf(kind, object.metadata);
    let objects = shelf.namespaces.get(namespace);
    if (objects === undefined) {
      objects = new Map();
      shelf.namespaces.set(namespace, objects);
    }
    const { size } = objects;
    objects.set(object.metadata?.name ?? '', object);
    const isNew = objects.size > size;
    if (!isNew) shelf.losses++;
    shelf.version++;
    for (const feed of shelf.feeds) feed.append(kind, object.metadata?.name ?? '', namespace, isNew);
  }

  /** Returns whether there was such an object. */
  remove(kind: ObjectKind, name: string, namespace = ''): boolean {
    const shelf = this.#shelf(kind);
    const removed = shelf.namespaces.get(namespace)?.delete(name) ?? false;
    if (removed) {
      shelf.version++;
      shelf.losses++;
      for (const feed of shelf.feeds) feed.append(kind, name, namespace, false);
    }
    return removed;
  }

  get<K extends ObjectKind>(kind: K, name: string, namespace = ''): ObjectKinds[K] | undefined {
    return this.#shelves.get(kind)?.namespaces.get(namespace)?.get(name) as ObjectKinds[K] | undefined;
  }

  /** The objects of one namespace, or of all. */
  *list<K extends ObjectKind>(kind: K, namespace?: string): Iterable<ObjectKinds[K]> {
    const namespaces = this.#shelves.get(kind)?.namespaces;
    if (namespaces === undefined) return;
    const shelves = namespace === undefined ? namespaces.values() : [namespaces.get(namespace) ?? new Map()];
    for (const objects of shelves) yield* objects.values() as Iterable<ObjectKinds[K]>;
  }

  /** All objects with their kinds. */
  *all(): Iterable<readonly [ObjectKind, ObjectKinds[ObjectKind]]> {
    for (const kind of this.#shelves.keys()) for (const object of this.list(kind)) yield [kind, object];
  }

  /** Returns a feed of the changes of these kinds from now on. It is kept as long as the objects. */
  follow(kinds: readonly ObjectKind[]): ObjectFeed {
    const feed = new ObjectFeed();
    for (const kind of kinds) this.#shelf(kind).feeds.push(feed);
    return feed;
  }

  isEmpty(kind: ObjectKind): boolean {
    for (const _ of this.list(kind)) return false;
    return true;
  }

  /** A number that every change of an object of this kind changes. */
  version(kind: ObjectKind): number {
    return this.#shelves.get(kind)?.version ?? 0;
  }

  /** A number that every change of any object changes. */
  get totalVersion(): number {
    let sum = 0;
    for (const { version } of this.#shelves.values()) sum += version;
    return sum;
  }

  /** A number that every change of an object of these kinds changes, because every version only grows. */
  versionOf(kinds: readonly ObjectKind[]): number {
    let sum = 0;
    for (const kind of kinds) sum += this.version(kind);
    return sum;
  }

  /**
   * A number that changes when an object of this kind is replaced or removed, not when one is added: objects that were
   * found before are found unchanged while it stays.
   */
  losses(kind: ObjectKind): number {
    return this.#shelves.get(kind)?.losses ?? 0;
  }

  #shelf(kind: ObjectKind): Shelf {
    let shelf = this.#shelves.get(kind);
    if (shelf === undefined) {
      shelf = { namespaces: new Map(), version: 0, losses: 0, feeds: [] };
      this.#shelves.set(kind, shelf);
    }
    return shelf;
  }
}

function namespaceOf(kind: ObjectKind, metadata: ObjectMeta | undefined): string {
  return KINDS[kind].isNamespaced ? metadata?.namespace || 'default' : '';
}
