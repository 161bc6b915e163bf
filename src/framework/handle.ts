import type { Pod } from '../api/pod.ts';
import type { ResourceClaim } from '../api/resource-claims.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/storage.ts';
import type { Timer } from '../lib/event-loop.ts';
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

/** The API calls of plugins; they throw a `CodedError` if the API refuses, with the code `Conflict` for a version. */
export interface HandleApi {
  bindPod(pod: Pod, nodeName: string): Pod | undefined;
  updatePersistentVolume(volume: PersistentVolume): PersistentVolume;
  updatePersistentVolumeClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim;
  patchPodStatus(namespace: string, name: string, patch: Readonly<Record<string, unknown>>): void;
  createResourceClaim(claim: ResourceClaim): ResourceClaim;
  deleteResourceClaim(namespace: string, name: string): void;
  getResourceClaim(namespace: string, name: string): ResourceClaim;
  updateResourceClaim(claim: ResourceClaim): ResourceClaim;
  updateResourceClaimStatus(claim: ResourceClaim): ResourceClaim;
}
