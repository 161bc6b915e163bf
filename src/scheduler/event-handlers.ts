import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import { KINDS } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import type { EventHandler } from '../client/informer/event-handler.ts';
import type { ClusterObjects } from '../framework/cluster-objects.ts';
import {
  ActionType,
  clusterEvent,
  EVENT_ASSIGNED_POD_ADD,
  EVENT_ASSIGNED_POD_DELETE,
  EVENT_UNSCHEDULED_POD_ADD,
  type EventResource,
} from '../framework/events.ts';
import { assumedObject, type SchedulerCache } from './cache/scheduler-cache.ts';
import { nodeSchedulingPropertiesChange, podSchedulingPropertiesChange } from './queue/cluster-events.ts';
import type { PreEnqueueCheck } from './queue/queue-modules.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

/**
 * The modules that handle the events of informers (upstream's eventhandlers.go): nodes and assigned pods go into the
 * cache, pods without a node into the queue, and every event may move unschedulable pods.
 */
export interface EventHandlerModules {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  /** Whether one of the profiles schedules the pod. */
  readonly isResponsibleFor: (pod: Pod) => boolean;
  /** Rejects a pod that waits for Permit plugins. Returns false if the pod does not wait. */
  readonly rejectWaitingPod: (uid: string) => boolean;
}

const NODE_ADD = clusterEvent('Node', ActionType.Add);
const NODE_DELETE = clusterEvent('Node', ActionType.Delete);

export function nodeHandler({ cache, queue }: EventHandlerModules): EventHandler<Node> {
  return {
    onAdd(node) {
      cache.addNode(node);
      queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, node);
    },
    onUpdate(before, after) {
      cache.addNode(after);
      for (const event of nodeSchedulingPropertiesChange(before, after)) {
        queue.moveAllToActiveOrBackoffQueue(event, before, after);
      }
    },
    /** Moves pods before the node is removed, because hints judge by the node as it was. */
    onDelete(node) {
      queue.moveAllToActiveOrBackoffQueue(NODE_DELETE, node, undefined);
      cache.removeNode(node);
    },
  };
}

/** The handler of pods that have not finished; to the scheduler a finished pod does not exist. */
export class PodHandler implements EventHandler<Pod> {
  readonly #modules: EventHandlerModules;

  constructor(modules: EventHandlerModules) {
    this.#modules = modules;
  }

  onAdd(pod: Pod): void {
    if (isAssigned(pod)) this.#assigned(pod);
    else if (this.#modules.isResponsibleFor(pod)) this.#addPending(pod);
  }

  /** A pod of a group may be the one for which others of the group wait. */
  #addPending(pod: Pod): void {
    const { cache, queue } = this.#modules;
    const { groups } = cache.cluster.pods;
    if (groups !== null) groups.add(pod);
    queue.add(pod);
    if (groups !== null) queue.moveAllToActiveOrBackoffQueue(EVENT_UNSCHEDULED_POD_ADD, undefined, pod);
  }

