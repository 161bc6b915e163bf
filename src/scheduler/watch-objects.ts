import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Pod } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';
import type { EventHandler } from '../client/informer/event-handler.ts';
import type { Lister } from '../client/informer/lister.ts';
import type { FeatureGates } from '../config/feature-gates.ts';
import { RESOURCES, type Resource, type Resources } from '../store/objects/resources.ts';
import { type EventHandlerModules, nodeHandler, objectHandler, PodHandler } from './event-handlers.ts';
import type { PodLister } from './scheduler-api.ts';

/** The informers of the API's objects; `Informers` implements it. */
export interface SchedulerInformers {
  of<R extends Resource>(resource: R): ResourceInformer<Resources[R]>;
  /** Delivers what has happened until now; absent: changes come when they come. */
  catchUp?(): void;
}

/** The cache of one kind, and its changes. */
export interface ResourceInformer<T> {
  readonly lister: Pick<Lister<T>, 'get' | 'list'>;
  addHandler(handler: EventHandler<T>, options?: { readonly name?: string }): { hasSynced(): boolean };
}

/** The objects other than nodes and pods that decisions read. */
const OBJECT_RESOURCES = [
  ...(['namespaces', 'services', 'replicationcontrollers', 'replicasets', 'statefulsets'] as const),
  ...(['persistentvolumeclaims', 'persistentvolumes', 'storageclasses', 'csinodes', 'csidrivers'] as const),
  ...(['csistoragecapacities', 'volumeattachments', 'poddisruptionbudgets'] as const),
  ...(['resourceclaims', 'resourceslices', 'deviceclasses'] as const),
] satisfies readonly Resource[];

/** All that a scheduler with these gates watches. Kinds behind a gate may not be served. */
export function watchedResources(gates: FeatureGates): readonly Resource[] {
  return ['nodes', 'pods', ...objectResources(gates)];
}

function objectResources({ GenericWorkload }: FeatureGates): readonly Resource[] {
  return GenericWorkload ? [...OBJECT_RESOURCES, 'podgroups'] : OBJECT_RESOURCES;
}

/** Registers the handlers of all kinds. The result returns whether they have received all initial lists. */
export function watchObjects(
  informers: SchedulerInformers,
  modules: EventHandlerModules,
  gates: FeatureGates,
): () => boolean {
  const name = 'scheduler';
  const registrations = [
    informers.of('nodes').addHandler(nodeHandler(modules), { name }),
    informers.of('pods').addHandler(new LivePodHandler(new PodHandler(modules)), { name }),
  ];
  for (const resource of objectResources(gates)) {
    const kind = RESOURCES[resource].kind as ObjectKind;
    const handler = objectHandler(kind, modules.cache.cluster.objects, modules.queue) as EventHandler<
      ObjectKinds[typeof kind]
    >;
    const informer = informers.of(resource) as ResourceInformer<unknown>;
    registrations.push(informer.addHandler(handler as EventHandler<unknown>, { name }));
  }
  return () => registrations.every((registration) => registration.hasSynced());
}

/** Hides finished pods, which upstream does not watch: a pod that finishes is reported as deleted. */
class LivePodHandler implements EventHandler<Pod> {
  readonly #handler: EventHandler<Pod>;

  constructor(handler: EventHandler<Pod>) {
    this.#handler = handler;
  }

  onAdd(pod: Pod, isInInitialList: boolean): void {
    if (!isPodFinished(pod)) this.#handler.onAdd(pod, isInInitialList);
  }

  onUpdate(before: Pod, after: Pod): void {
    const wasFinished = isPodFinished(before);
    if (isPodFinished(after)) {
      if (!wasFinished) this.#handler.onDelete(before, false);
    } else if (wasFinished) this.#handler.onAdd(after, false);
    else this.#handler.onUpdate(before, after);
  }

  onDelete(lastKnown: Pod, isFinalStateUnknown: boolean): void {
    if (!isPodFinished(lastKnown)) this.#handler.onDelete(lastKnown, isFinalStateUnknown);
  }
}

/** A lister that hides finished pods. */
export function livePods(lister: PodLister): PodLister {
  return {
    get(namespace, name) {
      const pod = lister.get(namespace, name);
      return pod === undefined || isPodFinished(pod) ? undefined : pod;
    },
  };
}
