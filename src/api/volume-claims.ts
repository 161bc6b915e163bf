/** References between pods, claims, volumes and classes (component-helpers/storage/{ephemeral,volume}). */
import type { Pod } from './pod.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from './storage.ts';
import type { Volume } from './volumes.ts';

/** An older annotation, which overrides `storageClassName`. */
export const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
export const BIND_COMPLETED_ANNOTATION = 'pv.kubernetes.io/bind-completed';

/** Set by whoever binds a volume to a claim, so that the binding can be undone. */
export const BOUND_BY_CONTROLLER_ANNOTATION = 'pv.kubernetes.io/bound-by-controller';

/** The annotation by which the scheduler requests a volume for a claim: the node that it chose. */
export const SELECTED_NODE_ANNOTATION = 'volume.kubernetes.io/selected-node';

/** The provisioner of classes whose volumes are created by hand. */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

export interface VolumeClaim {
  /** The name of the claim in the pod's namespace. */
  readonly claimName: string;
  /** Whether the claim is made from the pod's own template, so that it must belong to the pod. */
  readonly isEphemeral: boolean;
}

/** The claim behind a volume; null for a volume of another kind. */
export function claimOfVolume(podName: string, volume: Volume): VolumeClaim | null {
  if (volume.persistentVolumeClaim) {
    return { claimName: volume.persistentVolumeClaim.claimName ?? '', isEphemeral: false };
  }
  if (volume.ephemeral) return { claimName: `${podName}-${volume.name ?? ''}`, isEphemeral: true };
  return null;
}

export function namesClaim({ metadata, spec }: Pod, claim: PersistentVolumeClaim): boolean {
  if ((metadata?.namespace || 'default') !== (claim.metadata?.namespace || 'default')) return false;
  const volumes = spec?.volumes ?? [];
  return volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim.metadata?.name);
}

/**
 * Whether a volume of the pod names this claim, or the claim has the name of one for an ephemeral volume of the pod.
 */
export function usesClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  const { metadata, spec } = pod;
  if ((metadata?.namespace || 'default') !== (claim.metadata?.namespace || 'default')) return false;
  const name = claim.metadata?.name ?? '';
  return (spec?.volumes ?? []).some((volume) => claimOfVolume(metadata?.name ?? '', volume)?.claimName === name);
}

/** Whether the claim was created for an ephemeral volume of this pod, that is, whether the pod controls it. */
export function isOwnedByPod(claim: PersistentVolumeClaim, pod: Pod): boolean {
  const controller = claim.metadata?.ownerReferences?.find((owner) => owner.controller === true);
  return controller !== undefined && controller.uid === (pod.metadata?.uid ?? '');
}

/** The storage class of the claim; '' for none. */
export function claimClassName(claim: PersistentVolumeClaim): string {
  return claim.metadata?.annotations?.[CLASS_ANNOTATION] ?? claim.spec?.storageClassName ?? '';
}

/** The storage class of the volume; '' for none. */
export function volumeClassName(volume: PersistentVolume): string {
  return volume.metadata?.annotations?.[CLASS_ANNOTATION] ?? volume.spec?.storageClassName ?? '';
}

/** Whether the claim is bound to a volume, and the volume controller has confirmed it. */
export function isFullyBound(claim: PersistentVolumeClaim): boolean {
  return Boolean(claim.spec?.volumeName) && claim.metadata?.annotations?.[BIND_COMPLETED_ANNOTATION] !== undefined;
}

/** Whether the volume refers to this claim; a reference without uid refers to any claim of the name. */
export function isVolumeBoundToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const reference = volume.spec?.claimRef;
  if (!reference) return false;
  const { name, namespace, uid } = claim.metadata ?? {};
  if ((reference.name ?? '') !== (name ?? '')) return false;
  if ((reference.namespace || 'default') !== (namespace || 'default')) return false;
  return !reference.uid || reference.uid === uid;
}

/** Whether claims of the class get their volumes when the nodes of their pods are known. */
export function waitsForPod(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}

export function isProvisioned({ provisioner }: StorageClass): boolean {
  return Boolean(provisioner) && provisioner !== NO_PROVISIONER;
}