  onUpdate(before: Pod, after: Pod): void {
    const { groups } = this.#modules.cache.cluster.pods;
    if (groups !== null && this.#modules.isResponsibleFor(after)) groups.add(after);
    if (isAssigned(before)) {
      this.#updateAssigned(before, after);
    } else if (isAssigned(after)) {
      this.#assigned(after);
      // The queue holds the pod only if another client has bound it.
      if (this.#modules.isResponsibleFor(before)) this.#modules.queue.delete(before);
    } else if (this.#modules.isResponsibleFor(before)) {
      this.#updatePending(before, after);
    }
  }

  onDelete(pod: Pod, isFinalStateUnknown: boolean): void {
    this.#modules.cache.cluster.pods.groups?.remove(pod);
    if (isAssigned(pod) || isFinalStateUnknown) {
      this.#modules.cache.removePod(pod);
      this.#modules.queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_DELETE, pod, undefined);
    }
    if (isAssigned(pod) && !isFinalStateUnknown) return;
    if (this.#modules.isResponsibleFor(pod)) this.#deletePending(pod);
  }

  #assigned(pod: Pod): void {
    this.#modules.cache.addPod(pod);
    this.#modules.queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_ADD, undefined, pod);
  }

  #updateAssigned(before: Pod, after: Pod): void {
    this.#modules.cache.addPod(after);
    for (const event of podSchedulingPropertiesChange(before, after)) {
      this.#modules.queue.moveAllToActiveOrBackoffQueue(event, before, after);
    }
  }

  #updatePending(before: Pod, after: Pod): void {
    const { cache, queue } = this.#modules;
    if (before.metadata?.resourceVersion === after.metadata?.resourceVersion) return;
    if (cache.isAssumedPod(after)) {
      if (after.metadata?.deletionTimestamp && !before.metadata?.deletionTimestamp) this.#dropAssumed(after);
      return;
    }
    queue.update(before, after);
    const nominated = before.status?.nominatedNodeName;
    // Pods of at most this priority left room for the nominated pod. Now they may use it, as after a deletion.
    if (nominated && nominated !== after.status?.nominatedNodeName) {
      queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_DELETE, before, undefined, atMostAsImportantAs(before));
    }
  }

  #deletePending(pod: Pod): void {
    const { cache, queue } = this.#modules;
    queue.delete(pod);
    if (cache.isAssumedPod(pod)) {
      this.#dropAssumed(pod);
    } else if (pod.status?.nominatedNodeName) {
      queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_DELETE, pod, undefined, atMostAsImportantAs(pod));
    }
  }

  /**
   * Frees the resources of an assumed pod that is being deleted. Its binding cycle continues, and fails.
   */
  #dropAssumed(pod: Pod): void {
    const { cache, queue, rejectWaitingPod } = this.#modules;
    const assumed = cache.podOf(pod);
    if (assumed === undefined) return;
    const gone = assumedObject(assumed.pod, assumed.nodeName);
    if (!rejectWaitingPod(assumed.uid)) cache.forgetPod(assumed);
    queue.moveAllToActiveOrBackoffQueue(EVENT_ASSIGNED_POD_DELETE, gone, undefined);
  }
}

function isAssigned({ spec }: Pod): boolean {
  return !!spec?.nodeName;
}

function atMostAsImportantAs({ spec }: Pod): PreEnqueueCheck {
  const priority = spec?.priority ?? 0;
  return (other) => other.priority <= priority;
}

/** The event resources of the kinds whose events may move unschedulable pods; other kinds are only stored. */
const EVENT_RESOURCES: { readonly [K in ObjectKind]?: EventResource } = {
  PersistentVolume: 'PersistentVolume',
  PersistentVolumeClaim: 'PersistentVolumeClaim',
  StorageClass: 'storage.k8s.io/StorageClass',
  CSINode: 'storage.k8s.io/CSINode',
  CSIDriver: 'storage.k8s.io/CSIDriver',
  CSIStorageCapacity: 'storage.k8s.io/CSIStorageCapacity',
  VolumeAttachment: 'storage.k8s.io/VolumeAttachment',
  ResourceClaim: 'resource.k8s.io/ResourceClaim',
  ResourceSlice: 'resource.k8s.io/ResourceSlice',
  DeviceClass: 'resource.k8s.io/DeviceClass',
  PodGroup: 'scheduling.k8s.io/PodGroup',
};

/** The handler of a kind other than nodes and pods. */
export function objectHandler<K extends ObjectKind>(
  kind: K,
  objects: ClusterObjects,
  queue: SchedulingQueue,
): EventHandler<ObjectKinds[K]> {
  const resource = EVENT_RESOURCES[kind];
  const moverOf = (action: number): ((before: unknown, after: unknown) => void) => {
    const event = resource === undefined ? undefined : clusterEvent(resource, action);
    if (event === undefined || !queue.hints.isOfInterest(event)) return () => {};
    return (before, after) => queue.moveAllToActiveOrBackoffQueue(event, before, after);
  };
  const [added, updated, deleted] = [moverOf(ActionType.Add), moverOf(ActionType.Update), moverOf(ActionType.Delete)];
  return {
    onAdd(object) {
      objects.set(kind, object);
      added(undefined, object);
    },
    onUpdate(before, after) {
      objects.set(kind, after);
      updated(before, after);
    },
    onDelete(object) {
      const { name = '', namespace } = object.metadata ?? {};
      objects.remove(kind, name, KINDS[kind].isNamespaced ? namespace || 'default' : '');
      deleted(object, undefined);
    },
  };
}
