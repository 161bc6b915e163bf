import type { PersistentVolumeClaim } from '../../api/storage.ts';
import { claimClassName, claimOfVolume, isFullyBound, isOwnedByPod, waitsForPod } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { AssumeCache } from './assume-cache.ts';
import { type UnboundClaim, unboundClaim } from './volume-matching.ts';

/** The claims of a pod by their state. */
export interface PodVolumeClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** The claims that are bound once the pod's node is known (WaitForFirstConsumer). */
  readonly unboundDelayed: readonly UnboundClaim[];
  /** The claims that should be bound without a pod, but are not bound yet. */
  readonly unboundImmediate: readonly PersistentVolumeClaim[];
}

/**
 * Returns why the pod cannot be placed anywhere: one of its claims is missing, lost, being deleted or another pod's.
 * Returns null if none is.
 */
export function claimProblem(pod: PodInfo, objects: ClusterObjects): string | null {
  for (const volume of pod.pod.spec?.volumes ?? []) {
    const wanted = claimOfVolume(pod.name, volume);
    if (wanted === null) continue;
    const { claimName, isEphemeral } = wanted;
    const claim = objects.get('PersistentVolumeClaim', claimName, pod.namespace);
    if (claim === undefined) {
      return isEphemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${claimName}"`
        : `persistentvolumeclaim "${claimName}" not found`;
    }
    if (claim.status?.phase === 'Lost') {
      const volumeName = claim.spec?.volumeName ?? '';
      return `persistentvolumeclaim "${claimName}" bound to non-existent persistentvolume "${volumeName}"`;
    }
    if (claim.metadata?.deletionTimestamp) return `persistentvolumeclaim "${claimName}" is being deleted`;
    if (isEphemeral && !isOwnedByPod(claim, pod.pod)) {
      return `PVC ${pod.namespace}/${claimName} was not created for pod ${pod.key} (pod is not owner)`;
    }
  }
  return null;
}

/** The claims of the pod; a claim that two volumes name is listed twice, as upstream (GetPodVolumeClaims). */
export function podVolumeClaims(
  pod: PodInfo,
  objects: ClusterObjects,
  assumed: AssumeCache,
): PodVolumeClaims | { readonly error: string } {
  const bound: PersistentVolumeClaim[] = [];
  const unboundDelayed: UnboundClaim[] = [];
  const unboundImmediate: PersistentVolumeClaim[] = [];
  for (const volume of pod.pod.spec?.volumes ?? []) {
    const claimName = claimOfVolume(pod.name, volume)?.claimName;
    const claim = claimName === undefined ? undefined : assumed.claim(pod.namespace, claimName);
    if (claim === undefined) continue;
    if (isFullyBound(claim)) {
      bound.push(claim);
      continue;
    }
    const className = claimClassName(claim);
    const storageClass = className === '' ? undefined : objects.get('StorageClass', className);
    if (storageClass !== undefined && !storageClass.volumeBindingMode) {
      return { error: `VolumeBindingMode not set for StorageClass "${className}"` };
    }
    // The volume controller binds a claim that names its volume already.
    if (!waitsForPod(storageClass) || claim.spec?.volumeName) {
      unboundImmediate.push(claim);
      continue;
    }
    unboundDelayed.push(unboundClaim(claim, assumed.candidates));
  }
  return { bound, unboundDelayed, unboundImmediate };
}
