import type { Pod } from '../../api/pod.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { goSort } from '../../lib/go-sort.ts';
import { memoized } from '../../lib/memoized.ts';

/** The start time of the pod in milliseconds since 1970. Infinity before it has started, where upstream uses now. */
export function podStartMillis({ pod }: PodInfo): number {
  return startMillis(pod);
}

const startMillis = memoized(({ status }: Pod): number => {
  const time = status?.startTime;
  return time === undefined || time === null ? Number.POSITIVE_INFINITY : new Date(time).getTime();
});

/**
 * Whether `a` has a higher priority than `b`, or the same and an earlier start (upstream's MoreImportantPod). Of two
 * pods that have not started each is "more important" than the other, because upstream reads the clock for `a` first.
 */
function isMoreImportant(a: PodInfo, b: PodInfo): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  const [startA, startB] = [podStartMillis(a), podStartMillis(b)];
  return startA < startB || (startA === startB && startA === Number.POSITIVE_INFINITY);
}

/** Sorts in place, most important pods first; equal pods end where Go's sort leaves them. */
export function sortByImportance(pods: PodInfo[]): void {
  goSort(pods, isMoreImportant);
}
