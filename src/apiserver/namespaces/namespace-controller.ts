import { millisOfTime } from '../../api/time.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { StatusError } from '../../kinds/object/status-error.ts';
import type { Timer } from '../../lib/event-loop.ts';
import type { ApiModules } from '../context/context.ts';
import { deleteObject } from '../requests/delete.ts';
import type { DeleteOptions } from '../requests/delete-options.ts';
import { deletionConditions, type RemainingContent } from './namespace-conditions.ts';

const RETRY_MILLIS = 500;
const PODS = 'pods.';

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
      const content = this.#empty(namespace);
      const noted = this.#noteConditions(namespace, content);
      return content.objects.size > 0 || !this.#finalized(noted);
    });
    if (waiting.length > 0) this.#timer = timers.after(RETRY_MILLIS, () => this.#sync());
  }

  /** Deletes what is in the namespace: pods first, so that what they rely on stays as long as they do. */
  #empty(namespace: ApiObject): RemainingContent {
    const { registry } = this.#modules;
    const content: RemainingContent = { objects: new Map(), finalizers: new Map(), errors: [] };
    const all = [registry.group(''), ...registry.groups].flatMap((group) => group?.versions ?? []);
    const deleted = new Map<string, ServedResource>();
    for (const served of all.flatMap((version) => version.resources)) {
      const { resource, group, isNamespaced, verbs } = served.resource;
      const name = `${resource}.${group}`;
      if (isNamespaced && verbs.includes('delete') && !deleted.has(name)) deleted.set(name, served);
    }
    const pods = deleted.get(PODS) as ServedResource;
    this.#deleteAll(PODS, pods, namespace, content);
    if (content.objects.size > 0) return content;
    for (const [name, served] of deleted) if (served !== pods) this.#deleteAll(name, served, namespace, content);
    return content;
  }

  #deleteAll(
    name: string,
    served: ServedResource,
    { metadata }: ApiObject,
    { objects, finalizers, errors }: RemainingContent,
  ): void {
    const { storages, clock } = this.#modules;
    const storage = storages.of(served);
    const { name: namespace = '', deletionTimestamp = '' } = metadata ?? {};
    let graceSeconds = 0;
    let failure: string | undefined;
    for (const object of [...storage.from(namespace)]) {
      if (name === PODS) graceSeconds = Math.max(graceSeconds, graceOf(object));
      failure = this.#delete(served, namespace, object) ?? failure;
    }
    const left = [...storage.from(namespace)];
    if (left.length > 0) objects.set(name, left.length);
    const held = left.flatMap((object) => object.metadata?.finalizers ?? []);
    for (const finalizer of held) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    const isOverdue = clock.nowMillis() >= millisOfTime(deletionTimestamp) + graceSeconds * 1000;
    if (left.length > 0 && held.length === 0 && isOverdue) {
      const { group, version, resource } = served.resource;
      const what = `${group}/${version}, Resource=${resource}`;
      failure ??= `unexpected items still remain in namespace: ${namespace} for gvr: ${what}`;
    }
    if (failure !== undefined) errors.push(failure);
  }

  /** Returns why the object could not be deleted, which is tried again. */
  #delete(served: ServedResource, namespace: string, { metadata }: ApiObject): string | undefined {
    if (metadata?.deletionTimestamp !== undefined) return undefined;
    try {
      deleteObject({ modules: this.#modules, served }, namespace, metadata?.name ?? '', { ...OPTIONS });
    } catch (error) {
      if (error instanceof StatusError) return error.message;
      throw error;
    }
    return undefined;
  }

  #noteConditions(namespace: ApiObject, content: RemainingContent): ApiObject {
    const { storages, clock } = this.#modules;
    const conditions = deletionConditions(namespace, content, clock.nowMillis());
    if (conditions === undefined) return namespace;
    const status = { ...(namespace['status'] as JsonObject | undefined), conditions: [...conditions] };
    return storages.of(this.#served).replace({ ...namespace, status }, namespace);
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

/** How long a pod that has not ended may take to end. */
function graceOf(pod: ApiObject): number {
  const { phase } = (pod['status'] ?? {}) as { phase?: string };
  const { terminationGracePeriodSeconds = 0 } = (pod['spec'] ?? {}) as { terminationGracePeriodSeconds?: number };
  return phase === 'Succeeded' || phase === 'Failed' ? 0 : terminationGracePeriodSeconds;
}
