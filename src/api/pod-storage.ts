import { isInTree } from './in-tree-volumes.ts';
import type { Pod } from './pod.ts';

/**
 * Whether the pod has volumes that scheduling looks at: claims, volumes that a driver attaches, and disks that pods
 * cannot share. Secrets, config maps, projected and empty volumes are on every node.
 */
export function hasStorage({ spec }: Pod): boolean {
  const { volumes } = spec ?? {};
  return Boolean(
    volumes?.some(
      (volume) => volume.persistentVolumeClaim || volume.ephemeral || volume.iscsi || volume.rbd || isInTree(volume),
    ),
  );
}
