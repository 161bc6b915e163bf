import type { KubernetesObject } from '../../api/meta.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import { withVersion } from '../objects/metadata.ts';
import { RESOURCES, type Resource, type Resources } from '../objects/resources.ts';
import { Collection } from './collection.ts';
import { NODE_NAME } from './field-selector.ts';
import { keyOf, type ObjectKey } from './object-key.ts';
import { WatchHub } from './watch-hub.ts';

/** The objects of one resource, with their history and watches. */
export interface Shelf<T extends KubernetesObject> {
  readonly name: string;
  readonly objects: Collection<T>;
  readonly hub: WatchHub<T>;
}

/** Hears of every write, before watches do. */
export interface Journal {
  /** `object`: the state after the write; undefined when the object is removed. */
  wrote(shelf: string, key: ObjectKey, object: KubernetesObject | undefined): void;
}

/** An object, and the name of the shelf on which it stands. */
export interface ShelvedObject {
  readonly shelf: string;
  readonly object: KubernetesObject;
}

/**
 * The objects of all resources, and the one counter that numbers all writes. Writers have validated everything before,
 * so a write here always succeeds; watches are woken at once.
 */
export class Ledger {
  readonly #shelves = new Map<string, Shelf<KubernetesObject>>();
  readonly #clock: Clock;
  readonly #historyLimit: number;
  /** Where writes are noted besides; absent: nowhere. */
  journal: Journal | undefined;
  #version = 1;
  #nextVersion = '2';
  /** The version from which the ledger was restored: nothing is known of what was before. */
  #restoredVersion = 0;

  constructor(clock: Clock, historyLimit: number) {
    this.#clock = clock;
    this.#historyLimit = historyLimit;
    for (const resource of Object.keys(RESOURCES)) this.shelf(resource);
  }

  /**
   * The objects of a resource by its name. A resource that the store does not know itself, such as those that only the
   * API over HTTP serves, gets its shelf when it is first asked for; it shares the counter of versions.
   */
  shelf(resource: string): Shelf<KubernetesObject> {
    const known = this.#shelves.get(resource);
    if (known !== undefined) return known;
    const version = (): number => this.#version;
    const hub = new WatchHub(resource as Resource, { clock: this.#clock, version, historyLimit: this.#historyLimit });
    hub.history.beginAt(this.#restoredVersion);
    // Pods are found by their nodes, too (upstream: the indexers of their storage).
    const objects = new Collection(resource === 'pods' ? NODE_NAME.split('.') : undefined);
    const shelf = { name: resource, objects, hub };
    this.#shelves.set(resource, shelf);
    return shelf;
  }

  /** All objects of all resources. */
  *everything(): Iterable<ShelvedObject> {
    for (const [shelf, { objects }] of this.#shelves) for (const object of objects.values()) yield { shelf, object };
  }

  /**
   * Puts these objects, which are frozen, in the place of all others: the ledger is as another one was at a version.
   * The caller restores before the first watch begins; a watch from an older version ends with an Expired error.
   */
  restore(objects: Iterable<ShelvedObject>, version: number): void {
    assert(version >= this.#version, 'versions do not go back');
    for (const shelf of this.#shelves.values()) shelf.objects.clear();
    this.#version = version;
    this.#nextVersion = String(version + 1);
    this.#restoredVersion = version;
    for (const { hub } of this.#shelves.values()) hub.history.beginAt(version);
    for (const { shelf, object } of objects) {
      const { namespace, name } = keyOf(object);
      this.shelf(shelf).objects.add(namespace, name, object);
    }
  }

  get version(): number {
    return this.#version;
  }

  /** The resourceVersion that the next written object must have. */
  get nextVersion(): string {
    return this.#nextVersion;
  }

  get<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] | undefined {
    return this.#shelf(resource).objects.get(namespace, name);
  }

  objects<R extends Resource>(resource: R): Collection<Resources[R]> {
    return this.#shelf(resource).objects;
  }

  hub<R extends Resource>(resource: R): WatchHub<Resources[R]> {
    return this.#shelf(resource).hub;
  }

  /** Adds a new object with the next version. Returns false, and changes nothing, when its name is taken. */
  insert<R extends Resource>(resource: R, object: Resources[R]): boolean {
    return this.insertInto(this.#shelf(resource), object);
  }

  insertInto<T extends KubernetesObject>({ name: shelf, objects, hub }: Shelf<T>, object: T): boolean {
    const key = keyOf(object);
    if (!objects.add(key.namespace, key.name, object)) return false;
    const version = this.#advance(object);
    this.journal?.wrote(shelf, key, object);
    hub.publish({ type: 'ADDED', version, object, previous: undefined });
    return true;
  }

  /** Replaces an object by its next state, which has the next version. */
  replace<R extends Resource>(resource: R, object: Resources[R], previous: Resources[R]): void {
    this.replaceIn(this.#shelf(resource), object, previous);
  }

  replaceIn<T extends KubernetesObject>({ name: shelf, objects, hub }: Shelf<T>, object: T, previous: T): void {
    const key = keyOf(object);
    const version = this.#advance(object);
    objects.replace(key.namespace, key.name, object);
    this.journal?.wrote(shelf, key, object);
    hub.publish({ type: 'MODIFIED', version, object, previous });
  }

  /** Removes the object. Watches receive its last state with the version of the removal. */
  remove<R extends Resource>(resource: R, previous: Resources[R]): void {
    this.removeFrom(this.#shelf(resource), previous);
  }

  removeFrom<T extends KubernetesObject>({ name: shelf, objects, hub }: Shelf<T>, previous: T): T {
    const key = keyOf(previous);
    const object = withVersion(previous, this.nextVersion);
    const version = this.#advance(object);
    objects.delete(key.namespace, key.name);
    this.journal?.wrote(shelf, key, undefined);
    hub.publish({ type: 'DELETED', version, object, previous });
    return object;
  }

  #shelf<R extends Resource>(resource: R): Shelf<Resources[R]> {
    return this.#shelves.get(resource) as unknown as Shelf<Resources[R]>;
  }

  #advance(object: KubernetesObject): number {
    assert(Object.isFrozen(object), 'what is stored is frozen');
    assert(object.metadata?.resourceVersion === this.#nextVersion, 'a write bears the next version');
    this.#version++;
    this.#nextVersion = String(this.#version + 1);
    return this.#version;
  }
}
