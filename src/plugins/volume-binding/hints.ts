import { parseQuantity } from '../../api/quantity.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { CSIDriver, CSIStorageCapacity } from '../../api/storage.ts';
import { usesClaim } from '../../api/volume-claims.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint, READS_POD } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { READS_VOLUME_CLAIMS } from '../../framework/volume-claim-keys.ts';
import type { Int64 } from '../../lib/int64.ts';
import { migratedPlugins } from './csi-migration.ts';

const ADD_OR_UPDATE = ActionType.Add | ActionType.Update;

/** Upstream: volumebinding/volume_binding.go. */
export const VOLUME_BINDING_EVENTS: readonly ClusterEventWithHint[] = [
  eventWithHint('storage.k8s.io/StorageClass', ADD_OR_UPDATE, (_pod, before, after) => {
    return before === undefined || !semanticallyEqual(before.allowedTopologies, after.allowedTopologies);
  }),
  eventWithHint(
    'PersistentVolumeClaim',
    ADD_OR_UPDATE,
    ({ pod }, _before, after) => usesClaim(pod, after),
    READS_VOLUME_CLAIMS,
  ),
  eventWithHint('PersistentVolume', ADD_OR_UPDATE),
  eventWithHint('Node', ActionType.Add | ActionType.UpdateNodeLabel),
  // Another set of in-tree plugins has been replaced by CSI drivers.
  eventWithHint('storage.k8s.io/CSINode', ADD_OR_UPDATE, (_pod, before, after) => {
    return before === undefined || migratedPlugins(before) !== migratedPlugins(after);
  }),
  eventWithHint('storage.k8s.io/CSIDriver', ActionType.Update, capacityTrackingEnded, READS_POD),
  eventWithHint('storage.k8s.io/CSIStorageCapacity', ADD_OR_UPDATE, (_pod, before, after) => {
    return before === undefined || limitBytes(after) > limitBytes(before);
  }),
];

/** Whether the driver no longer tracks storage capacity, and the pod mounts an inline volume of the driver. */
function capacityTrackingEnded({ pod }: PodInfo, before: CSIDriver, after: CSIDriver): boolean {
  const uses = (pod.spec?.volumes ?? []).some(({ csi }) => csi != null && csi.driver === after.metadata?.name);
  return uses && before.spec?.storageCapacity === true && after.spec?.storageCapacity !== true;
}

/** The size of the largest volume that can be created; -1, which is below every size, if the object has no limit. */
function limitBytes({ maximumVolumeSize, capacity }: CSIStorageCapacity): Int64 {
  const limit = maximumVolumeSize ?? capacity;
  return limit === undefined || limit === null ? -1 : parseQuantity(limit).value;
}
