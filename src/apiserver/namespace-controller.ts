import type { ApiObject, JsonObject } from '../kinds/object/json.ts';
import type { ServedResource } from '../kinds/object/kind-schema.ts';
import { StatusError } from '../kinds/object/status-error.ts';
import type { Timer } from '../lib/event-loop.ts';
import type { ApiModules } from './context/context.ts';
import { deleteObject } from './requests/delete.ts';
import type { DeleteOptions } from './requests/delete-options.ts';

const RETRY_MILLIS = 500;

/**
 * Empties namespaces that are being deleted, and removes them when nothing is left in them. Upstream: the namespace
 * controller of kube-controller-manager, which is a client of the API; here it stands beside the storage.
 */
export class NamespaceController {
  readonly #modules: ApiModules;
  readonly #served: ServedResource;
  #timer: Timer | undefined;

  constructor(modules: ApiModules) {
    this.#modules = modules;
    this.#served = modules.registry.find('', 'v1', 'namespaces') as ServedResource;
  }

  start(): void {
    const { storages, timers } = this.#modules;
    const storage = storages.of(this.#served);
    const watch = storage.follow({ matches: () => true }, storage.version);
    const drain = (): void => {
      while (watch.next() !== undefined);
      this.#sync();
    };
    watch.onReady(() => timers.soon(drain));
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Works on all namespaces that are being deleted, and comes back while one is not empty. */
  #sync(): void {
    this.#timer?.cancel();
    const { storages, timers } = this.#modules;
    const storage = storages.of(this.#served);
    const leaving = [...storage.from(undefined)].filter(({ metadata }) => metadata?.deletionTimestamp !== undefined);
    const waiting = leaving.filter((namespace) => {
      if (!this.#empty(namespace.metadata?.name ?? '')) return true;
      return !this.#finalized(namespace);
    });
    if (waiting.length > 0) this.#timer = timers.after(RETRY_MILLIS, () => this.#sync());
  }

  /** Deletes what is in the namespace; returns whether nothing is left. */
  #empty(namespace: string): boolean {
    const { registry, storages } = this.#modules;
    const all = [registry.group(''), ...registry.groups].flatMap((group) => group?.versions ?? []);
    const resources = all.flatMap((version) => version.resources);
    const deleted = resources.filter(({ resource }) => resource.isNamespaced && resource.verbs.includes('delete'));
    for (const served of deleted) {
      const storage = storages.of(served);
      for (const object of [...storage.from(namespace)]) this.#delete(served, namespace, object);
    }
    return deleted.every((served) => [...storages.of(served).from(namespace)].length === 0);
  }

  #delete(served: ServedResource, namespace: string, { metadata }: ApiObject): void {
    if (metadata?.deletionTimestamp !== undefined) return;
    const asked = { modules: this.#modules, served };
    try {
      deleteObject(asked, namespace, metadata?.name ?? '', { ...OPTIONS });
    } catch (error) {
      // What cannot be deleted now is tried again.
      if (!(error instanceof StatusError)) throw error;
    }
  }

  /** Takes the finalizer off and removes the namespace, unless somebody else has a finalizer on it. */
  #finalized(namespace: ApiObject): boolean {
    const spec = (namespace['spec'] ?? {}) as JsonObject & { finalizers?: string[] };
    const others = (spec.finalizers ?? []).filter((name) => name !== 'kubernetes');
    if (others.length > 0 || (namespace.metadata?.finalizers ?? []).length > 0) return false;
    this.#modules.storages.of(this.#served).remove(namespace);
    return true;
  }
}

const OPTIONS: DeleteOptions = {
  gracePeriodSeconds: undefined,
  orphanDependents: undefined,
  propagationPolicy: 'Background',
  preconditions: {},
  isDryRun: false,
};
