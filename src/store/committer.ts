import type { KubernetesObject } from '../api/meta.ts';
import { isDeletionComplete } from './deletion.ts';
import type { Ledger } from './ledger/ledger.ts';
import { keyOf } from './ledger/object-key.ts';
import { withVersion } from './objects/metadata.ts';
import { RESOURCES, type Resource, type Resources } from './objects/resources.ts';

const NAMESPACED = (Object.keys(RESOURCES) as Resource[]).filter((resource) => RESOURCES[resource].isNamespaced);

/** The last step of every write: it assigns versions, and removes objects whose deletion is complete. */
export class Committer {
  readonly #ledger: Ledger;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * Stores the next state of an object, frozen except for its version, which it may have already. An object that is
   * being deleted is removed instead when no finalizer, grace period or namespace content holds it any more.
   */
  update<R extends Resource>(resource: R, next: Resources[R], stored: Resources[R]): Resources[R] {
    if (!isDeletionComplete(next) || this.#holdsContent(resource, next)) return this.replace(resource, next, stored);
    const { resourceVersion = '' } = stored.metadata ?? {};
    const last =
      next.metadata?.resourceVersion === resourceVersion ? next : withVersion<Resources[R]>(next, resourceVersion);
    this.remove(resource, stored);
    return last;
  }

  /** Stores the next state of an object, as `update` does, whether or not it is being deleted. */
  replace<R extends Resource>(resource: R, next: Resources[R], stored: Resources[R]): Resources[R] {
    const { nextVersion } = this.#ledger;
    const hasVersion = next.metadata?.resourceVersion === nextVersion && Object.isFrozen(next);
    const object = hasVersion ? next : (withVersion<KubernetesObject>(next, nextVersion) as Resources[R]);
    this.#ledger.replace(resource, object, stored);
    return object;
  }

  remove<R extends Resource>(resource: R, stored: Resources[R]): void {
    this.#ledger.remove(resource, stored);
    if (RESOURCES[resource].isNamespaced) this.#finishNamespace(keyOf(stored).namespace);
  }

  /** The resources of which the namespace still holds objects. */
  contentOf(namespace: string): readonly Resource[] {
    return NAMESPACED.filter((resource) => !this.#ledger.objects(resource).isEmpty(namespace));
  }

  #holdsContent(resource: Resource, object: KubernetesObject): boolean {
    return resource === 'namespaces' && this.contentOf(keyOf(object).name).length > 0;
  }

  /** Removes a namespace that is being deleted once its last object is gone. */
  #finishNamespace(name: string): void {
    const namespace = this.#ledger.get('namespaces', '', name);
    if (namespace === undefined || !isDeletionComplete(namespace)) return;
    if (!this.#holdsContent('namespaces', namespace)) this.#ledger.remove('namespaces', namespace);
  }
}
