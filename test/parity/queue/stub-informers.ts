import type { Kind } from '../../../src/api/kinds.ts';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { EventHandler } from '../../../src/client/informer/event-handler.ts';
import type { ResourceInformer, SchedulerInformers } from '../../../src/scheduler/watch-objects.ts';
import { RESOURCES, type Resource, type Resources } from '../../../src/store/objects/resources.ts';
import type { StubObjects, WatchTarget } from './stub-objects.ts';

/** Caches that show the stub's objects up to the delivered events, and handlers that are notified of the rest. */
export class StubInformers implements SchedulerInformers, WatchTarget {
  readonly #objects: StubObjects;
  readonly #handlers = new Map<string, EventHandler<KubernetesObject>>();

  constructor(objects: StubObjects) {
    this.#objects = objects;
    objects.target = this;
  }

  of<R extends Resource>(resource: R): ResourceInformer<Resources[R]> {
    const kind = RESOURCES[resource].kind as Kind;
    return {
      lister: {
        get: (namespace, name) => this.#objects.listed(kind, namespace, name),
        list: () => [],
      },
      addHandler: (handler) => {
        this.#handlers.set(kind, handler as EventHandler<KubernetesObject>);
        return { hasSynced: () => true };
      },
    };
  }

  added(kind: Kind, object: KubernetesObject): void {
    this.#handlers.get(kind)?.onAdd(object, false);
  }

  updated(kind: Kind, before: KubernetesObject, after: KubernetesObject): void {
    this.#handlers.get(kind)?.onUpdate(before, after);
  }

  deleted(kind: Kind, object: KubernetesObject): void {
    this.#handlers.get(kind)?.onDelete(object, false);
  }
}
