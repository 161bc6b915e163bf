import type { Pod } from '../api/pod.ts';
import type { ResourceClaim, ResourceClaimStatus } from '../api/resource-claims.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/storage.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { StatusOutcome } from '../store/objects/store-client.ts';

/**
 * The writes of the scheduler. Each method is one API call, which a store answers at once and a server later. If it is
 * refused, it throws an `ApiError`, or rejects with it.
 */
export interface SchedulerApi {
  /**
   * `pods/binding` create, for the pod with this uid and no other of its name. Returns the bound pod; undefined if the
   * API does not return it.
   *
   * @throws ApiError NotFound, Conflict
   */
  bindPod(pod: Pod, nodeName: string): MaybePromise<Pod | undefined>;
  /**
   * `pods/status` patch, strategic merge: `{ status: ... }`. `outcome`: what it makes of the status that the pod
   * probably has. @throws ApiError NotFound, Conflict, Invalid
   */
  patchPodStatus(
    namespace: string,
    name: string,
    patch: Readonly<Record<string, unknown>>,
    outcome?: StatusOutcome,
  ): MaybePromise<void>;
  /** `podgroups/status` patch, strategic merge. @throws ApiError NotFound, Conflict, Invalid */
  patchPodGroupStatus(namespace: string, name: string, patch: Readonly<Record<string, unknown>>): MaybePromise<void>;
  /** `pods` delete. @throws ApiError NotFound */
  deletePod(namespace: string, name: string): MaybePromise<void>;
  /** Returns the stored object. @throws ApiError NotFound, Conflict, Invalid */
  updatePersistentVolume(volume: PersistentVolume): MaybePromise<PersistentVolume>;
  /** Returns the stored object. @throws ApiError NotFound, Conflict, Invalid */
  updatePersistentVolumeClaim(claim: PersistentVolumeClaim): MaybePromise<PersistentVolumeClaim>;
  /** Returns the stored object, with a name made from `generateName`. @throws ApiError AlreadyExists, Invalid */
  createResourceClaim(claim: ResourceClaim): MaybePromise<ResourceClaim>;
  /** @throws ApiError NotFound */
  deleteResourceClaim(namespace: string, name: string): MaybePromise<void>;
  /** Returns the stored object. @throws ApiError NotFound */
  getResourceClaim(namespace: string, name: string): MaybePromise<ResourceClaim>;
  /** Returns the stored object. @throws ApiError NotFound, Conflict, Invalid */
  updateResourceClaim(claim: ResourceClaim): MaybePromise<ResourceClaim>;
  /**
   * Updates the status alone; returns the stored object. `before`: the status that the claim probably has, given by
   * callers whose new status is frozen deeply, without absent members. @throws ApiError NotFound, Conflict, Invalid
   */
  updateResourceClaimStatus(claim: ResourceClaim, before?: ResourceClaimStatus): MaybePromise<ResourceClaim>;
  /** `resourceclaims/status` patch, strategic merge. @throws ApiError NotFound, Conflict, Invalid */
  patchResourceClaimStatus(
    namespace: string,
    name: string,
    patch: Readonly<Record<string, unknown>>,
  ): MaybePromise<void>;
}

/** Records events about scheduling (upstream's events.EventRecorder). Recording never fails. */
export interface SchedulingEventRecorder {
  /** `related`: a second object of the event, such as the preemptor of a victim. */
  event(
    regarding: Pod,
    related: Pod | null,
    type: 'Normal' | 'Warning',
    reason: string,
    action: string,
    note: string,
  ): void;
}

/** The pods as a watch has shown them last. */
export interface PodLister {
  get(namespace: string, name: string): Pod | undefined;
}
