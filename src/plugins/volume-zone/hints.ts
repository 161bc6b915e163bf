import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../api/storage.ts';
import { namesClaim } from '../../api/volume-claims.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';

/** Upstream: volumezone/volume_zone.go. `whereabouts`: what the labels of a volume say, equal for the same places. */
export function volumeZoneEvents(whereabouts: (volume: PersistentVolume) => string): readonly ClusterEventWithHint[] {
  const volumeChanged = (before: PersistentVolume | undefined, after: PersistentVolume): QueueingHint =>
    before === undefined || whereabouts(before) !== whereabouts(after) ? 'Queue' : 'QueueSkip';
  return [
    {
      // The mode of a class cannot be changed.
      event: clusterEvent('storage.k8s.io/StorageClass', ActionType.Add),
      hint: (_pod, _before, added) => waitsForPod(added as StorageClass),
    },
    { event: clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeLabel) },
    {
      event: clusterEvent('PersistentVolumeClaim', ActionType.Add | ActionType.Update),
      hint: ({ pod }, _before, claim) => (namesClaim(pod, claim as PersistentVolumeClaim) ? 'Queue' : 'QueueSkip'),
    },
    {
      event: clusterEvent('PersistentVolume', ActionType.Add | ActionType.Update),
      hint: (_pod, before, after) => volumeChanged(before as PersistentVolume | undefined, after as PersistentVolume),
    },
  ];
}

function waitsForPod({ volumeBindingMode }: StorageClass): QueueingHint {
  return volumeBindingMode === 'WaitForFirstConsumer' ? 'Queue' : 'QueueSkip';
}
