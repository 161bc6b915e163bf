import { isFullyBound } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { AssumeCache } from './assume-cache.ts';
import { translationOf } from './csi-migration.ts';

/**
 * A text of all that nodes are asked for the claims of the pod, if each is bound to a volume that all nodes see alike;
 * null for a pod with other claims.
 */
export function formOfBoundClaims(pod: PodInfo, objects: ClusterObjects, assumed: AssumeCache): string | null {
  let form = '';
  for (const { persistentVolumeClaim, ephemeral } of pod.pod.spec?.volumes ?? []) {
    if (ephemeral) return null;
    if (!persistentVolumeClaim) continue;
    const { claimName = '' } = persistentVolumeClaim;
    const claim = objects.get('PersistentVolumeClaim', claimName, pod.namespace);
    if (claim === undefined || assumed.claim(pod.namespace, claimName) !== claim) return null;
    if (claim.status?.phase === 'Lost' || claim.metadata?.deletionTimestamp || !isFullyBound(claim)) return null;
    const volume = assumed.volume(claim.spec?.volumeName ?? '');
    // On some nodes a CSI driver may stand in for an in-tree plugin.
    if (volume === undefined || translationOf(volume) !== null) return null;
    form += JSON.stringify(volume.spec?.nodeAffinity?.required ?? null);
  }
  return form;
}
