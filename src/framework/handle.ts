import type { Pod } from '../api/pod.ts';
import type { ResourceClaim, ResourceClaimStatus } from '../api/resource-claims.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/storage.ts';
import type { Timer } from '../lib/event-loop.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';

/** A pod that waits for the approval of Permit plugins. */
export interface WaitingPod {
  readonly pod: PodInfo;
  /** The names of the plugins that have not decided yet. */
  pendingPlugins(): readonly string[];
  /** Approves the pod for one plugin; it is bound once all have approved it. */
  allow(plugin: string): void;
  /** Rejects the pod, which goes back to the queue; false if it was decided before. */
  reject(plugin: string, message: string): boolean;
}

/** What plugins of a scheduler on a store may use beside the cluster (upstream's framework.Handle). */
export interface Handle {
  readonly api: HandleApi;
  /** The time in milliseconds since the Unix epoch. */
  nowMillis(): number;
  after(delayMillis: number, task: () => void): Timer;
  waitingPods(): Iterable<WaitingPod>;
  waitingPod(uid: string): WaitingPod | undefined;
  /** Returns whether there was such a waiting pod. */
  rejectWaitingPod(uid: string): boolean;
  /** Moves the pods to the active queue, whatever they wait for. */
  activate(pods: readonly Pod[]): void;
  /** The pod as watches last showed it; undefined if it is gone. */
  podFromLister(namespace: string, name: string): Pod | undefined;
  /** The node as decisions see it now; undefined if there is none. */
  node(name: string): NodeInfo | undefined;
  /** Records an event about the pod (upstream's EventRecorder). */
  event(pod: Pod, type: 'Normal' | 'Warning', reason: string, action: string, note: string): void;
  /** Whether victims of the pod's preemption have not been deleted yet. */
  isPreempting(uid: string): boolean;
}

/**
 * The API calls of plugins. A store answers at once, a server later. If the API refuses, they throw a `CodedError`, or
 * reject with it, which has the code `Conflict` for a version.
 */
export interface HandleApi {
  bindPod(pod: Pod, nodeName: string): MaybePromise<Pod | undefined>;
  updatePersistentVolume(volume: PersistentVolume): MaybePromise<PersistentVolume>;
  updatePersistentVolumeClaim(claim: PersistentVolumeClaim): MaybePromise<PersistentVolumeClaim>;
  patchPodStatus(namespace: string, name: string, patch: Readonly<Record<string, unknown>>): MaybePromise<void>;
  createResourceClaim(claim: ResourceClaim): MaybePromise<ResourceClaim>;
  deleteResourceClaim(namespace: string, name: string): MaybePromise<void>;
  getResourceClaim(namespace: string, name: string): MaybePromise<ResourceClaim>;
  updateResourceClaim(claim: ResourceClaim): MaybePromise<ResourceClaim>;
  /**
   * `before`: the status that the claim probably has, given by callers whose new status is frozen deeply, without
   * absent members.
   */
  updateResourceClaimStatus(claim: ResourceClaim, before?: ResourceClaimStatus): MaybePromise<ResourceClaim>;
  patchResourceClaimStatus(
    namespace: string,
    name: string,
    patch: Readonly<Record<string, unknown>>,
  ): MaybePromise<void>;
}
