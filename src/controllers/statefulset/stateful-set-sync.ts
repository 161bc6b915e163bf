import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { StatefulSet } from '../../api/stateful-set.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { messageOf } from '../job/sync-error.ts';
import { isNamespaceTerminating } from '../pod-creation.ts';
import { nameOf, templateOfRevision } from '../revisions/controller-revisions.ts';
import type { PodClaims } from './pod-claims.ts';
import { identityLabels, isInRange, ordinalOf, podRevisionOf, startOrdinalOf, statefulPod } from './stateful-pod.ts';
import { isRunningAndAvailable, isTerminatingPod, type Revisions } from './stateful-set-status.ts';

export interface StatefulSetSyncModules {
  readonly client: StoreClient;
  readonly recorder: EventRecorder;
  readonly podClaims: PodClaims;
  readonly nowMillis: number;
}

/**
 * One step of a StatefulSet towards its wanted pods: first the pods of its ordinals, from the lowest, then those
 * beyond, from the highest, then the update, from the highest. With `OrderedReady` each waits for the one before.
 *
 * Upstream: updateStatefulSet in pkg/controller/statefulset/stateful_set_control.go.
 */
export class StatefulSetSync {
  readonly #modules: StatefulSetSyncModules;
  readonly #set: StatefulSet;
  readonly #revisions: Revisions;
  readonly #isOrdered: boolean;
  /** The pods of the wanted ordinals, in order; undefined where one is missing. */
  readonly #replicas: readonly (Pod | undefined)[];
  /** Pods of other ordinals, the highest first. */
  readonly #condemned: readonly Pod[];

  constructor(modules: StatefulSetSyncModules, set: StatefulSet, pods: readonly Pod[], revisions: Revisions) {
    this.#modules = modules;
    this.#set = set;
    this.#revisions = revisions;
    this.#isOrdered = set.spec?.podManagementPolicy !== 'Parallel';
    const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
    const start = startOrdinalOf(set);
    this.#replicas = Array.from({ length: set.spec?.replicas ?? 1 }, (_, i) => byOrdinal.get(start + i));
    this.#condemned = pods.filter((pod) => !isInRange(set, ordinalOf(pod))).sort((a, b) => ordinalOf(b) - ordinalOf(a));
  }

