import type { Pod } from '../../api/pod.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { goSort } from '../../lib/go-sort.ts';

const startMillis = new WeakMap<Pod, number>();

/** When the pod started, in milliseconds since 1970; Infinity for one that has not: upstream takes the present then. */
export function podStartMillis({ pod }: PodInfo): number {
  let millis = startMillis.get(pod);
  if (millis === undefined) {
    const time = pod.status?.startTime;
    millis = time === undefined || time === null ? Number.POSITIVE_INFINITY : new Date(time).getTime();
    startMillis.set(pod, millis);
  }
  return millis;
}

/**
 * Whether `a` is to be spared before `b`: higher priority, then earlier start (upstream's MoreImportantPod). Of two
 * pods that have not started each is "more important" than the other, because upstream reads the clock for `a` first.
 */
function isMoreImportant(a: PodInfo, b: PodInfo): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  const [startA, startB] = [podStartMillis(a), podStartMillis(b)];
  return startA < startB || (startA === startB && startA === Number.POSITIVE_INFINITY);
}

/** Most important first, in place. Equal pods end where Go's sort leaves them. */
export function sortByImportance(pods: PodInfo[]): void {
  goSort(pods, isMoreImportant);
}
