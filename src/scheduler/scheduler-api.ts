import type { Pod } from '../api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/storage.ts';

/**
 * The writes of the scheduler, as one call of the API each: done, or refused with a thrown `ApiError`. The store stands
 * behind it, or whoever wants to refuse, delay or count.
 */
export interface SchedulerApi {
  /**
   * `pods/binding` create, for the pod with this uid and no other of its name. Returns the pod as it is now, where the
   * API tells.
   *
   * @throws ApiError NotFound, Conflict
   */
  bindPod(pod: Pod, nodeName: string): Pod | undefined;
  /** `pods/status` patch, strategic merge: `{ status: ... }`. @throws ApiError NotFound, Conflict, Invalid */
  patchPodStatus(namespace: string, name: string, patch: Readonly<Record<string, unknown>>): void;
  /** `pods` delete. @throws ApiError NotFound */
  deletePod(namespace: string, name: string): void;
  /** Returns what is stored now. @throws ApiError NotFound, Conflict, Invalid */
  updatePersistentVolume(volume: PersistentVolume): PersistentVolume;
  /** Returns what is stored now. @throws ApiError NotFound, Conflict, Invalid */
  updatePersistentVolumeClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim;
}

/** Records events about what the scheduler did (upstream's events.EventRecorder). Never fails. */
export interface SchedulingEventRecorder {
  /** `related`: the other object that is concerned, such as the preemptor of a victim. */
  event(
    regarding: Pod,
    related: Pod | null,
    type: 'Normal' | 'Warning',
    reason: string,
    action: string,
    note: string,
  ): void;
}

/** Pods as the API showed them last. */
export interface PodLister {
  get(namespace: string, name: string): Pod | undefined;
}
