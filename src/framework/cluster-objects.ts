import { KINDS, type ObjectKind, type ObjectKinds } from '../api/kinds.ts';
import type { ObjectMeta } from '../api/meta.ts';
import { AssumedObjects } from './assumed-objects.ts';
import { ObjectFeed } from './object-feed.ts';
import { ObjectLog } from './object-log.ts';

interface Shelf {
  /**
   * The objects by namespace ('' for cluster-scoped kinds), then by name, in the order in which they were first set.
   */
  readonly namespaces: Map<string, Map<string, object>>;
  version: number;
  /** The number of objects that were replaced or removed. */
  losses: number;
  readonly feeds: ObjectFeed[];
  readonly logs: ObjectLog<object>[];
}

/** The objects of `ObjectKinds`, for plugins to read. */
export class ClusterObjects {
  /**
   * What a scheduler has promised that writes nothing: the volumes of claims. It is part of the cluster, so that copies
   * of the cluster keep the promises.
   *
   * @internal
   */
  readonly assumed = new AssumedObjects();
  readonly #shelves = new Map<ObjectKind, Shelf>();
  #totalVersion = 0;

  /** Adds or replaces the object. */
  set<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void {
    const shelf = this.#shelf(kind);
    const namespace = namespaceOf(kind, object.metadata);
    let objects = shelf.namespaces.get(namespace);
    if (objects === undefined) {
      objects = new Map();
      shelf.namespaces.set(namespace, objects);
    }
    const name = object.metadata?.name ?? '';
    const old = objects.get(name);
    objects.set(name, object);
    const isNew = old === undefined;
    if (!isNew) shelf.losses++;
    if (!isNew && old !== object) this.assumed.restore(old);
    shelf.version++;
    this.#totalVersion++;
    for (const feed of shelf.feeds) feed.append(kind, name, namespace, isNew);
    for (const log of shelf.logs) log.append(object);
  }

  /** Returns whether there was such an object. */
  remove(kind: ObjectKind, name: string, namespace = ''): boolean {
    const shelf = this.#shelf(kind);
    const objects = shelf.namespaces.get(namespace);
    const removed = objects?.get(name);
    if (removed === undefined) return false;
    objects?.delete(name);
    this.assumed.restore(removed);
    shelf.version++;
    this.#totalVersion++;
    shelf.losses++;
    for (const feed of shelf.feeds) feed.append(kind, name, namespace, false);
    for (const log of shelf.logs) log.append(removed);
    return true;
  }

  get<K extends ObjectKind>(kind: K, name: string, namespace = ''): ObjectKinds[K] | undefined {
    return this.#shelves.get(kind)?.namespaces.get(namespace)?.get(name) as ObjectKinds[K] | undefined;
  }

  /** As `get`, but the object as it will be once what was promised has been done. */
  getAssumed<K extends ObjectKind>(kind: K, name: string, namespace = ''): ObjectKinds[K] | undefined {
    const known = this.get(kind, name, namespace);
    return known === undefined ? undefined : this.assumed.current(known);
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

  /** The assumed objects with their kinds. */
  *allAssumed(): Iterable<readonly [ObjectKind, ObjectKinds[ObjectKind]]> {
    for (const [kind, known] of this.all()) {
      const assumed = this.assumed.current(known);
      if (assumed !== known) yield [kind, assumed];
    }
  }

  /** Assumes an object of which an older one is known. */
  assume<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void {
    const { metadata } = object;
    const known = this.get(kind, metadata?.name ?? '', namespaceOf(kind, metadata));
    if (known !== undefined) this.assumed.assume(known, object);
  }

  /** Returns a feed of the changes of these kinds from now on. It is kept as long as the objects. */
  follow(kinds: readonly ObjectKind[]): ObjectFeed {
    const feed = new ObjectFeed();
    for (const kind of kinds) this.#shelf(kind).feeds.push(feed);
    return feed;
  }

  /** As `follow`, but for one kind, and the changes are the objects themselves: no keys are made of their names. */
  followObjects<K extends ObjectKind>(kind: K): ObjectLog<ObjectKinds[K]> {
    const log = new ObjectLog<ObjectKinds[K]>();
    this.#shelf(kind).logs.push(log as ObjectLog<object>);
    return log;
  }

  isEmpty(kind: ObjectKind): boolean {
    for (const objects of this.#shelves.get(kind)?.namespaces.values() ?? []) if (objects.size > 0) return false;
    return true;
  }

  /** A number that every change of an object of this kind changes. */
  version(kind: ObjectKind): number {
    return this.#shelves.get(kind)?.version ?? 0;
  }

  /** A number that every change of any object changes. */
  get totalVersion(): number {
    return this.#totalVersion;
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
      shelf = { namespaces: new Map(), version: 0, losses: 0, feeds: [], logs: [] };
      this.#shelves.set(kind, shelf);
    }
    return shelf;
  }
}

function namespaceOf(kind: ObjectKind, metadata: ObjectMeta | undefined): string {
  return KINDS[kind].isNamespaced ? metadata?.namespace || 'default' : '';
}
