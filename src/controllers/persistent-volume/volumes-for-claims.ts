import { compileLabelSelector } from '../../api/label-selector.ts';
import type { Node } from '../../api/node.ts';
import type { NodeSelectorTerm } from '../../api/node-selector.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../api/storage.ts';
import { claimClassName } from '../../api/volume-claims.ts';
import { toFloat64 } from '../../lib/int64.ts';

/** An annotation of a volume that was made for a claim. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
const ZONE_KEY = 'topology.kubernetes.io/zone';

/**
 * The smallest of the free volumes of the claim's class that has what it asks for. Upstream: FindMatchingVolume in
 * component-helpers/storage/volume/pv_helpers.go.
 */
export function bestVolume(
  volumes: readonly PersistentVolume[],
  claim: PersistentVolumeClaim,
): PersistentVolume | undefined {
  const { accessModes = [], volumeMode = 'Filesystem', selector } = claim.spec ?? {};
  const compiled = compileLabelSelector(selector ?? {});
  const wantedBytes = bytesOf(claim.spec?.resources?.requests?.['storage']);
  let best: PersistentVolume | undefined;
  let bestBytes = Number.POSITIVE_INFINITY;
  for (const volume of volumes) {
    const { spec = {}, metadata } = volume;
    if (metadata?.deletionTimestamp !== undefined || (spec.volumeMode || 'Filesystem') !== volumeMode) continue;
    if (!accessModes.every((mode) => spec.accessModes?.includes(mode))) continue;
    if ('error' in compiled || !compiled.matches(metadata?.labels)) continue;
    const bytes = bytesOf(spec.capacity?.['storage']);
    if (bytes < wantedBytes || bytes >= bestBytes) continue;
    [best, bestBytes] = [volume, bytes];
    // None that suffices is smaller, and of equal ones the first is taken.
    if (bytes === wantedBytes) break;
  }
  return best;
}

/**
 * A new volume for the claim. A volume for a certain node can be reached from the zone of that node, as the disks of
 * most clouds; if the node has no zone, or none was selected, from where the class allows.
 */
export function provisionedVolume(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  node: Node | undefined,
): PersistentVolume {
  const { namespace, name, uid } = claim.metadata ?? {};
  const volumeName = `pvc-${uid}`;
  const { provisioner = '' } = storageClass;
  const terms = reachableTerms(storageClass, node);
  return {
    metadata: { name: volumeName, annotations: { [PROVISIONED_BY]: provisioner } },
    spec: {
      accessModes: claim.spec?.accessModes,
      capacity: claim.spec?.resources?.requests,
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      csi: { driver: provisioner, volumeHandle: volumeName },
      storageClassName: claimClassName(claim),
      ...(claim.spec?.volumeMode && { volumeMode: claim.spec.volumeMode }),
      ...(terms.length > 0 && { nodeAffinity: { required: { nodeSelectorTerms: terms } } }),
    },
  };
}

function reachableTerms({ allowedTopologies }: StorageClass, node: Node | undefined): readonly NodeSelectorTerm[] {
  const zone = node?.metadata?.labels?.[ZONE_KEY];
  if (zone !== undefined) return [{ matchExpressions: [{ key: ZONE_KEY, operator: 'In', values: [zone] }] }];
  return (allowedTopologies ?? []).map(({ matchLabelExpressions = [] }) => ({
    matchExpressions: matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In', values })),
  }));
}

function bytesOf(amount: string | number | undefined): number {
  return amount === undefined ? 0 : toFloat64(parseQuantity(amount).value);
}
