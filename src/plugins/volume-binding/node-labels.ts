/** The node labels by which storage is found to be within reach of a node. */
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { claimClassName, SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { memoized } from '../../lib/memoized.ts';
import type { AssumeCache } from './assume-cache.ts';
import { isSameOnNodes } from './csi-migration.ts';
import type { PodVolumeClaims } from './pod-volume-claims.ts';

/**
 * The keys of the node labels on which `findPodVolumes` depends for these claims; null if it depends on more of a node,
 * such as its name or its CSINode.
 */
export function nodeLabelsOf(
  { bound, unboundDelayed }: PodVolumeClaims,
  objects: ClusterObjects,
  assumed: AssumeCache,
): ReadonlySet<string> | null {
  const keys = new Set<string>();
  const addVolume = (volume: PersistentVolume): boolean => {
    if (!isSameOnNodes(volume)) return false;
    for (const key of affinityKeys(volume)) keys.add(key);
    return true;
  };
  for (const claim of bound) {
    const volume = assumed.volume(claim.spec?.volumeName ?? '');
    if (volume !== undefined && !addVolume(volume)) return null;
  }
  for (const { claim, prebound, available } of unboundDelayed) {
    if (claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION] !== undefined) return null;
    if (!prebound.every(addVolume) || !available.every(addVolume)) return null;
    for (const key of provisioningKeys(claim, objects)) keys.add(key);
  }
  return keys;
}

const affinityKeys = memoized((volume: PersistentVolume): readonly string[] => {
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key ?? ''));
});

function* provisioningKeys(claim: PersistentVolumeClaim, objects: ClusterObjects): Iterable<string> {
  const storageClass = objects.get('StorageClass', claimClassName(claim));
  if (storageClass === undefined) return;
  for (const { matchLabelExpressions = [] } of storageClass.allowedTopologies ?? []) {
    for (const { key } of matchLabelExpressions) yield key ?? '';
  }
  if (!objects.get('CSIDriver', storageClass.provisioner ?? '')?.spec?.storageCapacity) return;
  for (const { nodeTopology } of objects.list('CSIStorageCapacity')) {
    yield* Object.keys(nodeTopology?.matchLabels ?? {});
    for (const { key } of nodeTopology?.matchExpressions ?? []) yield key ?? '';
  }
}
