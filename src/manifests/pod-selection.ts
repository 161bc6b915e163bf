import { DEFAULT_SCHEDULER_NAME } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';

export function schedulerNameOf(pod: Pod): string {
  return pod.spec?.schedulerName || DEFAULT_SCHEDULER_NAME;
}

/** The pods of a cluster by what a scheduler has to do with them. Order is kept. */
export interface PodSelection {
  /** On a node already; terminating ones still hold their resources. */
  readonly bound: readonly Pod[];
  /** To be scheduled. */
  readonly pending: readonly Pod[];
  /** Without a node, but being deleted: the scheduler passes them over. */
  readonly deletingCount: number;
  /** Without a node, but asking for another scheduler. */
  readonly foreignCount: number;
}

const DEFAULT_ONLY: ReadonlySet<string> = new Set([DEFAULT_SCHEDULER_NAME]);

/** `names`: of the schedulers whose pods are ours. */
export function selectPods(pods: readonly Pod[], names: ReadonlySet<string> = DEFAULT_ONLY): PodSelection {
  const bound: Pod[] = [];
  const pending: Pod[] = [];
  let deletingCount = 0;
  let foreignCount = 0;
  for (const pod of pods) {
    if (isPodFinished(pod)) continue;
    if (pod.spec?.nodeName) bound.push(pod);
    else if (pod.metadata?.deletionTimestamp !== undefined) deletingCount++;
    else if (!names.has(schedulerNameOf(pod))) foreignCount++;
    else pending.push(pod);
  }
  return { bound, pending, deletingCount, foreignCount };
}
