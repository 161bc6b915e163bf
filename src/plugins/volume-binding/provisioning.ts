import type { Node } from '../../api/node.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { CSIStorageCapacity, PersistentVolumeClaim, StorageClass } from '../../api/storage.ts';
import { claimClassName } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { Int64 } from '../../lib/int64.ts';
import { memoized } from '../../lib/memoized.ts';
import { LabelBuckets } from './label-buckets.ts';
import { hasAccess, isAllowedTopology, requiredLabelOfCapacity } from './volume-topology.ts';

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

/** Whether volumes for the claim can be created for every node, or for none; null if nodes differ. */
export function isProvisionedEverywhere(claim: PersistentVolumeClaim, objects: ClusterObjects): boolean | null {
  const storageClass = objects.get('StorageClass', claimClassName(claim));
  if (storageClass === undefined) return null;
  const { provisioner, allowedTopologies } = storageClass;
  if (!provisioner || provisioner === NO_PROVISIONER) return false;
  return allowedTopologies?.length || objects.get('CSIDriver', provisioner)?.spec?.storageCapacity ? null : true;
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
  const capacities = capacitiesOf(objects).ofClass(metadata?.name ?? '');
  const isEnough = (capacity: CSIStorageCapacity): boolean => {
    const { bytes } = limitOf(capacity);
    return bytes !== null && bytes >= requestBytes && hasAccess(capacity, node);
  };
  return capacities.find(node.metadata?.labels ?? {}, isEnough) !== null;
}

/** The size of the largest volume for which there is room; null if the object does not say. */
const limitOf = memoized(({ maximumVolumeSize, capacity }: CSIStorageCapacity): { readonly bytes: Int64 | null } => {
  const limit = maximumVolumeSize ?? capacity ?? null;
  return { bytes: limit === null ? null : parseQuantity(limit).value };
});

const capacitiesOf = memoized((objects: ClusterObjects) => new Capacities(objects));

/** The objects that report capacity, by storage class and by the nodes that have access. */
class Capacities {
  readonly #objects: ClusterObjects;
  readonly #byClass = new Map<string, LabelBuckets<CSIStorageCapacity>>();
  #version = -1;

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  ofClass(className: string): LabelBuckets<CSIStorageCapacity> {
    const version = this.#objects.version('CSIStorageCapacity');
    if (this.#version !== version) this.#byClass.clear();
    this.#version = version;
    return getOrMake(this.#byClass, className, () => {
      const all = [...this.#objects.list('CSIStorageCapacity')];
      const own = all.filter(({ storageClassName }) => (storageClassName ?? '') === className);
      const buckets = new LabelBuckets(requiredLabelOfCapacity, () => 0);
      for (const capacity of own) buckets.add(capacity);
      return buckets;
    });
  }
}
