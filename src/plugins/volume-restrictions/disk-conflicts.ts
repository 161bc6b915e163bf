import type { RBDImage, Volume } from '../../api/volumes.ts';

type Disk = Pick<Volume, 'gcePersistentDisk' | 'awsElasticBlockStore' | 'iscsi' | 'rbd'>;

/** Whether the volume is a disk that pods on one node may not be able to share. */
export function isDisk({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: Volume): boolean {
  return Boolean(gcePersistentDisk || awsElasticBlockStore || iscsi || rbd);
}

/**
 * Whether two volumes are the same disk and may not both be mounted on one node. Disks other than EBS may be, if both
 * pods only read.
 */
export function disksConflict(a: Disk, b: Disk): boolean {
  const gceA = a.gcePersistentDisk;
  const gceB = b.gcePersistentDisk;
  if (gceA && gceB && same(gceA.pdName, gceB.pdName) && someoneWrites(gceA, gceB)) return true;

  const ebsA = a.awsElasticBlockStore;
  const ebsB = b.awsElasticBlockStore;
  if (ebsA && ebsB && same(ebsA.volumeID, ebsB.volumeID)) return true;

  const iscsiA = a.iscsi;
  const iscsiB = b.iscsi;
  if (iscsiA && iscsiB && same(iscsiA.iqn, iscsiB.iqn) && someoneWrites(iscsiA, iscsiB)) return true;

  return Boolean(a.rbd && b.rbd && isSameImage(a.rbd, b.rbd) && someoneWrites(a.rbd, b.rbd));
}

/** Whether both are the same image: Ceph clusters with a common monitor are the same. */
function isSameImage(a: RBDImage, b: RBDImage): boolean {
  if (!same(a.image, b.image) || (a.pool || 'rbd') !== (b.pool || 'rbd')) return false;
  return (b.monitors ?? []).some((monitor) => a.monitors?.includes(monitor));
}

/** Whether two names are equal; an absent name is empty. */
function same(a: string | undefined, b: string | undefined): boolean {
  return (a ?? '') === (b ?? '');
}

function someoneWrites(a: { readonly readOnly?: boolean | undefined }, b: typeof a): boolean {
  return !(a.readOnly && b.readOnly);
}
