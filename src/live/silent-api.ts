import type { Pod } from '../api/pod.ts';
import type { ResourceClaim } from '../api/resource-claims.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../api/storage.ts';
import type { SchedulerApi } from '../scheduler/scheduler-api.ts';
import { ApiError } from '../store/objects/api-error.ts';

/** Receives what a scheduler would have written. */
export interface SilentObserver {
  /** The pod would be bound to this node. */
  bound(pod: Pod, nodeName: string): void;
  /** The status of the pod would be changed: a strategic merge patch. */
  statusPatched(namespace: string, name: string, patch: Readonly<Record<string, unknown>>): void;
  /** The pod would be evicted. */
  deleted(namespace: string, name: string): void;
}

/**
 * The writes of a scheduler that writes nothing: all of them succeed. A pod that was bound stays assumed on its node
 * until the API shows it on one.
 */
export function silentApi({ bound, statusPatched, deleted }: SilentObserver): SchedulerApi {
  return {
    bindPod(pod, nodeName) {
      bound(pod, nodeName);
      return undefined;
    },
    patchPodStatus: statusPatched,
    patchPodGroupStatus() {},
    deletePod: deleted,
    updatePersistentVolume: (volume: PersistentVolume) => volume,
    updatePersistentVolumeClaim: (claim: PersistentVolumeClaim) => claim,
    createResourceClaim: (claim: ResourceClaim) => claim,
    deleteResourceClaim() {},
    getResourceClaim(_namespace, name) {
      throw new ApiError('NotFound', `resourceclaims.resource.k8s.io "${name}" not found`);
    },
    updateResourceClaim: (claim: ResourceClaim) => claim,
    updateResourceClaimStatus: (claim: ResourceClaim) => claim,
    patchResourceClaimStatus() {},
  };
}
