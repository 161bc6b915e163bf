import { inTreePluginOf, isInTree } from '../../api/in-tree-volumes.ts';
import type { Pod } from '../../api/pod.ts';
import type { CSINode, PersistentVolumeClaim, VolumeAttachment } from '../../api/storage.ts';
import { usesClaim } from '../../api/volume-claims.ts';
import type { Volume } from '../../api/volumes.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import { takesRoom } from '../../framework/pod-changes.ts';
import type { PodInfo } from '../../framework/pod-info.ts';

/** Upstream: nodevolumelimits/csi.go. Nodes say nothing of volumes, so they are not listened to. */
export const NODE_VOLUME_LIMITS_EVENTS: readonly ClusterEventWithHint[] = [
  {
    event: clusterEvent('storage.k8s.io/CSINode', ActionType.Add | ActionType.Update),
    hint: (_pod, before, after) => csiNodeChanged(before as CSINode | undefined, after as CSINode),
  },
  { event: clusterEvent('Pod', ActionType.Delete), hint: (_pod, deleted) => podDeleted(deleted as Pod) },
  {
    event: clusterEvent('PersistentVolumeClaim', ActionType.Add),
    hint: ({ pod }, _before, claim) => (usesClaim(pod, claim as PersistentVolumeClaim) ? 'Queue' : 'QueueSkip'),
  },
  {
    event: clusterEvent('storage.k8s.io/VolumeAttachment', ActionType.Delete),
    hint: (pod, deleted) => attachmentDeleted(pod, deleted as VolumeAttachment),
  },
];

/** A driver can attach more volumes than before. */
function csiNodeChanged(before: CSINode | undefined, after: CSINode): QueueingHint {
  if (before === undefined) return 'Queue';
  const limits = new Map(before.spec?.drivers?.map(({ name, allocatable }) => [name, allocatable?.count ?? 0]));
  const grew = (after.spec?.drivers ?? []).some(
    ({ name, allocatable }) => (allocatable?.count ?? 0) > (limits.get(name) ?? 0),
  );
  return grew ? 'Queue' : 'QueueSkip';
}

/** Any volume of a driver that is gone may be the one too many. */
function podDeleted(deleted: Pod): QueueingHint {
  if (!takesRoom(deleted)) return 'QueueSkip';
  const held = (deleted.spec?.volumes ?? []).some(
    (volume) => volume.persistentVolumeClaim || volume.ephemeral || isInTree(volume),
  );
  return held ? 'Queue' : 'QueueSkip';
}

function attachmentDeleted({ pod }: PodInfo, { spec }: VolumeAttachment): QueueingHint {
  const mayUse = (pod.spec?.volumes ?? []).some(
    (volume) => volume.persistentVolumeClaim || mayBeAttachedBy(volume, spec?.attacher),
  );
  return mayUse ? 'Queue' : 'QueueSkip';
}

/** Whether the volume, written in the pod itself, is now the driver's; or cannot be read, and might be. */
function mayBeAttachedBy(volume: Volume, driver: string | undefined): boolean {
  const plugin = inTreePluginOf(volume);
  if (plugin === undefined) return false;
  return plugin.driver === driver || typeof plugin.handle(volume, {}) === 'object';
}
