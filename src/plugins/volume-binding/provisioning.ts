import type { Node } from '../../api/node.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { PersistentVolumeClaim, StorageClass } from '../../api/storage.ts';
import { claimClassName } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { hasAccess, isAllowedTopology } from './volume-topology.ts';

/** The provisioner of classes whose volumes are created by hand. */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

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
  const { provisioner } = storageClass;
  if (!provisioner || provisioner === NO_PROVISIONER) return 'impossible';
  if (!isAllowedTopology(storageClass, node)) return 'impossible';
  return hasEnoughCapacity(claim, storageClass, node, objects) ? 'possible' : 'no space';
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
  for (const capacity of objects.list('CSIStorageCapacity')) {
    if ((capacity.storageClassName ?? '') !== (metadata?.name ?? '')) continue;
    const limit = capacity.maximumVolumeSize ?? capacity.capacity;
    if (limit === undefined || limit === null || parseQuantity(limit).value < requestBytes) continue;
    if (hasAccess(capacity, node)) return true;
  }
  return false;
}
