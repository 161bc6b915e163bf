/** What tells whether storage is within reach of a node. */
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { claimClassName, SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { memoized } from '../../lib/memoized.ts';
import type { AssumeCache } from './assume-cache.ts';
import { translationOf } from './csi-migration.ts';
import type { PodVolumeClaims } from './pod-volume-claims.ts';

/** What `findPodVolumes` reads of a node. */
export interface NodeReads {
  /** The keys of node labels. */
  readonly labels: ReadonlySet<string>;
  /** The in-tree plugins for which a CSI driver may stand in on the node. */
  readonly plugins: ReadonlySet<string>;
}

/** What `findPodVolumes` reads of a node for these claims; null if it reads the node's name, too. */
export function nodeReadsOf(
  { bound, unboundDelayed }: PodVolumeClaims,
  objects: ClusterObjects,
  assumed: AssumeCache,
): NodeReads | null {
  const labels = new Set<string>();
  const plugins = new Set<string>();
  const addVolume = (volume: PersistentVolume): void => {
    for (const key of affinityKeys(volume)) labels.add(key);
  };
  for (const claim of bound) {
    const volume = assumed.volume(claim.spec?.volumeName ?? '');
    if (volume === undefined) continue;
    addVolume(volume);
    const translation = translationOf(volume);
    if (translation === null) continue;
    plugins.add(translation.plugin);
    if (!('error' in translation.to)) addVolume(translation.to);
  }
  for (const { claim, prebound, available } of unboundDelayed) {
    if (claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION] !== undefined) return null;
    // Volumes that a claim may get are not translated for the CSI drivers of a node.
    for (const volume of prebound) addVolume(volume);
    for (const volume of available) addVolume(volume);
    for (const key of provisioningKeys(claim, objects)) labels.add(key);
  }
  return { labels, plugins };
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