  /** @throws ApiError */
  run(): void {
    const firstUnavailable =
      this.#replicas.find((pod) => pod === undefined || !this.#isAvailable(pod)) ??
      this.#condemned.findLast((pod) => !this.#isAvailable(pod));
    // A missing pod is the first that is not available.
    const isComplete = this.#replicas.every((pod) => pod !== undefined);
    if (!this.#keepReplicas()) return;
    for (const pod of this.#condemned) this.#modules.podClaims.retain(this.#set, pod);
    if (!this.#removeCondemned(isComplete ? firstUnavailable : undefined)) return;
    if (this.#set.spec?.updateStrategy?.type !== 'OnDelete') this.#update();
  }

  /** Returns whether the next step may follow. */
  #keepReplicas(): boolean {
    const start = startOrdinalOf(this.#set);
    let failure: { readonly error: unknown } | undefined;
    for (const [i, pod] of this.#replicas.entries()) {
      try {
        if (!this.#keep(start + i, pod) && this.#isOrdered) return false;
      } catch (error) {
        if (this.#isOrdered) throw error;
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
    return true;
  }

  /** Returns whether the pod is as it should be, so that the next one may follow. Upstream: processReplica. */
  #keep(ordinal: number, pod: Pod | undefined): boolean {
    const { podClaims } = this.#modules;
    if (pod === undefined) {
      if (podClaims.areStale(this.#set, ordinal, undefined)) return false;
      this.#create(ordinal);
      return false;
    }
    if (isPodFinished(pod)) {
      if (!isTerminatingPod(pod)) this.#delete(pod);
      return false;
    }
    if (pod.status?.phase === 'Pending' && !isTerminatingPod(pod)) podClaims.createMissing(this.#set, ordinal);
    if (this.#isOrdered && !this.#isAvailable(pod)) return false;
    this.#identify(pod, ordinal);
    if (!isTerminatingPod(pod)) podClaims.retain(this.#set, pod);
    return true;
  }

  /** Upstream: processCondemned. Returns whether the next step may follow. */
  #removeCondemned(firstUnavailable: Pod | undefined): boolean {
    for (const pod of this.#condemned) {
      if (isTerminatingPod(pod)) {
        if (this.#isOrdered) return false;
        continue;
      }
      if (this.#isOrdered && !this.#isAvailable(pod) && pod !== firstUnavailable) return false;
      this.#delete(pod);
      if (this.#isOrdered) return false;
    }
    return true;
  }

  /**
   * Deletes a pod of another revision than that of the update, so that it comes back with it: one after the other, each
   * must be available again before the next one goes. The gate MaxUnavailableStatefulSet is off in Kubernetes 1.36.
   */
  #update(): void {
    const { partition = 0 } = this.#set.spec?.updateStrategy?.rollingUpdate ?? {};
    for (const pod of this.#replicas.slice(partition).toReversed()) {
      if (pod === undefined) return;
      const isOld = podRevisionOf(pod) !== nameOf(this.#revisions.update) && !isTerminatingPod(pod);
      if (isOld) this.#delete(pod);
      if (isOld || !this.#isAvailable(pod)) return;
    }
  }

  #isAvailable(pod: Pod): boolean {
    const { minReadySeconds = 0 } = this.#set.spec ?? {};
    return !isTerminatingPod(pod) && isRunningAndAvailable(pod, minReadySeconds, this.#modules.nowMillis);
  }

  #create(ordinal: number): void {
    const { client, recorder, podClaims } = this.#modules;
    const { name = '' } = this.#set.metadata ?? {};
    try {
      podClaims.createMissing(this.#set, ordinal);
      const created = client.create('pods', this.#newPod(ordinal));
      this.#record(
        'Normal',
        'SuccessfulCreate',
        `create Pod ${created.metadata?.name} in StatefulSet ${name} successful`,
      );
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      if (!isApiError(error, 'AlreadyExists')) {
        const message = `create Pod ${name}-${ordinal} in StatefulSet ${name} failed error: ${messageOf(error)}`;
        recorder.event(this.#set, 'Warning', 'FailedCreate', message);
      }
      throw error;
    }
  }

  /** A pod below the partition comes back as it was. Upstream: newVersionedStatefulSetPod. */
  #newPod(ordinal: number): Pod {
    const { updateStrategy } = this.#set.spec ?? {};
    const partition = updateStrategy?.type === 'OnDelete' ? 0 : (updateStrategy?.rollingUpdate?.partition ?? 0);
    const { current, update } = this.#revisions;
    const revision = ordinal < startOrdinalOf(this.#set) + partition ? current : update;
    return statefulPod(this.#set, templateOfRevision(revision), nameOf(revision), ordinal);
  }

  #delete(pod: Pod): void {
    const { namespace = '', name = '', uid } = pod.metadata ?? {};
    try {
      this.#modules.client.delete('pods', namespace, name, { preconditions: { uid } });
    } catch (error) {
      if (isApiError(error, 'NotFound') || isApiError(error, 'Conflict')) return;
      throw error;
    }
    const setName = this.#set.metadata?.name;
    this.#record('Normal', 'SuccessfulDelete', `delete Pod ${name} in StatefulSet ${setName} successful`);
  }

  /** Gives an adopted pod the labels of its identity. */
  #identify({ metadata }: Pod, ordinal: number): void {
    const { namespace = '', name = '', labels: present } = metadata ?? {};
    const labels = identityLabels(name, ordinal);
    if (Object.entries(labels).every(([key, value]) => present?.[key] === value)) return;
    this.#modules.client.patch('pods', namespace, name, { type: 'merge', body: { metadata: { labels } } });
  }

  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#modules.recorder.event(this.#set, type, reason, message);
  }
}
