import { parseQuantity } from '../../api/quantity.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { CSIDriver, CSINode, CSIStorageCapacity, PersistentVolumeClaim, StorageClass } from '../../api/storage.ts';
import { usesClaim } from '../../api/volume-claims.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Int64 } from '../../lib/int64.ts';
import { migratedPlugins } from './csi-migration.ts';

const ADD_OR_UPDATE = ActionType.Add | ActionType.Update;

/** Upstream: volumebinding/volume_binding.go. */
export const VOLUME_BINDING_EVENTS: readonly ClusterEventWithHint[] = [
  {
    event: clusterEvent('storage.k8s.io/StorageClass', ADD_OR_UPDATE),
    hint: (_pod, before, after) => classChanged(before as StorageClass | undefined, after as StorageClass),
  },
  {
    event: clusterEvent('PersistentVolumeClaim', ADD_OR_UPDATE),
    hint: (pod, _before, after) => hintIf(usesClaim(pod.pod, after as PersistentVolumeClaim)),
  },
  { event: clusterEvent('PersistentVolume', ADD_OR_UPDATE) },
  { event: clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeLabel) },
  {
    event: clusterEvent('storage.k8s.io/CSINode', ADD_OR_UPDATE),
    hint: (_pod, before, after) => csiNodeChanged(before as CSINode | undefined, after as CSINode),
  },
  {
    event: clusterEvent('storage.k8s.io/CSIDriver', ActionType.Update),
    hint: (pod, before, after) => driverChanged(pod, before as CSIDriver, after as CSIDriver),
  },
  {
    event: clusterEvent('storage.k8s.io/CSIStorageCapacity', ADD_OR_UPDATE),
    hint: (_pod, before, after) =>
      capacityChanged(before as CSIStorageCapacity | undefined, after as CSIStorageCapacity),
  },
];

function hintIf(condition: boolean): QueueingHint {
  return condition ? 'Queue' : 'QueueSkip';
}

function classChanged(before: StorageClass | undefined, after: StorageClass): QueueingHint {
  return hintIf(before === undefined || !semanticallyEqual(before.allowedTopologies, after.allowedTopologies));
}

/** Which in-tree plugins of the node have been replaced by CSI drivers. */
function csiNodeChanged(before: CSINode | undefined, after: CSINode): QueueingHint {
  return hintIf(before === undefined || migratedPlugins(before) !== migratedPlugins(after));
}

/** The driver no longer counts free space, and the pod mounts a volume of it without a claim. */
function driverChanged({ pod }: PodInfo, before: CSIDriver, after: CSIDriver): QueueingHint {
  const uses = (pod.spec?.volumes ?? []).some(({ csi }) => csi != null && csi.driver === after.metadata?.name);
  return hintIf(uses && before.spec?.storageCapacity === true && after.spec?.storageCapacity !== true);
}

function capacityChanged(before: CSIStorageCapacity | undefined, after: CSIStorageCapacity): QueueingHint {
  return hintIf(before === undefined || limitBytes(after) > limitBytes(before));
}

/** The largest volume that can be made; below everything where nothing is said. */
function limitBytes({ maximumVolumeSize, capacity }: CSIStorageCapacity): Int64 {
  const limit = maximumVolumeSize ?? capacity;
  return limit === undefined || limit === null ? -1 : parseQuantity(limit).value;
}
