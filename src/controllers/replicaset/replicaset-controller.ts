import { compileLabelSelector } from '../../api/label-selector.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { Expectations, UidExpectations } from '../../client/expectations.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Lister } from '../../client/informer/lister.ts';
import { objectKey, splitKey } from '../../client/object-key.ts';
import { ifFound, isApiError } from '../../store/objects/api-error.ts';
import { controllerOf, controlling, POD_INDEXES } from '../job/pod-indexes.ts';
import { type ControllerModules, QueuedController, type RecordingModules } from '../queued-controller.ts';
import { adoptPod, claimedPods, releasePod, setsSelecting } from './claim.ts';
import { observeReplicas } from './replica-status.ts';
import { createReplicas, deleteReplicas } from './replica-writes.ts';

export type ReplicaSetControllerModules = ControllerModules & RecordingModules;

/** The most pods that are created or deleted in one sync. Upstream: BurstReplicas. */
const BURST_REPLICAS = 500;

/**
 * Keeps each ReplicaSet at its wanted number of pods. Upstream: pkg/controller/replicaset/replica_set.go.
 *
 *   ReplicaSet and pod events ──▶ queue ──▶ workers ──▶ claim pods ──▶ create or delete ──▶ status
 */
export class ReplicaSetController extends QueuedController {
  readonly #modules: ReplicaSetControllerModules;
  readonly #sets: Lister<ReplicaSet>;
  readonly #pods: Lister<Pod>;
  readonly #creations: Expectations;
  readonly #deletions = new UidExpectations();

  constructor(modules: ReplicaSetControllerModules) {
    super(modules, 'replica set');
    const { informers, loop } = modules;
    this.#modules = modules;
    this.#creations = new Expectations(loop);
    const [sets, pods] = [informers.of('replicasets'), informers.of('pods')];
    this.#sets = sets.lister;
    this.#pods = pods.lister;
    // The indexes of the Job controller are reused, since another index would cost time for every pod.
    for (const [name, valuesOf] of Object.entries(POD_INDEXES)) pods.addIndex(name, valuesOf);
    const enqueue = (set: ReplicaSet): void => this.queue.add(objectKey(set));
    const setHandler = stateHandler(enqueue, (set) => {
      this.#forget(objectKey(set));
      enqueue(set);
    });
    const podHandler = {
      onAdd: (pod: Pod) => this.#podAdded(pod),
      onUpdate: (before: Pod, pod: Pod) => this.#podUpdated(before, pod),
      onDelete: (pod: Pod) => this.#podDeleted(pod),
    };
    this.handle(sets, setHandler, 'replica set controller, replica sets');
    this.handle(pods, podHandler, 'replica set controller, pods');
  }

  #podAdded(pod: Pod): void {
    if (pod.metadata?.deletionTimestamp !== undefined) {
      this.#podDeleted(pod);
      return;
    }
    const set = this.#setOf(pod);
    if (set !== undefined) {
      this.#creations.creationObserved(objectKey(set));
      this.queue.add(objectKey(set));
    } else if (controllerOf(pod) === undefined) this.#offer(pod);
  }

  #podUpdated(before: Pod, pod: Pod): void {
    // A pod that is being deleted counts as gone.
    if (pod.metadata?.deletionTimestamp !== undefined) {
      this.#podDeleted(pod);
      return;
    }
    const setBefore = this.#setOf(before);
    const set = this.#setOf(pod);
    if (setBefore !== undefined && setBefore !== set) this.queue.add(objectKey(setBefore));
    if (set !== undefined) {
      if (isNews(before, pod)) this.queue.add(objectKey(set));
      const { minReadySeconds = 0 } = set.spec ?? {};
      if (minReadySeconds > 0) this.queue.addAfter(objectKey(set), (minReadySeconds + 1) * 1000);
    } else if (controllerOf(pod) === undefined && !semanticallyEqual(before.metadata?.labels, pod.metadata?.labels)) {
      this.#offer(pod);
    }
  }

  #podDeleted(pod: Pod): void {
    const set = this.#setOf(pod);
    if (set === undefined) return;
    this.#deletions.observed(objectKey(set), pod.metadata?.uid ?? '');
    this.queue.add(objectKey(set));
  }

  #forget(key: string): void {
    this.#creations.delete(key);
    this.#deletions.delete(key);
  }

  /** Queues the sets that may adopt the pod. */
  #offer(pod: Pod): void {
    for (const set of setsSelecting(this.#sets, pod)) this.queue.add(objectKey(set));
  }

  #setOf(pod: Pod): ReplicaSet | undefined {
    const controller = controllerOf(pod);
    return controller && controlling(this.#sets, 'ReplicaSet', pod, controller);
  }

  protected override sync(key: string): void {
    const { namespace, name } = splitKey(key);
    const set = this.#sets.get(namespace, name);
    if (set === undefined) {
      this.#forget(key);
      return;
    }
    // A ReplicaSet that consists only of a selector is input for scheduling, so it gets no pods.
    const selector = compileLabelSelector(set.spec?.selector);
    if (set.spec?.template?.spec === undefined || 'error' in selector) return;
    const mayManage = this.#creations.areSatisfied(key) && this.#deletions.get(key).size === 0;
    const { client } = this.#modules;
    const { owned, orphans, strangers } = claimedPods(this.#pods, set, selector);
    for (const pod of strangers) releasePod(client, set, pod);
    const adopted = orphans.filter((pod) => adoptPod(client, set, pod));
    const active = [...owned, ...adopted].filter((pod) => !isPodFinished(pod));
    const present = active.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    let failure: { readonly error: unknown } | undefined;
    if (mayManage && set.metadata?.deletionTimestamp === undefined) failure = this.#manage(key, set, present);
    this.#writeStatus(key, set, present);
    if (failure !== undefined) throw failure.error;
  }

  /** Creates or deletes pods. Returns the first error, if there was one. Upstream: manageReplicas. */
  #manage(key: string, set: ReplicaSet, present: readonly Pod[]): { readonly error: unknown } | undefined {
    const difference = present.length - (set.spec?.replicas ?? 1);
    if (difference === 0) return undefined;
    const count = Math.min(Math.abs(difference), BURST_REPLICAS);
    const writing = { ...this.#modules, creations: this.#creations, deletions: this.#deletions, key, set };
    return difference < 0 ? createReplicas(writing, count) : deleteReplicas(writing, present, count);
  }

  /** Writes the status. A conflict is ignored, since the set's next version causes the next sync. @throws ApiError */
  #writeStatus(key: string, set: ReplicaSet, present: readonly Pod[]): void {
    const { client, loop } = this.#modules;
    const nowMillis = loop.nowMillis();
    const { status, nextAvailableMillis } = observeReplicas(set, present, nowMillis);
    if (nextAvailableMillis !== undefined) this.queue.addAfter(key, nextAvailableMillis - nowMillis);
    if (semanticallyEqual(status, set.status)) return;
    try {
      ifFound(() => client.updateStatus('replicasets', { ...set, status }));
    } catch (error) {
      if (!isApiError(error, 'Conflict')) throw error;
      this.queue.addRateLimited(key);
    }
  }
}

/** Whether the change of the pod changes the set's counts. */
function isNews(before: Pod, after: Pod): boolean {
  return (
    before.status?.phase !== after.status?.phase ||
    before.status?.conditions !== after.status?.conditions ||
    before.metadata?.labels !== after.metadata?.labels ||
    before.metadata?.ownerReferences !== after.metadata?.ownerReferences
  );
}
