import type { Pod } from '../../api/pod.ts';
import { millisOfTime } from '../../api/time.ts';

/** The properties that decide a pod's position, read once. */
interface Place {
  readonly pod: Pod;
  readonly isEvicted: boolean;
  readonly creationMillis: number;
  readonly name: string;
}

/** The order of deletion: evicted pods first, then the oldest; pods of the same second by name. */
export function inEvictionOrder(pods: readonly Pod[]): readonly Pod[] {
  const places = pods.map(placeOf).sort(comparePlaces);
  return places.map(({ pod }) => pod);
}

function placeOf(pod: Pod): Place {
  const { metadata, status } = pod;
  const time = metadata?.creationTimestamp;
  return {
    pod,
    isEvicted: status?.phase === 'Failed' && status.reason === 'Evicted',
    // A pod without a creation time comes first.
    creationMillis: time === undefined || time === null ? Number.MIN_SAFE_INTEGER : millisOfTime(time),
    name: metadata?.name ?? '',
  };
}

function comparePlaces(a: Place, b: Place): number {
  if (a.isEvicted !== b.isEvicted) return a.isEvicted ? -1 : 1;
  if (a.creationMillis !== b.creationMillis) return a.creationMillis - b.creationMillis;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
