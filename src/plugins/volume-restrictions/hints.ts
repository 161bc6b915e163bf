import type { Pod } from '../../api/pod.ts';
import { namesClaim } from '../../api/volume-claims.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { disksConflict } from './disk-conflicts.ts';

/** Upstream: volumerestrictions/volume_restrictions.go. */
export const VOLUME_RESTRICTIONS_EVENTS: readonly ClusterEventWithHint[] = [
  eventWithHint('Pod', ActionType.Delete, podDeleted),
  eventWithHint('Node', ActionType.Add),
  eventWithHint('PersistentVolumeClaim', ActionType.Add, ({ pod }, _before, claim) => namesClaim(pod, claim)),
];

/** Whether the deleted pod used a disk or a claim that this pod uses, too. */
function podDeleted(pod: PodInfo, deleted: Pod): boolean {
  if ((deleted.metadata?.namespace || 'default') !== pod.namespace) return false;
  const wanted = pod.pod.spec?.volumes ?? [];
  const freed = deleted.spec?.volumes ?? [];
  if (wanted.some((volume) => freed.some((other) => disksConflict(volume, other)))) return true;
  const claims = new Set(freed.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []));
  return wanted.some(({ persistentVolumeClaim }) => claims.has(persistentVolumeClaim?.claimName ?? ''));
}
