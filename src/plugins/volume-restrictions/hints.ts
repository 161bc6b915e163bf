import type { Pod } from '../../api/pod.ts';
import type { PersistentVolumeClaim } from '../../api/storage.ts';
import { namesClaim } from '../../api/volume-claims.ts';
import { ActionType, type ClusterEventWithHint, clusterEvent, type QueueingHint } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { disksConflict } from './disk-conflicts.ts';

/** Upstream: volumerestrictions/volume_restrictions.go. */
export const VOLUME_RESTRICTIONS_EVENTS: readonly ClusterEventWithHint[] = [
  { event: clusterEvent('Pod', ActionType.Delete), hint: (pod, deleted) => podDeleted(pod, deleted as Pod) },
  { event: clusterEvent('Node', ActionType.Add) },
  {
    event: clusterEvent('PersistentVolumeClaim', ActionType.Add),
    hint: ({ pod }, _before, claim) => (namesClaim(pod, claim as PersistentVolumeClaim) ? 'Queue' : 'QueueSkip'),
  },
];

/** The pod that is gone had a disk or a claim of this one. */
function podDeleted(pod: PodInfo, deleted: Pod): QueueingHint {
  if ((deleted.metadata?.namespace || 'default') !== pod.namespace) return 'QueueSkip';
  const wanted = pod.pod.spec?.volumes ?? [];
  const freed = deleted.spec?.volumes ?? [];
  if (wanted.some((volume) => freed.some((other) => disksConflict(volume, other)))) return 'Queue';
  const claims = new Set(freed.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []));
  const sharesClaim = wanted.some(({ persistentVolumeClaim }) => claims.has(persistentVolumeClaim?.claimName ?? ''));
  return sharesClaim ? 'Queue' : 'QueueSkip';
}
