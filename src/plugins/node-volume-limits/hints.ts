import { inTreePluginOf } from '../../api/in-tree-volumes.ts';
import type { Pod } from '../../api/pod.ts';
import type { CSINode, VolumeAttachment } from '../../api/storage.ts';
import { usesClaim } from '../../api/volume-claims.ts';
import type { Volume } from '../../api/volumes.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint, READS_POD } from '../../framework/events.ts';
import { takesRoom } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { READS_VOLUME_CLAIMS } from '../../framework/volume-claim-keys.ts';
import { mayAttachVolumes } from './attachable-volumes.ts';

/** Upstream: nodevolumelimits/csi.go. Nodes hold nothing about volumes, so their events are not registered. */
export const NODE_VOLUME_LIMITS_EVENTS: readonly ClusterEventWithHint[] = [
  eventWithHint('storage.k8s.io/CSINode', ActionType.Add | ActionType.Update, limitsGrew),
  // Any volume that is freed may be the one beyond the limit of its driver.
  eventWithHint('Pod', ActionType.Delete, (_pod, deleted: Pod) => takesRoom(deleted) && mayAttachVolumes(deleted)),
  eventWithHint(
    'PersistentVolumeClaim',
    ActionType.Add,
    ({ pod }, _before, claim) => usesClaim(pod, claim),
    READS_VOLUME_CLAIMS,
  ),
  eventWithHint('storage.k8s.io/VolumeAttachment', ActionType.Delete, attachmentDeleted, READS_POD),
];

/** Whether some driver can attach more volumes to the node than before. */
function limitsGrew(_pod: PodInfo, before: CSINode | undefined, after: CSINode): boolean {
  if (before === undefined) return true;
  const limits = new Map(before.spec?.drivers?.map(({ name, allocatable }) => [name, allocatable?.count ?? 0]));
  return (after.spec?.drivers ?? []).some(
    ({ name, allocatable }) => (allocatable?.count ?? 0) > (limits.get(name) ?? 0),
  );
}

function attachmentDeleted({ pod }: PodInfo, { spec }: VolumeAttachment): boolean {
  return (pod.spec?.volumes ?? []).some(
    (volume) => volume.persistentVolumeClaim || mayBeAttachedBy(volume, spec?.attacher),
  );
}

/** Whether the driver attaches the volume, which is inline in the pod, or might, because it cannot be translated. */
function mayBeAttachedBy(volume: Volume, driver: string | undefined): boolean {
  const plugin = inTreePluginOf(volume);
  if (plugin === undefined) return false;
  return plugin.driver === driver || typeof plugin.handle(volume, {}) === 'object';
}
