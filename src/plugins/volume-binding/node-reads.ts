import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { claimClassName, SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { AssumeCache } from './assume-cache.ts';
import { capacitiesOfClass } from './capacities.ts';
import { translationOf } from './csi-migration.ts';
import { affinityReads, type LabelRead } from './label-reads.ts';
import type { PodVolumeClaims } from './pod-volume-claims.ts';

/** What `findPodVolumes` reads of a node. */
export interface NodeReads {
  /**
   * The values of labels that are told apart, by key: all other values of the label are alike, which those of most
   * nodes are to disks that each belong to one node. Null if all values count.
   */
  readonly labels: ReadonlyMap<string, ReadonlySet<string> | null>;
  /** The in-tree plugins for which a CSI driver may stand in on the node. */
  readonly plugins: ReadonlySet<string>;
  /** The names of nodes that are told apart from all others, for which provisioners create volumes. */
  readonly names: ReadonlySet<string>;
}

/** What `findPodVolumes` reads of a node for these claims. */
export function nodeReadsOf(
  { bound, unboundDelayed }: PodVolumeClaims,
  objects: ClusterObjects,
  assumed: AssumeCache,
): NodeReads {
  const labels = new Map<string, Set<string> | null>();
  const plugins = new Set<string>();
  const names = new Set<string>();
  const addVolume = (volume: PersistentVolume): void => {
    for (const read of affinityReads(volume)) addRead(labels, read);
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
  for (const { claim, prebound, free } of unboundDelayed) {
    const selectedNode = claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION];
    if (selectedNode !== undefined) names.add(selectedNode);
    // Volumes that a claim may get are not translated for the CSI drivers of a node.
    for (const volume of prebound) addVolume(volume);
    for (const read of free.reads) addRead(labels, read);
    for (const read of provisioningReads(claim, objects)) addRead(labels, read);
  }
  return { labels, plugins, names };
}

function addRead(labels: Map<string, Set<string> | null>, { key, values }: LabelRead): void {
  const known = labels.get(key);
  if (values === null) labels.set(key, null);
  else if (known === undefined) labels.set(key, new Set(values));
  else if (known !== null) for (const value of values) known.add(value);
}

function* provisioningReads(claim: PersistentVolumeClaim, objects: ClusterObjects): Iterable<LabelRead> {
  const storageClass = objects.get('StorageClass', claimClassName(claim));
  if (storageClass === undefined) return;
  for (const { matchLabelExpressions = [] } of storageClass.allowedTopologies ?? []) {
    for (const { key = '', values } of matchLabelExpressions) yield { key, values: values ?? [] };
  }
  if (!objects.get('CSIDriver', storageClass.provisioner ?? '')?.spec?.storageCapacity) return;
  yield* capacitiesOfClass(claimClassName(claim), objects).reads;
}
