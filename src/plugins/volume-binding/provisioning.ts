import type { Node } from '../../api/node.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { CSIStorageCapacity, PersistentVolumeClaim, StorageClass } from '../../api/storage.ts';
import { claimClassName, isProvisioned } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { Int64 } from '../../lib/int64.ts';
import { memoized } from '../../lib/memoized.ts';
import { capacitiesOfClass } from './capacities.ts';
import { hasAccess, isAllowedTopology } from './volume-topology.ts';

/**
 * Whether a volume for the claim can be created where the node reaches it (upstream's checkVolumeProvisions).
 *
 * @throws CodedError `InvalidQuantity`
 */
export function checkProvisioning(
  claim: PersistentVolumeClaim,
  node: Node,
  objects: ClusterObjects,
): 'possible' | 'impossible' | 'no space' | { readonly error: string } {
  const className = claimClassName(claim);
  if (className === '') {
    return { error: `no class for claim "${claim.metadata?.namespace}/${claim.metadata?.name}"` };
  }
  const storageClass = objects.get('StorageClass', className);
  if (storageClass === undefined) return { error: `failed to find storage class "${className}"` };
  if (!isProvisioned(storageClass)) return 'impossible';
  if (!isAllowedTopology(storageClass, node)) return 'impossible';
  return hasEnoughCapacity(claim, storageClass, node, objects) ? 'possible' : 'no space';
}

/** A text of all that is asked of nodes and of what drivers report, so that a volume can be created for the claim. */
export function formOfProvisioning(claim: PersistentVolumeClaim, objects: ClusterObjects): string {
  const { provisioner = '', allowedTopologies } = objects.get('StorageClass', claimClassName(claim)) ?? {};
  const isTracked = objects.get('CSIDriver', provisioner)?.spec?.storageCapacity;
  return JSON.stringify([provisioner, allowedTopologies, isTracked, claim.spec?.resources?.requests?.['storage']]);
}

/** Whether one object has capacity for the whole claim; always true for drivers that do not report capacity. */
function hasEnoughCapacity(
  claim: PersistentVolumeClaim,
  { provisioner = '', metadata }: StorageClass,
  node: Node,
  objects: ClusterObjects,
): boolean {
  const request = claim.spec?.resources?.requests?.['storage'];
  if (request === undefined) return true;
  if (!objects.get('CSIDriver', provisioner)?.spec?.storageCapacity) return true;
  const requestBytes = parseQuantity(request).value;
  const { reachable } = capacitiesOfClass(metadata?.name ?? '', objects);
  const isEnough = (capacity: CSIStorageCapacity): boolean => {
    const { bytes } = limitOf(capacity);
    return bytes !== null && bytes >= requestBytes && hasAccess(capacity, node);
  };
  return reachable.find(node.metadata?.labels ?? {}, isEnough) !== null;
}

/** The size of the largest volume for which there is room; null if the object does not say. */
const limitOf = memoized(({ maximumVolumeSize, capacity }: CSIStorageCapacity): { readonly bytes: Int64 | null } => {
  const limit = maximumVolumeSize ?? capacity ?? null;
  return { bytes: limit === null ? null : parseQuantity(limit).value };
});
