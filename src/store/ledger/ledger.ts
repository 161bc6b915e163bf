import type { KubernetesObject } from '../../api/meta.ts';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import { withVersion } from '../objects/metadata.ts';
import { RESOURCES, type Resource, type Resources } from '../objects/resources.ts';
import { Collection, keyOf } from './collection.ts';
import { WatchHub } from './watch-hub.ts';

interface Shelf<T extends KubernetesObject> {
  readonly objects: Collection<T>;
  readonly hub: WatchHub<T>;
}

type Shelves = { readonly [R in Resource]: Shelf<Resources[R]> };

/**
 * The objects of all resources, and the one counter that numbers all writes. Writers have validated everything before,
 * so a write here always succeeds; watches are woken at once.
 */
export class Ledger {
  readonly #shelves: Shelves;
  #version = 1;
  #nextVersion = '2';

  constructor(clock: Clock, historyLimit: number) {
    const version = (): number => this.#version;
    const names = Object.keys(RESOURCES) as Resource[];
    const shelves = names.map((resource) => {
      const hub = new WatchHub(resource, { clock, version, historyLimit });
      return [resource, { objects: new Collection(), hub }] as const;
    });
    this.#shelves = Object.fromEntries(shelves) as unknown as Shelves;
  }

  get version(): number {
    return this.#version;
  }

  /** The resourceVersion that the next written object must have. */
  get nextVersion(): string {
    return this.#nextVersion;
  }

  get<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] | undefined {
    return this.#shelves[resource].objects.get(namespace, name);
  }

  objects<R extends Resource>(resource: R): Collection<Resources[R]> {
    return this.#shelf(resource).objects;
  }

  hub<R extends Resource>(resource: R): WatchHub<Resources[R]> {
    return this.#shelf(resource).hub;
  }

  /** Adds a new object with the next version. Returns false, and changes nothing, when its name is taken. */
  insert<R extends Resource>(resource: R, object: Resources[R]): boolean {
    const { objects, hub } = this.#shelf(resource);
    const { namespace, name } = keyOf(object);
    if (!objects.add(namespace, name, object)) return false;
    const version = this.#advance(object);
    hub.publish({ type: 'ADDED', version, object, previous: undefined });
    return true;
  }

  /** Replaces an object by its next state, which has the next version. */
  replace<R extends Resource>(resource: R, object: Resources[R], previous: Resources[R]): void {
    const { objects, hub } = this.#shelf(resource);
    const { namespace, name } = keyOf(object);
    const version = this.#advance(object);
    objects.replace(namespace, name, object);
    hub.publish({ type: 'MODIFIED', version, object, previous });
  }

  /** Removes the object. Watches receive its last state with the version of the removal. */
  remove<R extends Resource>(resource: R, previous: Resources[R]): void {
    const { objects, hub } = this.#shelf(resource);
    const { namespace, name } = keyOf(previous);
    const object = withVersion(previous, this.nextVersion);
    const version = this.#advance(object);
    objects.delete(namespace, name);
    hub.publish({ type: 'DELETED', version, object, previous });
  }

  #shelf<R extends Resource>(resource: R): Shelf<Resources[R]> {
    return this.#shelves[resource] as unknown as Shelf<Resources[R]>;
  }

  #advance(object: KubernetesObject): number {
    assert(Object.isFrozen(object), 'what is stored is frozen');
    assert(object.metadata?.resourceVersion === this.#nextVersion, 'a write bears the next version');
    this.#version++;
    this.#nextVersion = String(this.#version + 1);
    return this.#version;
  }
}
