/** What tells whether storage is within reach of a node. */
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { claimClassName, SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { memoized } from '../../lib/memoized.ts';
import type { AssumeCache } from './assume-cache.ts';
import { translationOf } from './csi-migration.ts';
import type { PodVolumeClaims } from './pod-volume-claims.ts';

/** A label that is read, with the values that are told apart; null if all are. */
interface LabelRead {
  readonly key: string;
  readonly values: readonly string[] | null;
}

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
    const reads = affinityReads(volume);
    for (let i = 0; i < reads.length; i++) addRead(labels, reads[i] as LabelRead);
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
    const selectedNode = claim.metadata?.annotations?.[SELECTED_NODE_ANNOTATION];
    if (selectedNode !== undefined) names.add(selectedNode);
    // Volumes that a claim may get are not translated for the CSI drivers of a node.
    for (const volume of prebound) addVolume(volume);
    for (const volume of available) addVolume(volume);
    for (const read of provisioningReads(claim, objects)) addRead(labels, read);
  }
  return { labels, plugins, names };
}

function addRead(labels: Map<string, Set<string> | null>, { key, values }: LabelRead): void {
  const known = labels.get(key);
  if (values === null) labels.set(key, null);
  else if (known === undefined) labels.set(key, new Set(values));
  else if (known !== null) for (let i = 0; i < values.length; i++) known.add(values[i] as string);
}

const affinityReads = memoized((volume: PersistentVolume): readonly LabelRead[] => {
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(readOf));
});

interface LabelExpression {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly values?: readonly string[] | null | undefined;
}

/** Operators that compare numbers tell all values apart. */
function readOf({ key = '', operator, values }: LabelExpression): LabelRead {
  const isOfSets = operator !== undefined && SET_OPERATORS.includes(operator);
  return { key, values: isOfSets ? (values ?? []) : null };
}

const SET_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

function* provisioningReads(claim: PersistentVolumeClaim, objects: ClusterObjects): Iterable<LabelRead> {
  const storageClass = objects.get('StorageClass', claimClassName(claim));
  if (storageClass === undefined) return;
  for (const { matchLabelExpressions = [] } of storageClass.allowedTopologies ?? []) {
    for (const { key = '', values } of matchLabelExpressions) yield { key, values: values ?? [] };
  }
  if (!objects.get('CSIDriver', storageClass.provisioner ?? '')?.spec?.storageCapacity) return;
  for (const { nodeTopology } of objects.list('CSIStorageCapacity')) {
    for (const [key, value] of Object.entries(nodeTopology?.matchLabels ?? {})) yield { key, values: [value] };
    for (const expression of nodeTopology?.matchExpressions ?? []) yield readOf(expression);
  }
}
