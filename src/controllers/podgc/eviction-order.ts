import type { Pod } from '../../api/pod.ts';
import { millisOfTime } from '../../api/time.ts';

/** What decides over a pod's place, read once. */
interface Place {
  readonly pod: Pod;
  readonly isEvicted: boolean;
  readonly creationMillis: number;
  readonly name: string;
}

/** Which pods go first: evicted ones, then the oldest; of pods of the same second, the lesser name. */
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
    // A pod that does not say when it was created stands before all others.
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
