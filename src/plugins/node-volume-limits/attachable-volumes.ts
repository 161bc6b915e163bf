import { asCSIVolume, type CSIVolume, driverOfProvisioner, isInTree } from '../../api/in-tree-volumes.ts';
import type { Pod } from '../../api/pod.ts';
import type { PersistentVolumeClaim } from '../../api/storage.ts';
import { claimClassName, claimOfVolume, isOwnedByPod } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

export function mayAttachVolumes({ spec }: Pod): boolean {
  const volumes = spec?.volumes ?? [];
  return volumes.some((volume) => volume.persistentVolumeClaim || volume.ephemeral || isInTree(volume));
}

/** Why the volumes of a pod cannot be determined. */
export interface VolumeProblem {
  readonly kind: 'NotFound' | 'Error';
  readonly message: string;
}

export interface AttachableVolumesQuery {
  readonly objects: Pick<ClusterObjects, 'get'>;
  /** Whether the node has a CSINode: in-tree volumes are counted only where CSI drivers are registered. */
  readonly hasCSINode: boolean;
  /** Whether all claims must exist: those of the pod to schedule must, those of other pods may be gone. */
  readonly requireClaims: boolean;
}

/**
 * Adds the volumes that CSI drivers must attach for the pod, from unique name to driver, so that a volume of several
 * pods is counted once (upstream's filterAttachableVolumes).
 */
export function collectAttachableVolumes(
  pod: PodInfo,
  query: AttachableVolumesQuery,
  volumes: Map<string, string>,
): VolumeProblem | null {
  const { objects, hasCSINode, requireClaims } = query;
  for (const volume of pod.pod.spec?.volumes ?? []) {
    const wanted = claimOfVolume(pod.name, volume);
    if (wanted === null) {
      if (!hasCSINode || !isInTree(volume)) continue;
      const translated = asCSIVolume(volume, {});
      if (translated === null) continue;
      if ('error' in translated) {
        return { kind: 'Error', message: `converting volume(${volume.name}) from inline to csi: ${translated.error}` };
      }
      addVolume(volumes, translated);
      continue;
    }
    const { claimName, isEphemeral } = wanted;
    if (claimName === '') return { kind: 'Error', message: 'PersistentVolumeClaim had no name' };
    const claim = objects.get('PersistentVolumeClaim', claimName, pod.namespace);
    if (claim === undefined) {
      if (!requireClaims) continue;
      const message = `looking up PVC ${pod.namespace}/${claimName}: persistentvolumeclaim "${claimName}" not found`;
      return { kind: 'NotFound', message };
    }
    if (isEphemeral && !isOwnedByPod(claim, pod.pod)) {
      const message = `PVC ${pod.namespace}/${claimName} was not created for pod ${pod.key} (pod is not owner)`;
      return { kind: 'Error', message };
    }
    const attached = volumeOfClaim(claim, pod.namespace, query);
    if (attached !== null) addVolume(volumes, attached);
  }
  return null;
}

/** The name under which a volume is counted. */
export function uniqueVolumeName({ driver, handle }: CSIVolume): string {
  return `${driver}/${handle}`;
}

function addVolume(volumes: Map<string, string>, volume: CSIVolume): void {
  volumes.set(uniqueVolumeName(volume), volume.driver);
}

function volumeOfClaim(
  claim: PersistentVolumeClaim,
  namespace: string,
  query: AttachableVolumesQuery,
): CSIVolume | null {
  const { hasCSINode, objects } = query;
  const { volumeName } = claim.spec ?? {};
  const volume = volumeName ? objects.get('PersistentVolume', volumeName) : undefined;
  if (volume === undefined) return volumeToCome(claim, namespace, query);
  const { csi } = volume.spec ?? {};
  if (csi) return csi.driver && csi.volumeHandle ? { driver: csi.driver, handle: csi.volumeHandle } : null;
  if (!hasCSINode) return null;
  const translated = asCSIVolume(volume.spec ?? {}, volume.metadata?.labels ?? {});
  return translated === null || 'error' in translated || translated.handle === '' ? null : translated;
}

/** A claim without a volume counts as a volume of its own, of the driver that will create it. */
function volumeToCome(
  claim: PersistentVolumeClaim,
  namespace: string,
  { objects, hasCSINode }: AttachableVolumesQuery,
): CSIVolume | null {
  const className = claimClassName(claim);
  const storageClass = className === '' ? undefined : objects.get('StorageClass', className);
  const provisioner = storageClass?.provisioner;
  if (!provisioner) return null;
  const driver = driverOfProvisioner(provisioner);
  if (driver === null || (driver !== provisioner && !hasCSINode)) return null;
  // No driver uses handles with a line break, so this name is that of no other volume.
  return { driver, handle: `unbound\n${namespace}/${claim.metadata?.name}` };
}
