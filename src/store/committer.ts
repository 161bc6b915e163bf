import type { KubernetesObject } from '../api/meta.ts';
import { isDeletionComplete } from './deletion.ts';
import { keyOf } from './ledger/collection.ts';
import type { Ledger } from './ledger/ledger.ts';
import { RESOURCES, type Resource, type Resources } from './objects/resources.ts';
import { withVersion } from './objects/with-version.ts';

const NAMESPACED = (Object.keys(RESOURCES) as Resource[]).filter((resource) => RESOURCES[resource].isNamespaced);

/** The last step of every write: versions, and objects whose deletion is complete. */
export class Committer {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * The next state of an object, frozen but for its version. An object that is being deleted, and that nothing holds
   * any more, goes instead.
   */
  update<R extends Resource>(resource: R, next: Resources[R], stored: Resources[R]): Resources[R] {
    if (!isDeletionComplete(next) || this.#holdsContent(resource, next)) return this.replace(resource, next, stored);
    this.remove(resource, stored);
    return next;
  }

  /** The next state of an object, frozen but for its version, whatever it says. */
  replace<R extends Resource>(resource: R, next: Resources[R], stored: Resources[R]): Resources[R] {
    const object = withVersion<KubernetesObject>(next, this.#ledger.nextVersion) as Resources[R];
    this.#ledger.replace(resource, object, stored);
    return object;
  }

  remove<R extends Resource>(resource: R, stored: Resources[R]): void {
    this.#ledger.remove(resource, stored);
    if (RESOURCES[resource].isNamespaced) this.#finishNamespace(keyOf(stored).namespace);
  }

  /** The kinds of objects that are in a namespace. */
  contentOf(namespace: string): readonly Resource[] {
    return NAMESPACED.filter((resource) => !this.#ledger.objects(resource).isEmpty(namespace));
  }

  #holdsContent(resource: Resource, object: KubernetesObject): boolean {
    return resource === 'namespaces' && this.contentOf(keyOf(object).name).length > 0;
  }

  /** A namespace that is being deleted goes when its last object has gone. */
  #finishNamespace(name: string): void {
    const namespace = this.#ledger.get('namespaces', '', name);
    if (namespace === undefined || !isDeletionComplete(namespace)) return;
    if (!this.#holdsContent('namespaces', namespace)) this.#ledger.remove('namespaces', namespace);
  }
}
